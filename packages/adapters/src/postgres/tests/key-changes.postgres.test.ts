// Heavy: hosts hear of each other in real time.

import { anApiKey, aProject } from '@subrail/core/testing';
import { emptyDatabase, type EmptyDatabase } from '@subrail/test-postgres';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openPostgresStore } from '../index.js';
import { openPool } from '../pool.js';

/** How long a test waits for a notification. */
const WAIT = { timeout: 60_000, interval: 10 };

describe('two hosts on PostgreSQL', () => {
  let database: EmptyDatabase;
  let server: ReturnType<typeof openPool>;
  let reader: ReturnType<typeof openPool>;
  let hosts: readonly [Host, Host];
  type Host = Awaited<ReturnType<typeof openPostgresStore>>;
  beforeAll(async () => {
    server = openPool({ url: inject('postgres') });
    database = await emptyDatabase(inject('postgres'));
    reader = openPool({ url: database.url });
    const open = () => openPostgresStore({ url: database.url });
    hosts = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(hosts.map(({ close }) => close()));
    await reader.end();
    await server.end();
    await database.drop();
  });

  /** A key that a host has just read. */
  async function keyReadBy(host: Host) {
    const project = aProject();
    const key = anApiKey({ projectId: project.id });
    await hosts[0].store.insertProject(project);
    await hosts[0].store.insertApiKey(key);
    expect(await host.store.findApiKey(key.hash)).toMatchObject({ key });
    return key;
  }

  /** The processes of the server whose connections have said that they listen. */
  async function listeners(): Promise<readonly number[]> {
    const { rows } = await reader.query<{ pid: number }>(
      `select pid from pg_stat_activity where query = 'listen subrail_key_changes' and state = 'idle' and datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Does something while keys that were read never get too old. */
  async function whileKeysKeep(act: () => Promise<void>): Promise<void> {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      await act();
    } finally {
      vi.useRealTimers();
    }
  }

  // requests#api-key-revocation
  describe('a key that one revoked stops at the other', () => {
    test('as soon as the database tells of it, whoever revoked it', async () => {
      const other = hosts[1];
      await whileKeysKeep(async () => {
        const key = await keyReadBy(other);
        await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), WAIT);
        await hosts[0].store.revokeApiKey(key.id, new Date());
        await vi.waitFor(async () => expect(await other.store.findApiKey(key.hash)).toBeNull(), WAIT);
        // The other host reads this key after that notification, so that it keeps the key until the next one.
        const another = await keyReadBy(other);
        await reader.query('update api_keys set revoked_at = 1 where id = $1', [another.id]);
        await vi.waitFor(async () => expect(await other.store.findApiKey(another.hash)).toBeNull(), WAIT);
      });
    });

    test('0.9 seconds later when the connection that hears of it is gone, and at once again when there is another', async () => {
      const other = hosts[1];
      await whileKeysKeep(async () => {
        const key = await keyReadBy(other);
        const [pid] = await listeners();
        // Connections that are there go on.
        const allowConnections = (allowed: boolean) =>
          server.query(
            `alter database "${new URL(database.url).pathname.slice(1)}" allow_connections ${allowed}`,
          );
        await allowConnections(false);
        await reader.query('select pg_terminate_backend($1)', [pid]);
        await vi.waitFor(async () => expect(await listeners()).toEqual([]), WAIT);
        await hosts[0].store.revokeApiKey(key.id, new Date());
        expect(await other.store.findApiKey(key.hash)).toMatchObject({ key });
        vi.advanceTimersByTime(900);
        expect(await other.store.findApiKey(key.hash)).toBeNull();

        await allowConnections(true);
        const later = await keyReadBy(other);
        await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), WAIT);
        await hosts[0].store.revokeApiKey(later.id, new Date());
        await vi.waitFor(async () => expect(await other.store.findApiKey(later.hash)).toBeNull(), WAIT);
      });
    });
  });

  test('nothing is told when the last use of a key is written, and a change of its project is', async () => {
    const told: string[] = [];
    const client = await reader.connect();
    client.on('notification', ({ channel }) => told.push(channel));
    await client.query('listen subrail_key_changes');
    const key = await keyReadBy(hosts[0]);
    await hosts[0].store.touchApiKey(key.id, new Date());
    await client.query('select 1');
    expect(told).toEqual([]);
    await reader.query("update projects set tier = 'free' where id = $1", [key.projectId]);
    await vi.waitFor(async () => {
      await client.query('select 1');
      expect(told).toEqual(['subrail_key_changes']);
    }, WAIT);
    client.release(true);
  });
});
