// Heavy: hosts as processes tell each other of a key in real time.

import { afterEach, expect, test } from 'vitest';
import { ENGINES } from './kill/engines.js';
import { startHostsUnderLoad, type HostsUnderLoad } from './kill/hosts-under-load.js';

/** In milliseconds, by the time of the machine. */
const A_SECOND = 1_000;

let world: HostsUnderLoad | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Calls a host until it refuses a key. Returns the time of the last call that it answered. */
async function lastAnswered(url: string, key: string): Promise<number> {
  for (let last = -Infinity; ;) {
    const calledAt = performance.now();
    const { status } = await fetch(`${url}/v1/project`, { headers: { authorization: `Bearer ${key}` } });
    if (status === 401) return last;
    // A key may call a route 1,000 times a minute.
    expect([200, 429]).toContain(status);
    last = calledAt;
  }
}

// requests#api-key-revocation
test.each(ENGINES)(
  'hosts on %s refuse a key within a second after another process revoked it',
  async (engine) => {
    const running = await startHostsUnderLoad(engine, 2);
    world = running;
    const service = await running.open();
    const { keys } = service.billing.project(service.projectId);
    const { id, key } = await keys.create();
    const calls = running.urls().map((url) => lastAnswered(url, key));
    await keys.revoke(id);
    const revokedAt = performance.now();
    const after = (await Promise.all(calls)).map((last) => last - revokedAt);
    for (const ms of after) expect(ms).toBeLessThan(A_SECOND);
    await service.close();
  },
);
