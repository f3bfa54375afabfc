import { describe, expect, it } from 'vitest';

import type { TermsFact } from '../contract/customer.js';
import { TIERS } from '../contract/tiers.js';
import type { Plan } from '../records/index.js';
import { MADE_AT, aPlan, aProject } from '../testing/records.js';
import { SeededRandom } from '../testing/seeded-random.js';
import { factsOfTerms } from './terms-facts.js';
import { type TermsFacts, termsFacts, termsMessage } from './terms.js';
import type { TokenName } from './token-name.js';

const USDC: TokenName = {
  ...{ symbol: 'USDC', name: 'USD Coin', logoUrl: null, verified: true, resembles: null, unit: 'USDC' },
};
const ENDS = new Date('2026-06-15T00:00:00.000Z');
const SOON = new Date('2026-01-20T00:00:00.000Z');

/** The terms of a plan, with the whole message. */
function message(plan: Partial<Plan> = {}, facts: Partial<TermsFacts> = {}, serviceName = 'Subrail'): string {
  const text = termsFacts({
    plan: aPlan({ name: 'Pro', amount: 5_500_000n, mint: 'MintAddress', ...plan }),
    project: aProject({ name: 'Night Library' }),
    settings: {
      serviceName,
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
    periodStart: MADE_AT,
    ...facts,
  });
  return termsMessage(text, '0123456789ab', new Date('2026-01-01T00:05:00.000Z'));
}

const joined = (facts: readonly TermsFact[]) =>
  facts.map(({ label, value }) => (label === null ? value : `${label}: ${value}`)).join('\n');

const namesOf = (text: string, folded: boolean) =>
  factsOfTerms(text)
    .filter((fact) => fact.folded === folded)
    .map(({ name }) => name);

const tokenOf = (token: Partial<TokenName>) =>
  factsOfTerms(message({}, { token: { ...USDC, ...token } })).find(({ name }) => name === 'token');

// portal#terms-as-facts
describe('the terms as facts', () => {
  it('are the lines in their order, and what a customer has to see is not folded', () => {
    const text = message({ endsAt: ENDS, website: 'https://library.example' }, { replacesApproval: true });
    expect(namesOf(text, false)).toEqual(['then', 'last_charge', 'access', 'approval']);
    expect(namesOf(text, true)).toEqual([
      ...[
        'service',
        'amount',
        'first_charge',
        'paid_to',
        'subscription',
        'token',
        'cancel',
        'plan',
        'plan_details',
        'wallet',
      ],
      ...['moves_nothing', 'nonce', 'expires'],
    ]);
    expect(factsOfTerms(text).slice(0, 3)).toEqual([
      {
        name: 'service',
        label: 'Subrail',
        value: 'terms of the subscription you are about to sign',
        folded: true,
      },
      { name: 'amount', label: 'Amount', value: '5.5 USDC every 30 days', folded: true },
      {
        name: 'first_charge',
        label: 'First charge',
        value: '5.5 USDC, now, in the transaction you sign next',
        folded: true,
      },
    ]);
  });

  it('say of a single charge that it is the first and the last', () => {
    expect(namesOf(message({ endsAt: SOON }), false)).toEqual([
      'first_charge',
      'access',
      'no_further_charge',
    ]);
  });

  it.each<[string, Partial<TokenName>, boolean]>([
    ['verified', {}, true],
    ['not verified', { verified: false }, false],
    ['nameless', { symbol: null, verified: false, unit: null }, false],
    ['like a known one', { symbol: 'USDC.', verified: false, resembles: 'USDC', unit: null }, false],
    ['named like a verified one', { symbol: 'USDC, mint MintAddress', verified: false }, false],
    ['verified, and named like another', { symbol: 'USDC, not verified' }, false],
  ])('fold only the token that is beyond doubt: %s', (_, token, folded) => {
    expect(tokenOf(token)).toMatchObject({ label: 'Token', folded });
  });

  it('are the message again when joined, whatever names it has', () => {
    const names = ['Pro', ': ', 'Amount: 0 USDC', 'Nonce', 'Wallet: x', '<b>', '"&\'', ':', ' : a: b', '💸'];
    const random = new SeededRandom(4);
    const pick = <T>(from: readonly T[]): T => from[(random.bytes(1)[0] ?? 0) % from.length] as T;
    for (let round = 0; round < 500; round++) {
      const symbol = pick(names);
      const text = message(
        {
          name: pick(names),
          endsAt: pick([null, SOON, ENDS]),
          website: pick([null, 'https://a.example/?b: c']),
        },
        {
          project: aProject({ name: pick(names), cancelUrl: pick([null, 'https://c.example']) }),
          token: { ...USDC, symbol, unit: pick([symbol, null]), verified: pick([true, false]) },
          replacesApproval: pick([true, false]),
        },
        pick(names),
      );
      const facts = factsOfTerms(text);
      expect(joined(facts)).toBe(text);
      expect(facts.map(({ name }) => name)).not.toContain('other');
      expect(facts.filter(({ name }) => name === 'amount')).toHaveLength(1);
    }
  });

  it('show a line of another form in full', () => {
    const lines = ['Tip: 100 USDC every day', 'Amount', 'Amount:5', 'amount: 5', '', 'constructor: 1'];
    const facts = factsOfTerms(['An unknown first line', ...lines].join('\n'));
    expect(facts).toEqual(
      ['An unknown first line', ...lines].map((value) => ({
        name: 'other',
        label: null,
        value,
        folded: false,
      })),
    );
  });
});
