import type { KeyPairSigner } from '@solana/kit';
import type { ProjectId, Subscription, SubscriptionId } from '@subrail/core/ports';

import type { TestWorld } from './test-world.js';
import { DAY, PRICE } from './units.js';

/** The record of a subscription, as the store has it. */
export async function storedSubscription(
  { store, projectId }: Pick<TestWorld, 'store' | 'projectId'>,
  id: string,
): Promise<Subscription> {
  const found = await store.findSubscription(projectId as ProjectId, id as SubscriptionId);
  if (found === null) throw new Error(`The store has no subscription ${id}.`);
  return found;
}

/** What each attempt of a subscription came to, oldest first: `paid`, or its reason. */
export async function attemptReasons({ call }: Pick<TestWorld, 'call'>, id: string): Promise<string[]> {
  const { body } = await call('GET', `/subscriptions/${id}/attempts`);
  return (body['data'] as { outcome: string; reason: string | null }[])
    .map(({ outcome, reason }) => reason ?? outcome)
    .reverse();
}

/**
 * Subscribes a wallet that holds ten times the price and lets it miss its second month.
 * The wallet gets its money back at the end.
 * @param days how many days to work through after the missed boundary; after three the
 *    retries are spent and the subscription is stopped
 */
export async function missSecondMonth(
  world: TestWorld,
  wallet: KeyPairSigner,
  days: number,
): Promise<string> {
  const id = await world.subscribe(wallet);
  await world.take(wallet, 9n * PRICE);
  world.advance(30 * DAY);
  await world.work();
  for (let day = 0; day < days; day++) {
    world.advance(DAY);
    await world.work();
  }
  await world.give(wallet, 9n * PRICE);
  return id;
}
