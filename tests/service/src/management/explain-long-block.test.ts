import type { Attempt, ProjectId, Subscription, SubscriptionId } from '@subrail/core/ports';
import { aCommit, anAttempt } from '@subrail/core/testing';
import { MINUTE, DAY, openSubscriber, PRICE, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

/** The boundary at which the second period of the subscription begins. */
const BOUNDARY = 30 * DAY;

let world: TestWorld;
let id: SubscriptionId;
let stored: Subscription;

beforeEach(async () => {
  const subscriber = await openSubscriber('paid', {
    store: 'memory',
    customer: 'reader',
    tokens: 50n * PRICE,
  });
  ({ world } = subscriber);
  id = subscriber.id as SubscriptionId;
  const found = await world.store.findSubscription(world.projectId as ProjectId, id);
  if (found === null) throw new Error('The subscription is not stored.');
  stored = found;
});

const sinceStart = (ms: number): Date => new Date((stored.paidPeriodStart?.getTime() ?? 0) + ms);

/** Tries of a block, one every ten minutes from a date on. */
function blocks(count: number, from: number, reason = 'mint_paused'): readonly Attempt[] {
  return Array.from({ length: count }, (_, index) =>
    anAttempt({
      subscriptionId: id,
      outcome: 'blocked',
      reason,
      signature: null,
      attemptedAt: sinceStart(from + index * 10 * MINUTE),
    }),
  );
}

/** Stores a block that lasts, with what was tried until now. */
async function block(from: number, attempts: readonly Attempt[], fields: Partial<Subscription> = {}) {
  const blocked: Subscription = {
    ...stored,
    blockedReason: 'mint_paused',
    blockedSince: sinceStart(from),
    version: stored.version + 1,
    ...fields,
  };
  expect(await world.store.commit([aCommit(blocked, { attempts })])).toBe('committed');
  world.advance(from + 40 * DAY);
  const { happened, to_do } = await world.billing.project(world.projectId).subscriptions.explain(id);
  return {
    happened: happened.map(({ at, what }) => `${at} ${what}`),
    toDo: to_do.map(({ who, what }) => `${who}: ${what}`),
  };
}

const FAILED = "A charge could not be made: the token's issuer paused all transfers (mint_paused)";

// management#subscription-explained
describe('a subscription that was blocked for long', () => {
  it('is explained with all tries of the block, and with what was before it', async () => {
    const payment = anAttempt({ subscriptionId: id, attemptedAt: sinceStart(-DAY), periodStart: null });
    const { happened } = await block(BOUNDARY, [payment, ...blocks(130, BOUNDARY)]);
    expect(happened[0]).toBe(`${sinceStart(BOUNDARY).toISOString()} ${FAILED}, 130 times in a row.`);
    expect(happened.join('\n')).toContain(`${sinceStart(-DAY).toISOString()} A charge was paid: 10 tokens.`);
  });

  it('is told what to do about the late payment from before the block', async () => {
    const rejected = anAttempt({
      subscriptionId: id,
      outcome: 'rejected',
      reason: 'token_account_frozen',
      signature: null,
      attemptedAt: sinceStart(BOUNDARY),
    });
    const { toDo } = await block(BOUNDARY + DAY, [rejected, ...blocks(130, BOUNDARY + DAY)], {
      status: 'unpaid',
      late: {
        periodStart: sinceStart(BOUNDARY),
        graceUntil: sinceStart(BOUNDARY + 7 * DAY),
        automatic: { spent: 0, allowed: 3, waitMs: DAY, nextAt: sinceStart(BOUNDARY + DAY) },
        deadline: null,
        byHand: { count: 0, lastAt: null },
        queuedAt: null,
      },
    });
    expect(toDo.join('\n')).toContain("token_issuer: Thaw the wallet's account for the token");
  });

  it('is explained with no more tries than can be read soon, and says so', async () => {
    const { happened } = await block(BOUNDARY, blocks(5_001, BOUNDARY));
    expect(happened[0]).toBe(
      `${sinceStart(BOUNDARY).toISOString()} ${FAILED}, at least 5000 times in a row.`,
    );
  });
});
