import { expect, it } from 'vitest';
import { openSubscriber, PRICE, type TestWorld } from '@subrail/test-world';

let world: TestWorld;

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
}

/** Reads the list in pages of two until the event that was seen last, as a poller does. Oldest first. */
async function poll(lastSeen: string | null): Promise<readonly Listed[]> {
  const read: Listed[] = [];
  for (let after = ''; ;) {
    const { body } = await world.call('GET', `/events?limit=2${after}`);
    for (const event of body['data'] as Listed[]) {
      if (event.id === lastSeen) return read.reverse();
      read.push(event);
    }
    if (body['has_more'] === false) return read.reverse();
    after = `&starting_after=${read.at(-1)?.id ?? ''}`;
  }
}

// events#events-list-in-writing-order, lists#newest-first-order
it('an end of access that is written after later events is met by a poller that keeps the last id it saw', async () => {
  const { cancel, id, ...subscriber } = await openSubscriber('paid');
  ({ world } = subscriber);
  const { body } = await cancel(id);
  const end = (body['subscription'] as { access_until: string }).access_until;
  world.advance(new Date(end).getTime() - world.now().getTime() + 60_000);
  await world.subscribe(await world.wallet(10n * PRICE));
  const seen = await poll(null);
  expect(seen.at(-1)?.type).toBe('subscription.access_granted');

  await world.billing.worker.charge();
  const next = await poll(seen.at(-1)?.id ?? null);
  expect(next.map(({ type, created_at }) => [type, created_at])).toContainEqual([
    'subscription.access_revoked',
    end,
  ]);
  const all = await poll(null);
  expect([...seen, ...next].map((event) => event.id)).toEqual(all.map((event) => event.id));
  expect(new Set(all.map((event) => event.id)).size).toBe(all.length);
});
