import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { expect } from 'vitest';
import type { TestWorld } from '@subrail/test-world';
import { attemptsOf } from './attempts-of.js';
import { expectFigures } from './expect-figures.js';

/**
 * Checks the invariants of docs/rules/invariants.md over the whole store and the chain.
 * @param ids every subscription that was ever made in the world
 */
export async function expectInvariants(world: TestWorld, ids: readonly string[]): Promise<void> {
  let collected = 0n;
  const paid: (string | null)[] = [];
  const landed: string[] = [];
  const receipts: number[] = [];
  for (const id of ids) {
    const seen = await expectSubscription(world, id as SubscriptionId);
    collected += seen.amount;
    paid.push(...seen.paid);
    landed.push(...seen.landed);
    receipts.push(...seen.receipts);
  }
  // invariants#landed-transfers-match-paid-attempts. A comeback may pay for a subscription that runs again.
  expect(paid.toSorted()).toEqual(landed.toSorted());
  await expectChanges(world, ids);
  // receipts#number-of-a-receipt
  expect(receipts.toSorted((one, other) => one - other)).toEqual(receipts.map((_, place) => place + 1));
  // figures#figures-equal-a-recount
  await expectFigures(world, ids);
  // management#doctor: a sound store has no findings.
  const { findings } = await world.billing.project(world.projectId).doctor.examine({ limit: 100 });
  expect(findings).toEqual([]);
  // The tokens that the owner received equal the recorded payments, to the last unit.
  expect(await world.holding(world.owner)).toBe(collected);
}

/**
 * Checks that each change of plan ends the access of the old subscription at the instant at which that of the
 * new one begins, and that only a change that may still land holds one (plan-changes#landed-change,
 * plan-changes#one-change-at-a-time).
 */
async function expectChanges(world: TestWorld, ids: readonly string[]): Promise<void> {
  const events = await world.storedEvents();
  const accessEvents = (id: string) =>
    events.filter(({ subscriptionId, type }) => subscriptionId === id && type.includes('access_'));
  for (const id of ids) {
    const old = await world.store.findSubscription(world.projectId as ProjectId, id as SubscriptionId);
    if (old === null || old.replacedById === null) continue;
    const { replacedById } = old;
    const made = await world.store.findSubscription(world.projectId as ProjectId, replacedById);
    expect(made?.previousId).toBe(id);
    if (old.endReason !== 'plan_changed') {
      expect(made?.status).toBe('pending');
      expect(await world.store.findOpenTransfer(replacedById)).not.toBeNull();
      continue;
    }
    const ended = events.find((one) => one.subscriptionId === id && one.type === 'subscription.ended');
    const [granted] = accessEvents(replacedById);
    expect(granted?.createdAt).toEqual(ended?.createdAt);
    const revoked = accessEvents(id).at(-1);
    // Access that had run out before, such as that of a late one, was revoked before.
    const { status } = (revoked?.data ?? {}) as { readonly status?: unknown };
    if (status === 'ended') expect(revoked?.createdAt).toEqual(granted?.createdAt);
    else expect(revoked?.createdAt.getTime()).toBeLessThanOrEqual(granted?.createdAt.getTime() ?? 0);
  }
}

interface Payments {
  readonly amount: bigint;
  /** Signatures of the paid attempts, and of the landed transfers. */
  readonly paid: readonly (string | null)[];
  readonly landed: readonly string[];
  /** Numbers of the receipts. */
  readonly receipts: readonly number[];
}

async function expectSubscription(world: TestWorld, id: SubscriptionId): Promise<Payments> {
  const { store, projectId } = world;
  const row = await store.findSubscription(projectId as ProjectId, id);
  if (row === null) throw new Error(`The store has no subscription ${id}.`);
  const attempts = await attemptsOf(world, id);
  const paid = attempts.filter(({ outcome }) => outcome === 'paid');
  // receipts#receipt-of-a-payment
  const receipts = attempts.flatMap(({ receiptNumber }) => receiptNumber ?? []);
  expect(receipts.length).toBe(paid.length);
  const transfers = await store.listTransfers(id, 9_999);
  const landed = transfers.filter(({ state }) => state === 'landed');

  // invariants#one-payment-per-period
  expectDistinct(paid.map(({ periodStart }) => periodStart?.getTime()));
  expectDistinct(landed.map(({ periodStart }) => periodStart?.getTime()));
  expect(transfers.filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(1);
  // invariants#paid-totals-match-attempts
  const amount = paid.reduce((sum, attempt) => sum + attempt.amount, 0n);
  expect({ count: row.paidCount, amount: row.paidAmount }).toEqual({ count: paid.length, amount });
  // invariants#no-charge-out-of-turn: nothing was charged before its boundary, by the chain's clock.
  for (const { attemptedAt, periodStart } of paid) {
    expect(world.chainTime(attemptedAt).getTime()).toBeGreaterThanOrEqual(periodStart?.getTime() ?? 0);
  }

  const { body } = await world.call('GET', `/subscriptions/${id}`);
  // invariants#no-access-once-ended, invariants#no-access-past-its-date
  if (['ended', 'stopped', 'failed', 'expired', 'superseded', 'pending'].includes(String(body['status']))) {
    expect(body['access']).toBe(false);
  }
  expect(body['access_until'] === null).toBe(!body['access']);
  const until = body['access_until'];
  if (typeof until === 'string') expect(Date.parse(until)).toBeGreaterThan(world.now().getTime());

  // invariants#access-events-alternate, and the sequence has no gap and no repeat.
  const events = (await world.storedEvents()).filter(({ subscriptionId }) => subscriptionId === id);
  const inOrder = events.toSorted((a, b) => a.sequence - b.sequence);
  expect(inOrder.map(({ sequence }) => sequence)).toEqual(inOrder.map((_, index) => index + 1));
  const granted = inOrder
    .filter(({ type }) => type.includes('access_'))
    .map(({ type }) => type.endsWith('granted'));
  expect(granted).toEqual(granted.map((_, index) => index % 2 === 0));
  expect(row.lastAnnouncedAccess).toBe(granted.length % 2 === 1);
  for (const [before, after] of pairs(inOrder)) {
    expect(after.createdAt.getTime()).toBeGreaterThanOrEqual(before.createdAt.getTime());
  }
  // invariants#timed-work-has-a-wake-date
  if (body['access'] === true || row.status === 'pending' || row.status === 'unpaid') {
    expect(row.wakeAt).not.toBeNull();
  }
  return {
    amount,
    paid: paid.map(({ signature }) => signature),
    landed: landed.map(({ signature }) => signature),
    receipts,
  };
}

function expectDistinct(values: readonly unknown[]): void {
  expect(new Set(values).size).toBe(values.length);
}

function pairs<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.slice(1).map((item, index) => [items[index] as T, item] as const);
}
