import { describe, expect, it } from 'vitest';

import type { ChargeView, SubscriptionView } from '../ports/index.js';
import type { Subscription } from '../records/index.js';
import { type Decision, decide, decideCheck } from './decide.js';
import { periodFrom, plus } from './billing-periods.js';
import { MADE_AT as START, aPlan, aSubscription, anAddress } from '../testing/records.js';

const CHARGER = anAddress();
const AUTHORITY = anAddress();
const plan = aPlan();
const BOUNDARY_1 = periodFrom(START, plan).end;
const BOUNDARY_2 = periodFrom(BOUNDARY_1, plan).end;
const BOUNDARY_3 = periodFrom(BOUNDARY_2, plan).end;
const subscription = aSubscription({ planId: plan.id });

/** The subscription account on chain after the payment of the period from START. */
const onChain: SubscriptionView = {
  generation: 1n,
  planCreatedAt: START,
  payer: subscription.wallet,
  amount: plan.amount,
  periodHours: plan.periodHours,
  periodStart: START,
  pulled: plan.amount,
  expiresAt: null,
};

/** A read of the chain that shows no obstacle to the charge that is due at BOUNDARY_1. */
const healthy = {
  slot: 1n,
  time: BOUNDARY_1,
  plan: {
    owner: plan.owner,
    mint: plan.mint,
    amount: plan.amount,
    periodHours: plan.periodHours,
    createdAt: START,
    endsAt: null,
    sunset: false,
    destinations: [],
    pullers: [CHARGER],
  },
  subscription: onChain,
  authority: { address: AUTHORITY, generation: 1n },
  source: {
    owner: subscription.wallet,
    balance: plan.amount,
    frozen: false,
    guarded: false,
    delegate: AUTHORITY,
    delegatedAmount: 2n ** 64n - 1n,
  },
  receiver: {
    address: anAddress(),
    owner: plan.owner,
    frozen: false,
    needsMemo: false,
    confidentialOnly: false,
  },
  mint: {
    tokenProgram: plan.tokenProgram,
    decimals: 6,
    paused: false,
    transferable: true,
    hookProgram: null,
  },
} satisfies ChargeView;

const decisionFor = (view: Partial<ChargeView>, changed: Partial<Subscription> = {}, goneBefore = false) =>
  decide({ ...subscription, ...changed }, plan, { ...healthy, ...view }, CHARGER, goneBefore);
const account = (changed: Partial<SubscriptionView>) => ({ subscription: { ...onChain, ...changed } });
const onPlan = (changed: Partial<NonNullable<ChargeView['plan']>>) => ({
  plan: { ...healthy.plan, ...changed },
});
const source = (changed: Partial<NonNullable<ChargeView['source']>>) => ({
  source: { ...healthy.source, ...changed },
});
const receiver = (changed: Partial<NonNullable<ChargeView['receiver']>>) => ({
  receiver: { ...healthy.receiver, ...changed },
});
const mint = (changed: Partial<NonNullable<ChargeView['mint']>>) => ({
  mint: { ...healthy.mint, ...changed },
});

/** A missed first period whose retries are made by hand. */
const lateByHand = (deadline: Date | null, queuedAt: Date | null): Partial<Subscription> => ({
  status: 'unpaid',
  late: {
    periodStart: BOUNDARY_1,
    graceUntil: null,
    automatic: null,
    deadline,
    byHand: { count: 0, lastAt: null },
    queuedAt,
  },
});

function finding(decision: Decision): string {
  if (decision.kind !== 'charge') return decision.kind;
  return decision.finding.kind === 'send' ? 'send' : `${decision.finding.kind} ${decision.finding.reason}`;
}

