import { anApiKey, aProject, rateLimitConformance } from '@subrail/core/testing';
import { emptyDatabase, POSTGRES_MAJORS, type EmptyDatabase } from '@subrail/test-postgres';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openPostgresStore } from '../index.js';
import { openPool } from '../pool.js';

describe.each(POSTGRES_MAJORS)('two hosts on PostgreSQL %s', (major) => {
  let database: EmptyDatabase;
  let reader: ReturnType<typeof openPool>;
  let hosts: readonly [Host, Host];
  type Host = Awaited<ReturnType<typeof openPostgresStore>>;
  beforeAll(async () => {
    database = await emptyDatabase(inject('postgres')[major]);
    reader = openPool({ url: database.url });
    const open = () => openPostgresStore({ url: database.url });
    hosts = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(hosts.map(({ close }) => close()));
    await reader.end();
    await database.drop();
  });

  rateLimitConformance(test, async () => ({
    rateLimit: hosts[0].rateLimit,
    peer: hosts[1].rateLimit,
    async close() {
      await reader.query('delete from rate_windows');
    },
  }));

  // requests#api-key-revocation
  test('a key that one revoked stops at the other 0.9 seconds later', async () => {
    const [one, other] = [hosts[0].store, hosts[1].store];
    const project = aProject();
    const key = anApiKey({ projectId: project.id });
    await one.insertProject(project);
    await one.insertApiKey(key);
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      expect(await other.findApiKey(key.hash)).toMatchObject({ key });
      await one.revokeApiKey(key.id, new Date());
      expect(await one.findApiKey(key.hash)).toBeNull();
      vi.advanceTimersByTime(900);
      expect(await other.findApiKey(key.hash)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});
