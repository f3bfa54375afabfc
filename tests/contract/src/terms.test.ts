import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, PERIOD, SECOND } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

// terms#lines-of-the-terms
describe('terms', () => {
  // terms#amounts-in-the-terms, terms#dates-in-the-terms
  it('state one fact a line, in this order', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { terms } = await scenario.issue(wallet);
    expect(terms.message.split('\n')).toEqual([
      'Subrail: terms of the subscription you are about to sign',
      'Amount: 5 tokens every 7 days',
      'First charge: 5 tokens, now, in the transaction you sign next',
      'Then: 5 tokens every 7 days until you cancel',
      `Paid to: ${scenario.owner.address}`,
      'Subscription: Pro, Night Library',
      `Token: mint ${scenario.token.mint}`,
      expect.stringMatching(/^Cancel any time: http/),
      expect.stringMatching(/^Plan: [1-9A-HJ-NP-Za-km-z]+$/),
      `Wallet: ${wallet.address}`,
      'Signing this message moves nothing by itself.',
      expect.stringMatching(/^Nonce: [0-9a-f]{12}$/),
      `Expires: ${terms.expires_at}`,
    ]);
    const life = new Date(terms.expires_at).getTime() - suite.control.now().getTime();
    expect(Math.abs(life - 5 * MINUTE)).toBeLessThan(2 * SECOND);
  });

  // terms#terms-of-a-plan-end, terms#dates-in-the-terms
  it('say of a plan with an end that the last charge is in full and that access stops', async () => {
    const scenario = await suite.scenario({ endsAfter: 3 * PERIOD });
    suite.control.setToken(scenario.token.mint, { symbol: 'USDX', name: 'Dollar X', logoUrl: null });
    const { terms } = await scenario.issue(await scenario.wallet());
    const ends = String((await scenario.api.get('/plans/pro')).body['ends_at']).slice(0, 10);
    expect(terms.message.split('\n').slice(3, 6)).toEqual([
      `Then: 5 USDX every 7 days until you cancel or the plan ends on ${ends}`,
      'Last charge: 5 USDX, in full, for the last period that starts before the plan ends',
      `Access: stops on ${ends} when the plan ends, even if a paid period is not over`,
    ]);
  });

  // terms#terms-of-a-single-charge
  it('say that the charge is single when the plan ends before a second could be made', async () => {
    const scenario = await suite.scenario({ endsAfter: PERIOD + 5 * MINUTE + SECOND });
    await suite.control.pass(DAY);
    const { terms } = await scenario.issue(await scenario.wallet());
    const ends = String((await scenario.api.get('/plans/pro')).body['ends_at']).slice(0, 10);
    expect(terms.message.split('\n').slice(1, 5)).toEqual([
      'Amount: 5 tokens, a single charge',
      'Single charge: 5 tokens, in full, now, in the transaction you sign next',
      `Access: runs until ${ends} when the plan ends`,
      `No further charge: the plan ends on ${ends}`,
    ]);
  });
});
