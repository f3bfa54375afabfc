import { Unavailable } from '@subrail/core/ports';
import { expect, test } from 'vitest';
import { asRefusal, PostgresRefusal } from './refused.js';
import { asUnavailable } from './unavailable.js';

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });

const answered = (code: string, message: string) =>
  Object.assign(new Error(message), { code, severity: 'FATAL' });
const failed = (code: string, message: string) => Object.assign(new Error(message), { code });
const ENCRYPT =
  /^The Postgres server at db\.example lets nobody in without encryption\. Add sslmode=verify-full/;
const AUTHORITY = / was refused: .* Save the certificate of its authority, .* sslrootcert=/;

/** Managed databases give these answers to an address that lacks something. */
test.each<[string, Error, RegExp]>([
  [
    'Heroku and Amazon RDS, without encryption',
    answered(
      '28000',
      'no pg_hba.conf entry for host "10.0.0.7", user "billing", database "billing", no encryption',
    ),
    ENCRYPT,
  ],
  [
    'DigitalOcean, without encryption',
    answered(
      '28000',
      'pg_hba.conf rejects connection for host "10.0.0.7", user "billing", database "billing", no encryption',
    ),
    ENCRYPT,
  ],
  [
    'Azure, without encryption',
    answered('28000', 'SSL connection is required. Please specify SSL options and retry.'),
    ENCRYPT,
  ],
  [
    'a server that lets this host in nowhere',
    answered(
      '28000',
      'no pg_hba.conf entry for host "10.0.0.7", user "billing", database "billing", SSL encryption',
    ),
    /does not let the user billing in\. Its pg_hba\.conf says/,
  ],
  ['Heroku', failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), AUTHORITY],
  [
    'Supabase and DigitalOcean',
    failed('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'),
    AUTHORITY,
  ],
  [
    'Amazon RDS',
    failed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'),
    AUTHORITY,
  ],
  [
    'a proxy that does not send the whole chain',
    failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'),
    AUTHORITY,
  ],
])('the answer of %s names what the address lacks', (_, error, sentence) => {
  const refusal = asRefusal(asUnavailable(error), 'postgres://billing:hunter2@db.example/billing');
  expect(refusal).toBeInstanceOf(PostgresRefusal);
  expect(refusal).toMatchObject({ message: expect.stringMatching(sentence) as string });
});

test('a name of whose addresses none answers may pass, as one address may', () => {
  const all = new AggregateError([refused('::1'), refused('127.0.0.1')], '');
  for (const error of [refused('127.0.0.1'), all]) {
    const away = asRefusal(asUnavailable(error), 'postgres://billing:hunter2@localhost/billing');
    expect(away).toBeInstanceOf(Unavailable);
    expect((away as Unavailable).message).toMatch(/^No Postgres server can be reached at localhost\./);
  }
});