// attempts#account-remade-on-the-same-grid, attempts#same-account-or-another
describe('an account that the wallet closed and made again', () => {
  it.each([
    ['on the second of the boundary', 0],
    ['a second later', 1],
    ['20 seconds later', 20],
    ['20 seconds before it', -20],
  ])('is never charged as the old one when it was made %s', (_, seconds) => {
    const remade = account({ periodStart: plus(BOUNDARY_1, seconds * 1000), pulled: 0n });
    const view = { ...remade, time: plus(BOUNDARY_1, 60_000) };
    expect(decisionFor(view)).toMatchObject({ kind: 'ended', reason: 'closed_elsewhere' });
    expect(decideCheck(subscription, plan, { ...healthy, ...view }, false)).toMatchObject({
      kind: 'ended',
      reason: 'closed_elsewhere',
    });
  });

  it('is told from one whose period somebody else paid in part', () => {
    expect(decisionFor(account({ periodStart: BOUNDARY_1, pulled: 1n }))).toMatchObject({ kind: 'charge' });
  });
});

// plans#daily-read-of-subscriptions
describe('what a read decides that is made although nothing is due', () => {
  const check = (view: Partial<ChargeView>, changed: Partial<Subscription> = {}, goneBefore = false) =>
    decideCheck({ ...subscription, ...changed }, plan, { ...healthy, ...view }, goneBefore);
  const expiresAt = plus(BOUNDARY_1, 1);

  it('never charges and never waits for a date of its own', () => {
    expect(check({})).toEqual({ kind: 'unchanged', wait: null });
    expect(check({ source: null, ...onPlan({ pullers: [] }) })).toEqual({ kind: 'unchanged', wait: null });
  });

  it('waits until the chain shows the end of the plan', () => {
    const endsAt = plus(BOUNDARY_1, 10_000);
    expect(check(onPlan({ endsAt }))).toEqual({
      kind: 'unchanged',
      wait: { until: plus(endsAt, 1000), lookAgainMs: 11_000 },
    });
  });

  it.each<[string, Partial<ChargeView>, boolean, object]>([
    ['an account that reads as gone', { subscription: null }, false, { kind: 'gone' }],
    ['an account that is gone', { subscription: null }, true, { kind: 'ended', reason: 'closed_elsewhere' }],
    ['a plan that reads as gone', { plan: null }, false, { kind: 'gone' }],
    ['a plan that is gone', { plan: null }, true, { kind: 'ended', reason: 'plan_removed' }],
    ['another plan', onPlan({ createdAt: BOUNDARY_1 }), false, { kind: 'ended', reason: 'plan_replaced' }],
    [
      'the end of the plan',
      onPlan({ endsAt: plus(BOUNDARY_1, -1000) }),
      false,
      { kind: 'ended', reason: 'plan_ended' },
    ],
    ['a cancellation', account({ expiresAt }), false, { kind: 'cancelled', expiresAt }],
    [
      'a cancellation that took effect',
      account({ expiresAt: BOUNDARY_1 }),
      false,
      { kind: 'ended', reason: 'cancelled', cancelledUntil: BOUNDARY_1 },
    ],
  ])('finds %s', (_, view, goneBefore, expected) => {
    expect(check(view, {}, goneBefore)).toMatchObject(expected);
  });

  it('finds a cancellation that was undone', () => {
    const cancellation = { confirmedAt: START, expiresAt: BOUNDARY_1, behind: false, lapse: null };
    expect(check({}, { status: 'cancelled', cancellation })).toEqual({ kind: 'resumed' });
  });
});

