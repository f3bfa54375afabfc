import { chmodSync, chownSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aProject } from '@subrail/core/testing';
import { startPostgres, type PostgresServer } from '@subrail/test-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateOf } from '../../tests/certificate-of.js';
import { openPostgresStore, PostgresRefusal } from '../index.js';

let server: PostgresServer;
let certificate: string;
beforeAll(async () => {
  server = await startPostgres('18');
  certificate = join(server.data, 'server.crt');
  const key = join(server.data, 'server.key');
  const made = certificateOf('localhost', 2);
  writeFileSync(certificate, made.cert);
  writeFileSync(key, made.key);
  // The server refuses a key that others than its own user may read.
  const { uid, gid } = statSync(server.data);
  for (const file of [key, certificate]) {
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }
  await server.set('ssl', 'on');
});
afterAll(() => server.remove());

/** The address of the server by the name that its certificate has. */
function address(search = ''): string {
  return Object.assign(new URL(server.url), { hostname: 'localhost', search }).href;
}

/** Runs a statement of an operator. */
async function operate<Row extends pg.QueryResultRow>(statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}

/** The number of connections of stores, by whether they are encrypted. */
const connections = () =>
  operate<{ ssl: boolean; count: number }>(
    "select ssl, count(*)::int from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'subrail' group by ssl",
  );

test.each([
  ['in the address', () => ({ url: address(`?sslmode=verify-full&sslrootcert=${certificate}`) })],
  ['in the options', () => ({ url: address(), tls: { ca: readFileSync(certificate, 'utf8') } })],
  [
    'in the options, besides a mode of the address',
    () => ({ url: address('?sslmode=verify-full'), tls: { ca: readFileSync(certificate, 'utf8') } }),
  ],
])('a connection is encrypted with a certificate that is named %s', async (_, options) => {
  const { store, close } = await openPostgresStore(options());
  const project = aProject();
  await store.insertProject(project);
  expect(await store.findProject(project.id)).toEqual(project);
  expect(await connections()).toEqual([{ ssl: true, count: 1 }]);
  await close();
});

test.each([
  ['that no authority signed', () => ({ url: address('?sslmode=verify-full') })],
  ['that no authority of the options signed', () => ({ url: address(), tls: {} })],
  [
    'that no authority of the options signed, whatever the address says',
    () => ({ url: address('?sslmode=no-verify'), tls: {} }),
  ],
  [
    'of another name',
    () => ({
      url: server.url,
      tls: { ca: readFileSync(certificate, 'utf8'), servername: 'db.example.com' },
    }),
  ],
])('a server with a certificate %s is refused', async (_, options) => {
  const refused = await openPostgresStore(options()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PostgresRefusal);
  expect((refused as Error).message).toMatch(/ was refused: .*certificate.* (Save the|Check sslmode)/);
  expect(await connections()).toEqual([]);
});

test('connections that end are replaced while the file of a certificate is away', async () => {
  const renewed = join(server.data, 'renewed.crt');
  copyFileSync(certificate, renewed);
  const url = address(`?sslmode=verify-full&sslrootcert=${renewed}`);
  const { store, close } = await openPostgresStore({ url, poolSize: 1 });
  const project = aProject();
  await store.insertProject(project);
  // From now on it listens for changed keys too.
  expect(await store.findApiKey('a hash')).toBeNull();
  rmSync(renewed);
  await operate("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'subrail'");
  // The one that has the connection learns that it ended, and another waits for it.
  await Promise.allSettled([store.findProject(project.id), store.findProject(project.id)]);
  expect(await store.findProject(project.id)).toEqual(project);
  await expect.poll(connections).toEqual([{ ssl: true, count: 2 }]);
  await close();
});
