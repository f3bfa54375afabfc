// Heavy: a server with a standby is started and fails over.

import { connect, createServer, type AddressInfo } from 'node:net';
import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import { startPostgres, startStandby, type PostgresServer } from '@subrail/test-postgres';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { openPostgresStore, pendingPostgresMigrations } from '../index.js';
import { MANAGED_ADDRESSES } from './managed-databases.js';
import { useDatabase } from './use-database.js';

const database = useDatabase();
const { open } = database;
afterEach(() => void vi.restoreAllMocks());

/** Stores and reads a project, with a statement that is prepared when it may be. */
async function use(store: Awaited<ReturnType<typeof open>>) {
  const project = aProject();
  await store.insertProject(project);
  for (let call = 0; call < 3; call++) expect(await store.findProject(project.id)).toEqual(project);
}

// This server has no TLS, and takes no options of a proxy.
const USABLE = MANAGED_ADDRESSES.filter(
  ({ refused, search }) => refused === undefined && !/sslmode=(require|verify)|options/.test(search),
);

test.each(USABLE)(
  'a store works with the address of $whose',
  async ({ search, prepares = true, ignored = [] }) => {
    const report = vi.fn();
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await use(await open({ url: `${database.url()}${search}`, report }));
    const said = report.mock.calls
      .map(([sentence]) => String(sentence))
      .filter((sentence) => /ignored/.test(sentence));
    expect(said).toHaveLength(ignored.length);
    for (const name of ignored) expect(said.join(' ')).toContain(name);
    const named = query.mock.calls.filter(([config]) => typeof config === 'object' && 'name' in config);
    expect(named.length > 0).toBe(prepares);
  },
);

/** A proxy that takes no start-up settings but user and database, as RDS Proxy and PgBouncer by default. */
async function openStrictProxy(): Promise<string> {
  const target = new URL(database.url());
  const server = createServer((client) => {
    client.once('data', (startup) => {
      const settings = startup.subarray(8).toString().split('\0');
      const unknown = settings.find((text, place) => place % 2 === 0 && /timeout/.test(text));
      if (unknown !== undefined) {
        client.end(errorResponse('08P01', `unsupported startup parameter: ${unknown}`));
        return;
      }
      const upstream = connect(Number(target.port), target.hostname);
      upstream.write(startup);
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  database.closeLater(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return Object.assign(new URL(database.url()), { hostname: '127.0.0.1', port }).href;
}

function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test('a proxy that takes no settings at the start of a connection is used without them, which is said', async () => {
  const url = await openStrictProxy();
  const report = vi.fn();
  expect(await pendingPostgresMigrations({ url })).not.toEqual([]);
  // The migrations of an empty database, with their lock, go to the server itself.
  await (await openPostgresStore({ url: database.url() })).close();
  await use(await open({ url, report }));
  expect(report).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^The proxy before the database takes no settings .* alter role …/),
  );
});

/** An address of several servers, as clients of a cluster have it. */
function addressOf(...servers: readonly PostgresServer[]): string {
  const [first = ''] = servers.map(({ url }) => url);
  const hosts = servers.map(({ url }) => new URL(url).host).join(',');
  return `${first.replace(new URL(first).host, hosts)}?target_session_attrs=read-write`;
}

test('of several hosts the one is used that writes, and after a failover another one', async () => {
  const primary = await startPostgres('18');
  database.closeLater(() => primary.remove());
  const standby = await startStandby(primary);
  database.closeLater(() => standby.remove());
  const store = await open({ url: addressOf(standby, primary), poolSize: 2 });
  await use(store);
  await primary.kill();
  await expect(use(store)).rejects.toThrow(Unavailable);
  await standby.promote();
  await vi.waitFor(() => use(store), { timeout: 20_000, interval: 200 });
});
