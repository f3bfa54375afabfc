import type { Attempt, SubscriptionId } from '@subrail/core/ports';
import type { TestWorld } from '@subrail/test-world';

/** Every attempt of a subscription, newest first. */
export async function attemptsOf(world: TestWorld, id: SubscriptionId): Promise<readonly Attempt[]> {
  const all: Attempt[] = [];
  for (;;) {
    const page = await world.store.listAttempts(id, { limit: 100, startingAfter: all.at(-1)?.id ?? null });
    if (page === 'unknown_cursor') throw new Error('The store refused a cursor of its own list.');
    all.push(...page.data);
    if (!page.hasMore) return all;
  }
}
