import { describe, expect, it } from 'vitest';

import type { Plan } from '../records/index.js';
import { plus } from './billing-periods.js';
import { namesInTerms, type TermsFacts, termsFacts, termsMessage } from './terms.js';
import type { TokenName } from './token-name.js';
import { TIERS } from '../contract/tiers.js';
import { MADE_AT as T0, aPlan, aProject } from '../testing/records.js';
import { HOUR } from '../testing/units-of-time.js';

const USDC: TokenName = {
  ...{ symbol: 'USDC', name: 'USD Coin', logoUrl: null, verified: true, resembles: null, unit: 'USDC' },
};
const UNNAMED: TokenName = { ...USDC, symbol: null, name: null, verified: false, unit: null };
const LIKE_USDC: TokenName = { ...USDC, symbol: 'wUSDC', verified: false, resembles: 'USDC', unit: null };
const base = aPlan({
  name: 'Pro',
  amount: 5_500_000n,
  address: 'PlanAddress',
  mint: 'MintAddress',
  owner: 'Owner',
});

function terms(plan: Partial<Plan> = {}, facts: Partial<TermsFacts> = {}): string[] {
  const text = termsFacts({
    plan: { ...base, ...plan },
    project: aProject({ name: 'Night Library' }),
    settings: {
      serviceName: 'Subrail',
      publicUrl: 'https://pay.example',
      tiers: TIERS,
      privateTargets: false,
      warnBelowCharges: 0,
      chargerMayOwnPlans: true,
      mailFrom: null,
    },
    wallet: 'Wallet',
    token: USDC,
    replaced: null,
    replacesApproval: false,
    periodStart: T0,
    ...facts,
  });
  return termsMessage(text, '0123456789ab', new Date('2026-01-01T00:05:00.000Z')).split('\n');
}

// terms#lines-of-the-terms
describe('the text the wallet signs', () => {
  // terms#amounts-in-the-terms
  it('names the price, the period and the parties of a plan without an end', () => {
    expect(terms()).toEqual([
      'Subrail: terms of the subscription you are about to sign',
      'Amount: 5.5 USDC every 30 days',
      'First charge: 5.5 USDC, now, in the transaction you sign next',
      'Then: 5.5 USDC every 30 days until you cancel',
      'Paid to: Owner',
      'Subscription: Pro, Night Library',
      'Token: USDC, mint MintAddress',
      'Cancel any time: https://pay.example',
      'Plan: PlanAddress',
      'Wallet: Wallet',
      'Signing this message moves nothing by itself.',
      'Nonce: 0123456789ab',
      'Expires: 2026-01-01T00:05:00.000Z',
    ]);
  });

  // terms#terms-of-a-plan-end
  // terms#dates-in-the-terms
  it('names the end of a plan, its last charge in full, and that access stops there', () => {
    const lines = terms({ endsAt: new Date('2026-06-15T00:00:00.000Z') });
    expect(lines.slice(3, 6)).toEqual([
      'Then: 5.5 USDC every 30 days until you cancel or the plan ends on 2026-06-15',
      'Last charge: 5.5 USDC, in full, for the last period that starts before the plan ends',
      'Access: stops on 2026-06-15 when the plan ends, even if a paid period is not over',
    ]);
  });

  // terms#terms-of-a-single-charge
  it('names a single charge when the plan ends before a second one', () => {
    const lines = terms({ endsAt: new Date('2026-01-20T00:00:00.000Z') });
    expect(lines.slice(1, 5)).toEqual([
      'Amount: 5.5 USDC, a single charge',
      'Single charge: 5.5 USDC, in full, now, in the transaction you sign next',
      'Access: runs until 2026-01-20 when the plan ends',
      'No further charge: the plan ends on 2026-01-20',
    ]);
  });

  // terms#terms-of-a-single-charge
  it.each([
    [-1, true],
    [0, true],
    [120_000, true],
    [121_000, false],
  ])(
    'is a single charge when the next boundary is at or past the end less two minutes (%s ms: %s)',
    (after, single) => {
      const endsAt = plus(T0, 720 * HOUR + after);
      expect(terms({ endsAt })[1]?.endsWith('a single charge')).toBe(single);
    },
  );

  // terms#period-words-in-the-terms
  it.each([
    [24, '1 day'],
    [1, '1 hour'],
    [36, '36 hours'],
    [168, '7 days'],
  ])('writes a period of %s hours as %s', (periodHours, words) => {
    expect(terms({ periodHours })[1]).toBe(`Amount: 5.5 USDC every ${words}`);
  });

  // terms#approval-line-in-the-terms
  it('names no symbol for an unknown token, and names the details of the plan and the approval that is replaced', () => {
    const lines = terms({ website: 'https://plan.example' }, { token: UNNAMED, replacesApproval: true });
    expect(lines).toContain('Amount: 5.5 tokens every 30 days');
    expect(lines).toContain('Token: mint MintAddress');
    expect(lines.slice(-6)).toEqual([
      'Plan details: https://plan.example',
      'Wallet: Wallet',
      'Approval: replaces the approval another app holds on this token',
      'Signing this message moves nothing by itself.',
      'Nonce: 0123456789ab',
      'Expires: 2026-01-01T00:05:00.000Z',
    ]);
  });

  // terms#token-in-the-terms
  it.each([
    [
      'nobody vouches for',
      { ...USDC, symbol: 'BONK', unit: 'BONK', verified: false },
      'BONK',
      'BONK, not verified, mint MintAddress',
    ],
    ['passes for another', LIKE_USDC, 'tokens', 'mint MintAddress, which is not USDC'],
  ])('say of a token whose name %s that it is so', (_, token, unit, line) => {
    const lines = terms({}, { token });
    expect(lines[1]).toBe(`Amount: 5.5 ${unit} every 30 days`);
    expect(lines).toContain(`Token: ${line}`);
  });
});

// cancel-page#what-the-page-shows
describe('the names in signed terms', () => {
  it.each([
    ['a verified token', USDC, 'USDC'],
    ['one that nobody vouches for', { ...USDC, verified: false }, 'USDC'],
    ['one that passes for another', LIKE_USDC, null],
    ['one without a name', UNNAMED, null],
  ])('are those of plan and project, and what amounts are counted in: %s', (_, token, symbol) => {
    const name = 'Pro, Night Library';
    expect(namesInTerms(terms({}, { token }).join('\n'))).toEqual({ name, symbol });
  });

  it('are none without terms', () => {
    expect(namesInTerms('')).toEqual({ name: null, symbol: null });
  });
});
