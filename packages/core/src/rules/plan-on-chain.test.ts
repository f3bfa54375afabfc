import { describe, expect, it } from 'vitest';

import type { PlanView } from '../ports/index.js';
import { MADE_AT, aPlan } from '../testing/records.js';
import { plus } from './billing-periods.js';
import { mayCharge, planAsRead } from './plan-on-chain.js';
import { DAY } from '../testing/units-of-time.js';

const [soon, later] = [plus(MADE_AT, 60 * DAY), plus(MADE_AT, 90 * DAY)];
const plan = aPlan({ endsAt: later, pullers: ['charger'] });
const view: PlanView = {
  owner: plan.owner,
  mint: plan.mint,
  amount: plan.amount,
  periodHours: plan.periodHours,
  createdAt: MADE_AT,
  endsAt: later,
  sunset: false,
  destinations: [],
  pullers: ['charger'],
};

// plans#plan-changes-in-reads
describe('a plan as a read of the chain shows it', () => {
  it('is the record itself when nothing changed', () => {
    expect(planAsRead(plan, view)).toBe(plan);
  });

  it.each<[string, Partial<PlanView>, object]>([
    ['an earlier end', { endsAt: soon }, { endsAt: soon, status: 'active' }],
    ['a sunset', { sunset: true }, { endsAt: later, status: 'sunset' }],
    ['other pullers', { pullers: ['another'] }, { pullers: ['another'] }],
    ['another plan at the address', { createdAt: plus(MADE_AT, 1000) }, { status: 'closed', endsAt: later }],
  ])('follows %s', (_, changed, expected) => {
    expect(planAsRead(plan, { ...view, ...changed })).toMatchObject(expected);
  });

  it.each<[string, Partial<PlanView>]>([
    ['a later end', { endsAt: plus(later, DAY) }],
    ['no end', { endsAt: null }],
  ])('does not follow %s, which only a node that lags shows', (_, changed) => {
    expect(planAsRead(plan, { ...view, ...changed })).toBe(plan);
  });

  it('keeps a sunset that a node does not show', () => {
    const sunset = { ...plan, status: 'sunset' } as const;
    expect(planAsRead(sunset, view)).toBe(sunset);
  });

  it('takes an end that the record does not have', () => {
    expect(planAsRead({ ...plan, endsAt: null }, view)).toMatchObject({ endsAt: later });
  });

  it('is found again by the read after one that did not find it', () => {
    expect(planAsRead({ ...plan, goneSince: soon }, view)).toEqual(plan);
  });

  it('stays closed, and a draft stays as it is', () => {
    const over = { ...plan, status: 'closed' } as const;
    const draft = { ...plan, createdOnChainAt: null };
    expect(planAsRead(over, { ...view, endsAt: soon })).toBe(over);
    expect(planAsRead(draft, { ...view, endsAt: soon })).toBe(draft);
  });
});

// plans#plan-availability
it('may be charged by its owner and its pullers, and by any charger before it was read', () => {
  expect(mayCharge(plan, 'charger')).toBe(true);
  expect(mayCharge(plan, 'another')).toBe(false);
  expect(mayCharge(plan, plan.owner)).toBe(true);
  expect(mayCharge({ ...plan, pullers: null }, 'another')).toBe(true);
});
