import { describe, expect, it } from 'vitest';

import { PlanList, PlanWire } from '../../contract/plan.js';
import { ProjectWire } from '../../contract/project.js';
import { createHandler } from '../../http/handler.js';
import type { Plan } from '../../records/index.js';
import { aPlan, anAddress, aProject } from '../../testing/records.js';
import { callerOf, serviceFixture, type ServiceFixture } from '../../http/tests/fixtures.js';

const USDX = {
  mint: anAddress(),
  symbol: 'USDX',
  name: 'Dollar X',
  logoUrl: 'https://tokens.example/usdx.png',
};

type FixtureOptions = Parameters<typeof serviceFixture>[0] & {
  readonly plans?: readonly Plan[];
  readonly seatsTaken?: number;
};

function plansOf({
  plans = [],
  seatsTaken = 0,
  ...ports
}: FixtureOptions): ServiceFixture & { call: ReturnType<typeof callerOf> } {
  const fixture = serviceFixture({
    store: {
      listPlans: async () => plans,
      findPlanBySlug: async (_, slug) => plans.find((plan) => plan.slug === slug) ?? null,
      findSeats: async () => ({ subscriptions: [], seats: seatsTaken }),
    },
    ...ports,
  });
  return { ...fixture, call: callerOf(createHandler(fixture.billing)) };
}

async function plan(options: FixtureOptions): Promise<PlanWire> {
  const [only] = options.plans ?? [];
  return PlanWire.parse((await plansOf(options).call(`/v1/plans/${only?.slug}`)).body);
}

describe('GET /v1/project', () => {
  // seats-and-tiers#tier-limits
  it('answers with the project of the key', async () => {
    const project = aProject({ name: 'Demo', tier: 'dev' });
    const { body } = await plansOf({ project }).call('/v1/project');
    expect(ProjectWire.parse(body)).toEqual({
      id: project.id,
      name: 'Demo',
      network: 'devnet',
      tier: 'dev',
      created_at: '2026-01-01T00:00:00.000Z',
    });
  });
});

describe('GET /v1/plans', () => {
  // plans#listed-plans
  it('lists every published plan, in the order of the character codes of their slugs', async () => {
    // An order of a language puts `a-b` between `a1` and `ab`, or ignores its hyphen.
    const slugs = ['ab', 'a1', 'z', 'a-b', 'a'];
    const listed = slugs.map((slug, place) => aPlan({ slug, status: place === 0 ? 'sunset' : 'active' }));
    const asked: unknown[] = [];
    const fixture = serviceFixture({
      store: {
        listPlans: async (_, statuses) => {
          asked.push(statuses);
          return listed;
        },
      },
    });
    const { body } = await callerOf(createHandler(fixture.billing))('/v1/plans');
    expect(PlanList.parse(body).plans.map(({ slug, status }) => [slug, status])).toEqual([
      ['a', 'active'],
      ['a-b', 'active'],
      ['a1', 'active'],
      ['ab', 'sunset'],
      ['z', 'active'],
    ]);
    expect(asked).toEqual([['active', 'sunset']]);
  });

  it('refuses parameters', async () => {
    expect((await plansOf({}).call('/v1/plans?limit=5')).body['code']).toBe('invalid_request');
  });

  it('looks each token up once', async () => {
    const mint = aPlan().mint;
    const lookups: string[] = [];
    const prices = {
      usd: async (of: string) => {
        lookups.push(of);
        return null;
      },
    };
    await plansOf({ plans: [aPlan({ mint }), aPlan({ mint })], prices }).call('/v1/plans');
    expect(lookups).toEqual([mint]);
  });
});

describe('GET /v1/plans/{slug}', () => {
  // plans#display-amount
  it('shows a plan of a known token in full', async () => {
    const record = aPlan({
      mint: USDX.mint,
      slug: 'pro',
      name: 'Pro',
      description: 'Everything',
      logoUrl: 'https://demo.example/pro.png',
      amount: 12_340_000n,
      endsAt: new Date('2027-01-01T00:00:00.000Z'),
    });
    const answer = await plan({
      plans: [record],
      project: aProject({ name: 'Demo' }),
      tokens: { list: async () => [USDX] },
      prices: { usd: async () => '0.9998' },
    });
    expect(answer).toEqual({
      slug: 'pro',
      name: 'Pro',
      description: 'Everything',
      project_name: 'Demo',
      logo_url: 'https://demo.example/pro.png',
      amount: '12340000',
      amount_display: '12.34',
      amount_usd: '12.337532',
      decimals: 6,
      symbol: 'USDX',
      mint: record.mint,
      token: {
        symbol: 'USDX',
        name: 'Dollar X',
        logo_url: 'https://tokens.example/usdx.png',
        verified: true,
      },
      period_hours: 720,
      network: 'devnet',
      status: 'active',
      available: true,
      ends_at: '2027-01-01T00:00:00.000Z',
    });
  });

  // plans#display-amount
  it('has no name for an unknown token, and no amount_usd without a price', async () => {
    expect(await plan({ plans: [aPlan()] })).toMatchObject({
      symbol: null,
      token: { symbol: null, name: null, logo_url: null, verified: false },
      amount_usd: null,
      description: null,
      logo_url: null,
      ends_at: null,
    });
  });

  it("shows the project's logo for a plan without one", async () => {
    const project = aProject({ logoUrl: 'https://demo.example/logo.png' });
    expect((await plan({ plans: [aPlan()], project })).logo_url).toBe('https://demo.example/logo.png');
  });

  // plans#listed-plans
  it.each(['draft', 'closed', 'failed'] as const)(
    'answers plan_not_found to the slug of a %s plan',
    async (status) => {
      const { body } = await plansOf({ plans: [aPlan({ slug: 'pro', status })] }).call('/v1/plans/pro');
      expect(body).toMatchObject({ statusCode: 404, code: 'plan_not_found' });
    },
  );

  // errors#plan-not-found
  it('answers plan_not_found to an unknown slug', async () => {
    expect((await plansOf({}).call('/v1/plans/none')).body['code']).toBe('plan_not_found');
  });

  // plans#display-amount
  describe('available', () => {
    const project = aProject({ tier: 'free' });
    const ending = aPlan({ slug: 'pro', endsAt: new Date('2026-10-02T08:30:00.001Z') });

    it('is true until the plan ends', async () => {
      const { call, clock } = plansOf({ plans: [ending] });
      expect((await call('/v1/plans/pro')).body['available']).toBe(true);
      clock.advance(1);
      expect((await call('/v1/plans/pro')).body['available']).toBe(false);
    });

    it('is true while the project has a free seat', async () => {
      expect((await plan({ plans: [aPlan()], project, seatsTaken: 29 })).available).toBe(true);
      expect((await plan({ plans: [aPlan()], project, seatsTaken: 30 })).available).toBe(false);
    });

    // seats-and-tiers#tier-limits
    it("uses the project's own limit instead of the tier's", async () => {
      const own = aProject({ tier: 'business', subscriberLimit: 2 });
      expect((await plan({ plans: [aPlan()], project: own, seatsTaken: 1 })).available).toBe(true);
      expect((await plan({ plans: [aPlan()], project: own, seatsTaken: 2 })).available).toBe(false);
    });

    it('is false for a sunset plan', async () => {
      expect((await plan({ plans: [aPlan({ status: 'sunset' })] })).available).toBe(false);
    });
  });
});