// attempts#first-finding-decides
describe('what one read of the chain decides', () => {
  it('charges the amount due when the read shows no obstacle', () => {
    expect(decisionFor({})).toEqual({
      kind: 'charge',
      periodStart: BOUNDARY_1,
      amount: plan.amount,
      missed: null,
      finding: { kind: 'send', receiverAccount: healthy.receiver.address },
      walletCannotPay: null,
    });
  });

  // billing-periods#amount-due
  it('charges only the rest of a period that is partly paid', () => {
    expect(decisionFor(account({ periodStart: BOUNDARY_1, pulled: 4_000_000n }))).toMatchObject({
      amount: 6_000_000n,
    });
  });

  // billing-periods#chain-clock-decides-due
  it("waits for the chain's clock to reach the boundary", () => {
    expect(decisionFor({ time: plus(BOUNDARY_1, -3000) })).toEqual({
      kind: 'not_due',
      wait: { until: BOUNDARY_1, lookAgainMs: 3000 },
    });
  });

  // retries#last-two-minutes-of-a-plan
  it('charges nothing in the last two minutes of a plan, and waits until the chain shows its end', () => {
    const endsAt = plus(BOUNDARY_2, -60_000);
    const ending = { ...plan, endsAt };
    const at = (time: Date) =>
      decide(subscription, ending, { ...healthy, ...onPlan({ endsAt }), time }, CHARGER, false);
    expect(at(plus(endsAt, -121_000)).kind).toBe('charge');
    expect(at(plus(endsAt, -120_000))).toEqual({
      kind: 'ending',
      wait: { until: plus(endsAt, 1000), lookAgainMs: 60_000 },
    });
    expect(at(endsAt)).toEqual({ kind: 'ending', wait: { until: plus(endsAt, 1000), lookAgainMs: 1000 } });
  });

  it('waits until the chain shows the end of a plan that ends before the next boundary', () => {
    const endsAt = plus(BOUNDARY_1, -10 * 86_400_000);
    const ending = { ...plan, endsAt };
    const view = { ...healthy, ...onPlan({ endsAt }), time: plus(endsAt, -2000) };
    expect(decide(subscription, ending, view, CHARGER, false)).toEqual({
      kind: 'not_due',
      wait: { until: plus(endsAt, 1000), lookAgainMs: 3000 },
    });
  });

  // billing-periods#waiting-for-the-chain-clock
  it("looks again after a minute when the chain's clock is far behind the boundary", () => {
    expect(decisionFor({ time: plus(BOUNDARY_1, -6 * 3_600_000) })).toEqual({
      kind: 'not_due',
      wait: { until: BOUNDARY_1, lookAgainMs: 60_000 },
    });
  });

  // retries#retry-deadline-on-free
  it("judges the deadline of manual retries by the chain's clock, unless one is queued", () => {
    const deadline = plus(BOUNDARY_2, -120_000);
    const late = (queuedAt: Date | null) => lateByHand(deadline, queuedAt);
    const before = { time: plus(deadline, -1000) };
    expect(decisionFor(before, late(null))).toEqual({
      kind: 'not_due',
      wait: { until: deadline, lookAgainMs: 1000 },
    });
    expect(decisionFor({ time: deadline }, late(null))).toEqual({ kind: 'retry_deadline_passed' });
    expect(decisionFor(before, late(BOUNDARY_1))).toMatchObject({ kind: 'charge' });
    expect(decisionFor({ time: deadline }, late(BOUNDARY_1))).toMatchObject({ kind: 'charge' });
  });

  // retries#deadline-that-passed-unnoticed
  it('leaves a missed period without a deadline until the chain shows its end, unless a retry is queued', () => {
    const late = (queuedAt: Date | null) => lateByHand(null, queuedAt);
    const before = { time: plus(BOUNDARY_2, -1000) };
    expect(decisionFor(before, late(null))).toEqual({
      kind: 'not_due',
      wait: { until: BOUNDARY_2, lookAgainMs: 1000 },
    });
    expect(decisionFor({ time: BOUNDARY_2 }, late(null))).toMatchObject({
      kind: 'charge',
      periodStart: BOUNDARY_2,
    });
    expect(decisionFor(before, late(BOUNDARY_1))).toMatchObject({ kind: 'charge', periodStart: BOUNDARY_1 });
  });

  // billing-periods#missed-periods-under-a-block
  it('records no missed period while the setup of the plan blocks the charge', () => {
    const nextDay = { time: plus(BOUNDARY_2, 86_400_000) };
    expect(decisionFor(nextDay)).toMatchObject({ missed: { since: BOUNDARY_1, until: BOUNDARY_2 } });
    expect(decisionFor({ ...nextDay, ...mint({ paused: true }) })).toMatchObject({
      missed: null,
      finding: { reason: 'mint_paused' },
    });
  });

  // retries#manual-retry-under-a-block
  it('says why the wallet cannot pay, also while the setup of the plan blocks the charge', () => {
    expect(decisionFor({ ...mint({ paused: true }), source: null })).toMatchObject({
      finding: { kind: 'blocked', reason: 'mint_paused' },
      walletCannotPay: 'insufficient_balance',
    });
  });

  it.each<[string, Partial<ChargeView>]>([
    ['blocked puller_not_allowed', onPlan({ pullers: [] })],
    ['blocked mint_gone', { mint: null }],
    ['blocked mint_paused', mint({ paused: true })],
    ['blocked mint_transfer_hook', mint({ hookProgram: anAddress() })],
    ['blocked receiver_not_allowed', onPlan({ destinations: [anAddress()] })],
    ['blocked receiver_account_missing', { receiver: null }],
    ['blocked receiver_account_frozen', receiver({ frozen: true })],
    ['blocked receiver_account_needs_memo', receiver({ needsMemo: true })],
    ['blocked receiver_account_confidential_only', receiver({ confidentialOnly: true })],
    ['rejected program_103', { authority: { address: AUTHORITY, generation: null } }],
    ['rejected program_136', { authority: { address: AUTHORITY, generation: 2n } }],
    ['rejected authority_closed', { authority: { address: AUTHORITY, generation: null }, source: null }],
    [
      'rejected authority_closed',
      { authority: { address: AUTHORITY, generation: 2n }, ...source({ balance: 1n }) },
    ],
    ['rejected insufficient_balance', { source: null }],
    ['rejected insufficient_balance', source({ balance: plan.amount - 1n })],
    ['rejected token_account_reassigned', source({ owner: anAddress() })],
    ['rejected token_account_frozen', source({ frozen: true })],
    ['rejected program_4', source({ delegate: null })],
    ['rejected program_4', source({ delegate: anAddress() })],
    ['rejected program_1', source({ delegatedAmount: plan.amount - 1n })],
  ])('finds %s', (expected, view) => {
    expect(finding(decisionFor(view))).toBe(expected);
  });

  it('lets the owner of the plan charge without being listed as a puller', () => {
    expect(finding(decisionFor(onPlan({ owner: CHARGER, pullers: [] })))).toBe('send');
  });

  // attempts#gone-needs-two-reads
  it('ends a subscription as closed elsewhere when a second read finds it gone too', () => {
    expect(decisionFor({ subscription: null })).toEqual({ kind: 'gone' });
    expect(decisionFor({ subscription: null }, {}, true)).toMatchObject({
      kind: 'ended',
      reason: 'closed_elsewhere',
    });
  });

  // attempts#same-account-or-another
  it.each([{ generation: 2n }, { planCreatedAt: plus(START, 1000) }, { periodStart: plus(START, 1000) }])(
    'ends a subscription as closed elsewhere when its address has another incarnation (%o)',
    (changed) => {
      expect(decisionFor(account(changed))).toMatchObject({ kind: 'ended', reason: 'closed_elsewhere' });
    },
  );

  // attempts#gone-needs-two-reads
  it('ends a subscription as removed with its plan when a second read finds the plan gone too', () => {
    expect(decisionFor({ plan: null })).toEqual({ kind: 'gone' });
    expect(decisionFor({ plan: null }, {}, true)).toMatchObject({ kind: 'ended', reason: 'plan_removed' });
  });

  // attempts#plan-terms-that-differ
  it('ends a subscription whose plan was replaced by one with other terms', () => {
    expect(decisionFor(onPlan({ createdAt: plus(START, 1000) }))).toMatchObject({
      kind: 'ended',
      reason: 'plan_replaced',
    });
    expect(decisionFor(onPlan({ amount: 1n }))).toMatchObject({ kind: 'ended', reason: 'plan_replaced' });
  });

  it('ends a subscription one second after the end of its plan, and not at the end', () => {
    expect(finding(decisionFor({ ...onPlan({ endsAt: BOUNDARY_1 }), time: BOUNDARY_1 }))).toBe(
      'already_paid',
    );
    expect(decisionFor({ ...onPlan({ endsAt: BOUNDARY_1 }), time: plus(BOUNDARY_1, 1000) })).toMatchObject({
      reason: 'plan_ended',
    });
  });

  // attempts#cancelled-outside-the-service
  it('finds a cancellation on chain until it expires, and ends the subscription from its expiry on', () => {
    expect(decisionFor(account({ expiresAt: BOUNDARY_2 }))).toEqual({
      kind: 'cancelled',
      expiresAt: BOUNDARY_2,
      wait: { until: BOUNDARY_2, lookAgainMs: 60_000 },
    });
    expect(decisionFor({ ...account({ expiresAt: BOUNDARY_2 }), time: BOUNDARY_2 })).toEqual({
      kind: 'ended',
      reason: 'cancelled',
      cancelledUntil: BOUNDARY_2,
    });
  });

  it('finds that a cancellation on record was undone when the chain no longer shows it', () => {
    expect(decisionFor({}, { status: 'cancelled' })).toEqual({ kind: 'resumed' });
  });

  // attempts#period-already-paid
  it('does not charge a period that is already paid on chain', () => {
    const decision = decisionFor(account({ periodStart: BOUNDARY_1, pulled: plan.amount }));
    expect(decision).toEqual({ kind: 'already_paid', periodStart: BOUNDARY_1, missed: null });
  });

  // billing-periods#missed-periods
  it('records whole periods that passed as missed only once, and charges the current period', () => {
    const late = plus(BOUNDARY_3, 1000);
    expect(decisionFor({ time: late })).toMatchObject({
      periodStart: BOUNDARY_3,
      missed: { since: BOUNDARY_1, until: BOUNDARY_3 },
    });
    expect(decisionFor({ time: late }, { missedUntil: BOUNDARY_3 })).toMatchObject({
      periodStart: BOUNDARY_3,
      missed: null,
    });
  });

  // attempts#charges-need-signed-terms
  it('charges nothing without signed terms', () => {
    expect(decisionFor({}, { termsSigned: false })).toEqual({ kind: 'terms_missing' });
  });

  it('decides between two findings by the order of the table', () => {
    expect(finding(decisionFor({ ...onPlan({ pullers: [] }), mint: null }))).toBe(
      'blocked puller_not_allowed',
    );
    expect(finding(decisionFor({ ...mint({ paused: true }), receiver: null }))).toBe('blocked mint_paused');
    expect(finding(decisionFor({ receiver: null, source: null }))).toBe('blocked receiver_account_missing');
    expect(decisionFor({ plan: null, ...account({ expiresAt: START }) }, {}, true)).toMatchObject({
      reason: 'plan_removed',
    });
  });
});

