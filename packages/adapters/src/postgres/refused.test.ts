import { expect, test } from 'vitest';
import { asRefusal, PostgresRefusal } from './refused.js';
import { asUnavailable } from './unavailable.js';

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });

test('a name of whose addresses none answers may pass, as one address may', () => {
  const all = new AggregateError([refused('::1'), refused('127.0.0.1')], '');
  for (const error of [refused('127.0.0.1'), all]) {
    const refusal = asRefusal(asUnavailable(error), 'postgres://billing:hunter2@localhost/billing');
    expect(refusal).toBeInstanceOf(PostgresRefusal);
    expect((refusal as PostgresRefusal).mayPass).toBe(true);
    expect((refusal as PostgresRefusal).message).toMatch(/^No Postgres server can be reached at localhost\./);
  }
});
