import type { KeyPairSigner } from '@solana/kit';
import type { ProjectId, Subscription, SubscriptionId } from '@subrail/core/ports';

import type { OutsideActions } from './outside-actions.js';
import { openTestWorld, type TestWorld, type TestWorldOptions } from './test-world.js';
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

/** A test world with a customer who has a subscription. */
export interface SubscribedWorld {
  readonly world: TestWorld;
  readonly wallet: KeyPairSigner;
  readonly id: string;
  /** What others can do on chain to this subscription, without the service. */
  readonly outside: OutsideActions;
}

/**
 * Opens a world with a customer who has paid the first period.
 * @param tokens what the wallet held before; ten times the price by default
 */
export async function openSubscribed(
  options: TestWorldOptions = {},
  tokens = 10n * PRICE,
): Promise<SubscribedWorld> {
  const world = await openTestWorld({ store: 'sqlite', ...options });
  const wallet = await world.wallet(tokens);
  const id = await world.subscribe(wallet);
  return { world, wallet, id, outside: await world.outside(wallet) };
}

/**
 * Opens a world with a customer whose wallet is empty since the first payment, and whose second period was just rejected.
 * `paidEnd` is when the first period ended.
 */
export async function openLate(
  options: TestWorldOptions = {},
): Promise<SubscribedWorld & { readonly paidEnd: number }> {
  const opened = await openSubscribed(options, PRICE);
  const { world, id } = opened;
  const paidEnd = Number((await storedSubscription(world, id)).paidPeriodEnd);
  // The clock of the service and that of the chain may differ, and both must have reached it.
  const earlier = Math.min(world.now().getTime(), world.chainTime(world.now()).getTime());
  world.advance(paidEnd - earlier);
  await world.work();
  return { ...opened, paidEnd };
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
