import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMovablePostgres, openPostgresStore, pendingPostgresMigrations } from './index.js';
import { serversOf, type PostgresOptions } from './pool.js';

/** Nothing listens there, so whatever is tried fails, and fails at once. */
const URL_OF_NONE = 'postgres://billing:hunter2@127.0.0.1:1/billing';

const connectionConfig = (options: PostgresOptions) => serversOf(options).config();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-tls-'));
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), `the ${name} of a file`);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  vi.stubEnv('PGSSLMODE', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The settings of TLS with which the driver connects; false for a connection that is not encrypted. */
function tlsOf(search: string, tls?: PostgresOptions['tls']): unknown {
  const options = { url: `postgres://db.example/billing${search}`, ...(tls === undefined ? {} : { tls }) };
  return tlsWith(connectionConfig(options));
}

function tlsWith(config: pg.ClientConfig): unknown {
  return new pg.Client(config).ssl;
}

describe.each([
  ['openPostgresStore', openPostgresStore],
  ['pendingPostgresMigrations', pendingPostgresMigrations],
  ['openMovablePostgres', openMovablePostgres],
])('%s refuses', (_, open: (options: PostgresOptions) => Promise<unknown>) => {
  it.each([
    [
      'an option that does not exist',
      { ssl: { ca: 'a certificate' } },
      /^A Postgres database has no option "ssl"\. Its options are: url, poolSize, timeouts, tls, preparedStatements, report\.$/,
    ],
    [
      'a time-out that does not exist',
      { timeouts: { lock: 1 } },
      /^A Postgres database has no option "timeouts\.lock"\. Its options are: timeouts\.connectMs, /,
    ],
    ['tls that is no object', { tls: true }, /^The option "tls" of a Postgres database must be an object\.$/],
    [
      'a parameter that does not exist',
      { url: `${URL_OF_NONE}?sslMode=verify-full` },
      /^The address of the database has the parameter sslMode, which does not exist\./,
    ],
    ['an address of something else', { url: 'mysql://db/x' }, /^The address of the database is no address/],
  ])('%s', async (_, options, message) => {
    const refused = await open({ url: URL_OF_NONE, ...options } as PostgresOptions).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(TypeError);
    expect((refused as TypeError).message).toMatch(message);
    expect((refused as TypeError).message).not.toContain('hunter2');
  });

  it.each(['verify_full', 'prefer', 'allow'])('PGSSLMODE=%s', async (mode) => {
    vi.stubEnv('PGSSLMODE', mode);
    await expect(open({ url: URL_OF_NONE })).rejects.toThrow(
      'The environment variable PGSSLMODE has a value that does not exist. Those that do are: disable, no-verify, require, verify-ca, verify-full.',
    );
  });
});

describe('a connection', () => {
  // starting#encryption-to-a-database
  it.each([
    ['', false],
    ['?sslmode=disable', false],
    ['?sslmode=no-verify', { rejectUnauthorized: false }],
    ['?sslmode=require', {}],
    ['?sslmode=verify-ca', {}],
    ['?sslmode=verify-full', {}],
    ['?sslnegotiation=direct', true],
  ])('with %s in the address has the TLS %j', (search, expected) => {
    const warned = vi.spyOn(process, 'emitWarning');
    expect(tlsOf(search)).toEqual(expected);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('takes the mode of the environment when the address says nothing of TLS', () => {
    vi.stubEnv('PGSSLMODE', 'verify-full');
    expect(tlsOf('')).toEqual({});
    expect(tlsOf('?sslnegotiation=postgres')).toEqual({});
    expect(tlsOf('?sslmode=disable')).toBe(false);
    vi.stubEnv('PGSSLMODE', 'no-verify');
    expect(tlsOf('')).toEqual({ rejectUnauthorized: false });
    expect(tlsOf(`?sslrootcert=${folder}/ca`)).toEqual({ ca: 'the ca of a file' });
  });

  it('takes no mode of the environment with the option tls', () => {
    vi.stubEnv('PGSSLMODE', 'prefer');
    expect(tlsOf('', { ca: 'an authority' })).toEqual({ ca: 'an authority' });
  });

  // starting#encryption-to-a-database
  it.each(['', '?sslmode=verify-full', '?sslmode=require', '?sslmode=no-verify', '?sslmode=disable'])(
    'has what the option tls says, and checks the certificate, with %s in the address',
    (search) => {
      expect(tlsOf(search, { ca: 'an authority', cert: 'a certificate' })).toEqual({
        ca: 'an authority',
        cert: 'a certificate',
      });
      expect(tlsOf(search, {})).toEqual({});
      expect(tlsOf(search, { rejectUnauthorized: false })).toEqual({ rejectUnauthorized: false });
    },
  );

  it('has the files of the address that the option tls says nothing of', () => {
    const files = `?sslmode=verify-full&sslrootcert=${folder}/ca&sslcert=${folder}/cert&sslkey=${folder}/key`;
    const tls = { ca: undefined, cert: 'another certificate' };
    const found = tlsOf(files, tls) as { readonly key: string };
    expect(found).toEqual({ ca: 'the ca of a file', cert: 'another certificate' });
    // The driver hides it from whatever prints the settings.
    expect(found.key).toBe('the key of a file');
    expect(tls).toEqual({ ca: undefined, cert: 'another certificate' });
  });

  it.each([undefined, {}])(
    'with the option tls %j and a file of the address that cannot be read is refused',
    (tls) => {
      expect(() => tlsOf(`?sslrootcert=${folder}/missing`, tls)).toThrow(
        /^A file that the address of the database names, such as sslrootcert, cannot be read: ENOENT/,
      );
    },
  );

  it('reads a file of the address again, and has what it read last while the file is away or not whole', () => {
    const path = join(folder, 'renewed');
    const [first, second] = ['the first key\n-----END KEY-----', 'the second key\n-----END KEY-----'];
    writeFileSync(path, first);
    const config = connectionConfig({ url: `${URL_OF_NONE}?sslmode=no-verify&sslkey=${path}` });
    const key = () => (tlsWith(config) as { readonly key: string }).key;
    expect(key()).toBe(first);
    writeFileSync(path, second);
    expect(key()).toBe(second);
    writeFileSync(path, 'the third');
    expect(key()).toBe(second);
    rmSync(path);
    expect(key()).toBe(second);
    expect(tlsWith(config)).toEqual({ rejectUnauthorized: false });
  });

  it('is not encrypted with sslmode=disable, whatever files the address names', () => {
    expect(tlsOf(`?sslmode=disable&sslrootcert=${folder}/missing`)).toBe(false);
  });

  it('begins with TLS, when the address says so', () => {
    const { sslnegotiation } = connectionConfig({ url: `${URL_OF_NONE}?sslnegotiation=direct`, tls: {} });
    expect(sslnegotiation).toBe('direct');
  });
});
