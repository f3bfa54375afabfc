import { describe, expect, it } from 'vitest';

import type { ChargeView, SubscriptionView } from '../ports/index.js';
import type { Subscription } from '../records/index.js';
import { type Decision, decide } from './decide.js';
import { periodFrom, plus } from './billing-periods.js';
import { MADE_AT as T0, aPlan, aSubscription, anAddress } from '../testing/records.js';

const CHARGER = anAddress();
const AUTHORITY = anAddress();
const plan = aPlan();
const E0 = periodFrom(T0, plan).end;
const E1 = periodFrom(E0, plan).end;
const E2 = periodFrom(E1, plan).end;
const subscription = aSubscription({ planId: plan.id });

/** A subscription account in the period that was paid at T0. */
const onChain: SubscriptionView = {
  generation: 1n,
  planCreatedAt: T0,
  payer: subscription.wallet,
  amount: plan.amount,
  periodHours: plan.periodHours,
  periodStart: T0,
  pulled: plan.amount,
  expiresAt: null,
};

/** Everything as it should be for a charge that is due. */
const healthy = {
  slot: 1n,
  time: E0,
  plan: {
    owner: plan.owner,
    mint: plan.mint,
    amount: plan.amount,
    periodHours: plan.periodHours,
    createdAt: T0,
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
  mint: { tokenProgram: plan.tokenProgram, decimals: 6, paused: false, hookProgram: null },
} satisfies ChargeView;

const decided = (view: Partial<ChargeView>, facts: Partial<Subscription> = {}, goneBefore = false) =>
  decide({ ...subscription, ...facts }, plan, { ...healthy, ...view }, CHARGER, goneBefore);
const account = (facts: Partial<SubscriptionView>) => ({ subscription: { ...onChain, ...facts } });
const onPlan = (facts: Partial<NonNullable<ChargeView['plan']>>) => ({
  plan: { ...healthy.plan, ...facts },
});
const source = (facts: Partial<NonNullable<ChargeView['source']>>) => ({
  source: { ...healthy.source, ...facts },
});
const receiver = (facts: Partial<NonNullable<ChargeView['receiver']>>) => ({
  receiver: { ...healthy.receiver, ...facts },
});
const mint = (facts: Partial<NonNullable<ChargeView['mint']>>) => ({ mint: { ...healthy.mint, ...facts } });

function finding(decision: Decision): string {
  if (decision.kind !== 'charge') return decision.kind;
  return decision.finding.kind === 'send' ? 'send' : `${decision.finding.kind} ${decision.finding.reason}`;
}

// attempts#first-finding-decides
describe('what one read of the chain decides', () => {
  it('sends what the period owes when nothing is found against it', () => {
    expect(decided({})).toEqual({
      kind: 'charge',
      periodStart: E0,
      amount: plan.amount,
      missed: null,
      finding: { kind: 'send', receiverAccount: healthy.receiver.address },
    });
  });

  // billing-periods#amount-due
  it('asks only for what the period still owes', () => {
    expect(decided(account({ periodStart: E0, pulled: 4_000_000n }))).toMatchObject({ amount: 6_000_000n });
  });

  // billing-periods#chain-clock-decides-due
  it("waits for the chain's clock to reach the boundary", () => {
    expect(decided({ time: plus(E0, -3000) })).toEqual({ kind: 'not_due', waitMs: 3000 });
  });

  // retries#last-two-minutes-of-a-plan
  it('charges nothing in the last two minutes of a plan, and reads the chain again when it shows the end', () => {
    const endsAt = plus(E1, -60_000);
    const ending = { ...plan, endsAt };
    const at = (time: Date) =>
      decide(subscription, ending, { ...healthy, ...onPlan({ endsAt }), time }, CHARGER, false);
    expect(at(plus(endsAt, -121_000)).kind).toBe('charge');
    expect(at(plus(endsAt, -120_000))).toEqual({ kind: 'ending', waitMs: 121_000 });
    expect(at(endsAt)).toEqual({ kind: 'ending', waitMs: 1000 });
  });

  it('reads the chain when it shows the end of a plan that ends before the next boundary, however far our clock is ahead', () => {
    const endsAt = plus(E0, -10 * 86_400_000);
    const ending = { ...plan, endsAt };
    const view = { ...healthy, ...onPlan({ endsAt }), time: plus(endsAt, -2000) };
    expect(decide(subscription, ending, view, CHARGER, false)).toEqual({ kind: 'not_due', waitMs: 3000 });
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
    expect(finding(decided(view))).toBe(expected);
  });

  it('lets the owner of the plan charge without being listed as a puller', () => {
    expect(finding(decided(onPlan({ owner: CHARGER, pullers: [] })))).toBe('send');
  });

  // attempts#gone-needs-two-reads
  it('ends a subscription as closed elsewhere when a second read finds it gone too', () => {
    expect(decided({ subscription: null })).toEqual({ kind: 'gone' });
    expect(decided({ subscription: null }, {}, true)).toMatchObject({
      kind: 'ended',
      reason: 'closed_elsewhere',
    });
  });

  // attempts#same-account-or-another
  it.each([{ generation: 2n }, { planCreatedAt: plus(T0, 1000) }, { periodStart: plus(T0, 1000) }])(
    'ends a subscription as closed elsewhere when another incarnation (%o) is at its address',
    (facts) => {
      expect(decided(account(facts))).toMatchObject({ kind: 'ended', reason: 'closed_elsewhere' });
    },
  );

  // attempts#gone-needs-two-reads
  it('ends a subscription as removed with its plan when a second read finds the plan gone too', () => {
    expect(decided({ plan: null })).toEqual({ kind: 'gone' });
    expect(decided({ plan: null }, {}, true)).toMatchObject({ kind: 'ended', reason: 'plan_removed' });
  });

  // attempts#plan-terms-that-differ
  it('ends a subscription whose plan was replaced by one with other terms', () => {
    expect(decided(onPlan({ createdAt: plus(T0, 1000) }))).toMatchObject({
      kind: 'ended',
      reason: 'plan_replaced',
    });
    expect(decided(onPlan({ amount: 1n }))).toMatchObject({ kind: 'ended', reason: 'plan_replaced' });
  });

  it('ends a subscription one second past the end of its plan, and not at the end', () => {
    expect(finding(decided({ ...onPlan({ endsAt: E0 }), time: E0 }))).toBe('already_paid');
    expect(decided({ ...onPlan({ endsAt: E0 }), time: plus(E0, 1000) })).toMatchObject({
      reason: 'plan_ended',
    });
  });

  // attempts#cancelled-outside-the-service
  it('finds a cancellation on chain that runs until its expiry and is over from then on', () => {
    expect(decided(account({ expiresAt: E1 }))).toEqual({
      kind: 'cancelled',
      expiresAt: E1,
      waitMs: E1.getTime() - E0.getTime(),
    });
    expect(decided({ ...account({ expiresAt: E1 }), time: E1 })).toEqual({
      kind: 'ended',
      reason: 'cancelled',
      cancelledUntil: E1,
    });
  });

  it('finds that a cancellation on record was undone when the chain no longer shows it', () => {
    expect(decided({}, { status: 'cancelled' })).toEqual({ kind: 'resumed' });
  });

  // attempts#period-already-paid
  it('does not charge a period again that the chain holds as paid', () => {
    const decision = decided(account({ periodStart: E0, pulled: plan.amount }));
    expect(decision).toEqual({ kind: 'already_paid', periodStart: E0, missed: null });
  });

  // billing-periods#missed-periods
  it('records whole periods that passed as missed, once, and charges the current one', () => {
    const late = plus(E2, 1000);
    expect(decided({ time: late })).toMatchObject({ periodStart: E2, missed: { since: E0, until: E2 } });
    expect(decided({ time: late }, { missedUntil: E2 })).toMatchObject({ periodStart: E2, missed: null });
  });

  // attempts#charges-need-signed-terms
  it('charges nothing without signed terms, whatever the chain says', () => {
    expect(decided({}, { termsSigned: false })).toEqual({ kind: 'terms_missing' });
  });

  it('lets the order of the table decide between two findings', () => {
    expect(finding(decided({ ...onPlan({ pullers: [] }), mint: null }))).toBe('blocked puller_not_allowed');
    expect(finding(decided({ ...mint({ paused: true }), receiver: null }))).toBe('blocked mint_paused');
    expect(finding(decided({ receiver: null, source: null }))).toBe('blocked receiver_account_missing');
    expect(decided({ plan: null, ...account({ expiresAt: T0 }) }, {}, true)).toMatchObject({
      reason: 'plan_removed',
    });
  });
});