// seats-and-tiers#no-charge-while-parked
describe('a parked subscription that is due', () => {
  const parked = { pausedAt: START };

  it('is not charged, and the chain is read again at the next boundary', () => {
    expect(decisionFor({}, parked)).toMatchObject({ kind: 'parked', wait: { until: BOUNDARY_2 } });
    expect(decisionFor({ time: plus(BOUNDARY_2, 5) }, parked)).toMatchObject({
      kind: 'parked',
      wait: { until: BOUNDARY_3 },
    });
  });

  it('does not stop at a deadline, and no queued retry of it runs', () => {
    const late = {
      periodStart: BOUNDARY_1,
      graceUntil: null,
      automatic: null,
      deadline: BOUNDARY_1,
      byHand: { count: 0, lastAt: null },
      queuedAt: null,
    };
    const unpaid = { ...parked, status: 'unpaid' as const };
    expect(decisionFor({}, { ...unpaid, late }).kind).toBe('parked');
    expect(decisionFor({}, { ...unpaid, late: { ...late, queuedAt: BOUNDARY_1 } }).kind).toBe('parked');
  });

  it('ends and is cancelled as any other', () => {
    expect(decisionFor({ subscription: null }, parked, true)).toMatchObject({ reason: 'closed_elsewhere' });
    expect(decisionFor(onPlan({ endsAt: START }), parked)).toMatchObject({ reason: 'plan_ended' });
    expect(decisionFor(account({ expiresAt: BOUNDARY_2 }), parked)).toMatchObject({ kind: 'cancelled' });
  });
});
