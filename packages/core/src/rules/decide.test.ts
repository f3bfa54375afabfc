import { describe, expect, it } from 'vitest';

import type { ChargeView, SubscriptionView } from '../ports/index.js';
import type { Subscription } from '../records/index.js';
import type { Decision } from './decide.js';
import { decide } from './decide.js';
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

const look = (view: Partial<ChargeView>, row: Partial<Subscription> = {}, goneAgain = false) =>
  decide({ ...subscription, ...row }, plan, { ...healthy, ...view }, CHARGER, goneAgain);
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

describe('attempts#first-finding-decides: what one look at the chain decides', () => {
  it('sends what the period owes when nothing stands against it', () => {
    expect(look({})).toEqual({
      kind: 'charge',
      periodStart: E0,
      amount: plan.amount,
      missed: null,
      finding: { kind: 'send', receiverAccount: healthy.receiver.address },
    });
  });

  it('asks only what the period still owes (billing-periods#amount-due)', () => {
    expect(look(account({ periodStart: E0, pulled: 4_000_000n }))).toMatchObject({ amount: 6_000_000n });
  });

  it("waits for the chain's clock to reach the boundary (billing-periods#chain-clock-decides-due)", () => {
    expect(look({ time: plus(E0, -3000) })).toEqual({ kind: 'not_due', waitMs: 3000 });
  });

  it('charges nothing in the last two minutes of a plan, and looks when the chain shows its end (retries#last-two-minutes-of-a-plan)', () => {
    const endsAt = plus(E1, -60_000);
    const ending = { ...plan, endsAt };
    const at = (time: Date) =>
      decide(subscription, ending, { ...healthy, ...onPlan({ endsAt }), time }, CHARGER, false);
    expect(at(plus(endsAt, -121_000)).kind).toBe('charge');
    expect(at(plus(endsAt, -120_000))).toEqual({ kind: 'ending', waitMs: 121_000 });
    expect(at(endsAt)).toEqual({ kind: 'ending', waitMs: 1000 });
  });

  it('a plan that ends before the next boundary is looked at when the chain shows its end, however far ours is ahead', () => {
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
  ])('%s', (expected, view) => {
    expect(finding(look(view))).toBe(expected);
  });

  it('the owner of the plan may charge without being listed', () => {
    expect(finding(look(onPlan({ owner: CHARGER, pullers: [] })))).toBe('send');
  });

  it('a subscription that is gone is looked at again, and then closed elsewhere', () => {
    expect(look({ subscription: null })).toEqual({ kind: 'gone' });
    expect(look({ subscription: null }, {}, true)).toMatchObject({
      kind: 'ended',
      reason: 'closed_elsewhere',
    });
  });

  it.each([{ generation: 2n }, { planCreatedAt: plus(T0, 1000) }, { periodStart: plus(T0, 1000) }])(
    'another incarnation (%o) is closed elsewhere at once',
    (facts) => {
      expect(look(account(facts))).toMatchObject({ kind: 'ended', reason: 'closed_elsewhere' });
    },
  );

  it('a plan that is gone is looked at again, and then removed', () => {
    expect(look({ plan: null })).toEqual({ kind: 'gone' });
    expect(look({ plan: null }, {}, true)).toMatchObject({ kind: 'ended', reason: 'plan_removed' });
  });

  it('a plan with other terms is another plan', () => {
    expect(look(onPlan({ createdAt: plus(T0, 1000) }))).toMatchObject({
      kind: 'ended',
      reason: 'plan_replaced',
    });
    expect(look(onPlan({ amount: 1n }))).toMatchObject({ kind: 'ended', reason: 'plan_replaced' });
  });

  it('a plan ends one second past its end date, not at it', () => {
    expect(finding(look({ ...onPlan({ endsAt: E0 }), time: E0 }))).toBe('already_paid');
    expect(look({ ...onPlan({ endsAt: E0 }), time: plus(E0, 1000) })).toMatchObject({ reason: 'plan_ended' });
  });

  it('cancelled on chain: running until its expiry, over from it on', () => {
    expect(look(account({ expiresAt: E1 }))).toEqual({
      kind: 'cancelled',
      expiresAt: E1,
      waitMs: E1.getTime() - E0.getTime(),
    });
    expect(look({ ...account({ expiresAt: E1 }), time: E1 })).toEqual({
      kind: 'ended',
      reason: 'cancelled',
      cancelledUntil: E1,
    });
  });

  it('a cancellation on record that the chain no longer shows was undone', () => {
    expect(look({}, { status: 'cancelled' })).toEqual({ kind: 'resumed' });
  });

  it('a period the chain holds as paid is not charged again', () => {
    const decision = look(account({ periodStart: E0, pulled: plan.amount }));
    expect(decision).toEqual({ kind: 'already_paid', periodStart: E0, missed: null });
  });

  it('whole periods that passed are missed, once, and the current one is charged (billing-periods#missed-periods)', () => {
    const late = plus(E2, 1000);
    expect(look({ time: late })).toMatchObject({ periodStart: E2, missed: { since: E0, until: E2 } });
    expect(look({ time: late }, { missedUntil: E2 })).toMatchObject({ periodStart: E2, missed: null });
  });

  it('nothing is charged without signed terms, whatever the chain says', () => {
    expect(look({}, { termsSigned: false })).toEqual({ kind: 'terms_missing' });
  });

  it('the order of the table decides between two findings', () => {
    expect(finding(look({ ...onPlan({ pullers: [] }), mint: null }))).toBe('blocked puller_not_allowed');
    expect(finding(look({ ...mint({ paused: true }), receiver: null }))).toBe('blocked mint_paused');
    expect(finding(look({ receiver: null, source: null }))).toBe('blocked receiver_account_missing');
    expect(look({ plan: null, ...account({ expiresAt: T0 }) }, {}, true)).toMatchObject({
      reason: 'plan_removed',
    });
  });
});
