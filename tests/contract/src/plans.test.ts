import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, PERIOD, statusAndCode } from './scenario.js';
import type { Body } from './client.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('project', () => {
  // seats-and-tiers#tier-limits, seats-and-tiers#project-on-the-wire
  it.each(['free', 'dev', 'business'] as const)(
    'GET /v1/project answers the project of the key, of tier %s',
    async (tier) => {
      const scenario = await suite.scenario({ tier });
      const answer = await scenario.api.get('/project');
      expect(answer.body).toEqual({
        id: scenario.projectId,
        name: 'Night Library',
        network: 'devnet',
        tier,
        created_at: answer.body['created_at'],
      });
    },
  );
});

describe('plans', () => {
  // lists#lists-without-pages
  it('GET /v1/plans answers every published plan, active or sunset, sorted by slug', async () => {
    const scenario = await suite.scenario();
    await scenario.addPlan({ name: 'Zine' });
    await scenario.addPlan({ name: 'Atlas' });
    await scenario.addPlan({ name: 'Draft' }, 'draft');
    await scenario.addPlan({ name: 'Closed' });
    await suite.control.retirePlan(scenario.projectId, 'zine', 'sunset');
    await suite.control.retirePlan(scenario.projectId, 'closed', 'closed');
    const plans = (await scenario.api.get('/plans')).body['plans'] as Body[];
    expect(plans.map(({ slug, status }) => [slug, status])).toEqual([
      ['atlas', 'active'],
      ['pro', 'active'],
      ['zine', 'sunset'],
    ]);
  });

  // plans#listed-plans
  it('a draft or closed plan answers plan_not_found by its slug', async () => {
    const scenario = await suite.scenario();
    await scenario.addPlan({ name: 'Draft' }, 'draft');
    await scenario.addPlan({ name: 'Closed' });
    await suite.control.retirePlan(scenario.projectId, 'closed', 'closed');
    for (const slug of ['draft', 'closed', 'nothing', 'PRO']) {
      expect(statusAndCode(await scenario.api.get(`/plans/${slug}`))).toBe('404 plan_not_found');
    }
  });

  // plans#receiving-wallet-of-a-plan, plans#network-on-the-wire
  it('GET /v1/plans/{slug} answers the plan as the list does', async () => {
    const scenario = await suite.scenario({
      plan: { description: 'Everything', logo_url: 'https://library.example/pro.png', amount: '5250000' },
    });
    const { body } = await scenario.api.get('/plans/pro');
    expect((await scenario.api.get('/plans')).body['plans']).toEqual([body]);
    expect(body).toEqual({
      slug: 'pro',
      name: 'Pro',
      description: 'Everything',
      project_name: 'Night Library',
      logo_url: 'https://library.example/pro.png',
      amount: '5250000',
      amount_display: '5.25',
      amount_usd: null,
      decimals: 6,
      symbol: null,
      mint: scenario.token.mint,
      token: { symbol: null, name: null, logo_url: null, verified: false },
      period_hours: 168,
      network: 'devnet',
      status: 'active',
      available: true,
      ends_at: null,
    });
  });

  // plans#display-amount, plans#token-verification, plans#dollar-estimate-of-a-plan
  it('a verified token has a name, and a price makes amount_usd', async () => {
    const scenario = await suite.scenario({ plan: { amount: '5250000' } });
    suite.control.setToken(scenario.token.mint, {
      symbol: 'USDX',
      name: 'Dollar X',
      logoUrl: 'https://x.example/x.png',
    });
    suite.control.setPrice(scenario.token.mint, '0.9995');
    expect((await scenario.api.get('/plans/pro')).body).toMatchObject({
      symbol: 'USDX',
      amount_usd: '5.247375',
      token: { symbol: 'USDX', name: 'Dollar X', logo_url: 'https://x.example/x.png', verified: true },
    });
  });

  // plans#display-amount, plans#name-and-picture-of-a-plan
  it('a verified token without a logo has none', async () => {
    const scenario = await suite.scenario();
    suite.control.setToken(scenario.token.mint, { symbol: 'USDX', name: 'Dollar X', logoUrl: null });
    expect((await scenario.api.get('/plans/pro')).body['token']).toMatchObject({
      logo_url: null,
      verified: true,
    });
  });

  // plans#name-and-picture-of-a-plan
  it("a plan without a logo shows the project's, or none", async () => {
    const scenario = await suite.scenario();
    expect((await scenario.api.get('/plans/pro')).body).toMatchObject({ logo_url: null, description: null });
    const logo_url = 'https://library.example/logo.png';
    const other = await suite.scenario({ logo_url });
    expect((await other.api.get('/plans/pro')).body).toMatchObject({ logo_url });
  });

  // plans#plan-availability
  it("available is false past the plan's end, where create answers plan_ended", async () => {
    const scenario = await suite.scenario({ endsAfter: PERIOD + 6 * MINUTE });
    const ends = (await scenario.api.get('/plans/pro')).body;
    expect(ends).toMatchObject({ available: true, status: 'active' });
    expect(ends['ends_at']).toMatch(/Z$/);
    await suite.control.pass(PERIOD + DAY);
    expect((await scenario.api.get('/plans/pro')).body).toMatchObject({ available: false });
    expect(statusAndCode(await scenario.create(await scenario.wallet()))).toBe('409 plan_ended');
  });

  // plans#display-amount, plans#plan-availability
  it('available is false on a sunset plan', async () => {
    const scenario = await suite.scenario();
    await suite.control.retirePlan(scenario.projectId, 'pro', 'sunset');
    const { body } = await scenario.api.get('/plans/pro');
    expect(body).toMatchObject({ status: 'sunset', available: false });
  });
});
