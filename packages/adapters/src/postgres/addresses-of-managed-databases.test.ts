import { Unavailable } from '@subrail/core/ports';
import { describe, expect, test } from 'vitest';
import { postgresAddressFault } from './address/fault.js';
import { ignoredParameters, optionsOfAddress } from './address/parameters.js';
import { serversOf } from './pool.js';
import { asRefusal } from './refused.js';
import { MANAGED_ADDRESSES } from './tests/managed-databases.js';
import { asUnavailable, endsConnection } from './unavailable.js';

// starting#encryption-to-a-database
describe.each(MANAGED_ADDRESSES)(
  'an address of $whose, with $search,',
  ({ search, refused, ...expected }) => {
    const { connectMs, prepares = true, ignored = [] } = expected;
    const address = `postgres://billing:hunter2@db.example/billing${search}`;

    test(refused === undefined ? 'is used' : 'is refused', () => {
      const fault = postgresAddressFault(address);
      if (refused !== undefined) {
        expect(fault).toMatch(refused);
        return;
      }
      expect(fault).toBeNull();
      const options = optionsOfAddress(address);
      expect(options).toEqual({
        ...(connectMs === undefined ? {} : { connectMs }),
        ...(prepares ? {} : { preparedStatements: false }),
      });
      const names = ignoredParameters(address).map(
        (sentence) => /^The parameter (\w+) of/.exec(sentence)?.[1],
      );
      expect(names).toEqual(ignored);
      const config = serversOf({ url: address }).config();
      expect(config.connectionTimeoutMillis).toBe(connectMs ?? 5_000);
      expect(serversOf({ url: address, timeouts: { connectMs: 7 } }).config().connectionTimeoutMillis).toBe(
        7,
      );
      const { searchParams } = new URL(config.connectionString ?? '');
      for (const name of searchParams.keys()) expect(name).toMatch(/^(sslmode|options)$/);
    });
  },
);

test.each([
  [
    'postgres://billing:hunter2@one.example:5432,two.example:5433/billing?target_session_attrs=read-write',
    ['one.example:5432', 'two.example:5433'],
  ],
  ['postgresql://one.example,two.example,[::1]:5433/billing', ['one.example', 'two.example', '[::1]:5433']],
  [
    'postgres://billing:a%2Cb@one.example,two.example/billing?sslmode=require',
    ['one.example', 'two.example'],
  ],
  ['postgres://billing:a,b@one.example/billing', ['one.example']],
])('%s names the servers %j', (address, hosts) => {
  expect(postgresAddressFault(address)).toBeNull();
  const servers = serversOf({ url: address });
  const found = Array.from({ length: servers.count }, () => {
    const { host } = new URL(servers.config().connectionString ?? '');
    servers.leave(servers.used);
    return host;
  });
  expect(found).toEqual(hosts);
});

test.each([
  ['postgres://one.example,/billing', /^has a comma before or after which no host is/],
  ['postgres://billing:hunter2@one.example,two.example:port/billing', /^is no address/],
  ['postgres://one.example,two.example/billing?host=three.example', /^has the parameter host, and another/],
  [
    'postgres://one.example,two.example/billing?sslMode=verify-full',
    /^has the parameter sslMode, which does not exist/,
  ],
])('%s is refused', (address, fault) => {
  expect(postgresAddressFault(address)).toMatch(fault);
});

test('all servers of an address are named when none can be reached', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  const error = asRefusal(refused, 'postgres://billing:hunter2@one.example:5432,two.example/billing');
  expect(error).toMatchObject({
    name: 'Unavailable',
    message: expect.stringMatching(
      /^No Postgres server can be reached at one\.example:5432 or two\.example\./,
    ) as string,
  });
});

/** What servers and proxies answer when a transaction got another connection than the one before. */
test.each([
  ['PostgreSQL, on a connection that lacks it', '26000', 'prepared statement "subrail_1" does not exist'],
  [
    'PostgreSQL, on one that has it of another host',
    '42P05',
    'prepared statement "subrail_1" already exists',
  ],
  ['PgBouncer', '08P01', 'prepared statement name is already in use'],
  ['PgBouncer, without prepared statements', '26000', 'prepared statement did not exist'],
])('a prepared statement that is lost names the setting: %s', (_, code, message) => {
  const answer = Object.assign(new Error(message), { code, severity: 'ERROR' });
  const unavailable = asUnavailable(answer);
  expect(unavailable).toBeInstanceOf(Unavailable);
  expect((unavailable as Unavailable).message).toContain('set database_prepared_statements to false');
  expect(endsConnection(answer)).toBe(true);
});

test('what is unavailable for another reason names no setting', () => {
  const answer = Object.assign(new Error('the disk is full'), { code: '53100', severity: 'ERROR' });
  expect((asUnavailable(answer) as Unavailable).message).toBe(
    'The Postgres database cannot be used now: the disk is full. Try again.',
  );
});
