import { describe, expect, it } from 'vitest';

import { refusal, PRICE, type TestWorld } from '@subrail/test-world';
import { playFiftyDays } from './fifty-days.js';

let world: TestWorld;

const overview = (days: 7 | 30 | 90 | '7') =>
  world.billing.project(world.projectId).reports.overview({ days });

const sum = (count: number) => ({ count, amount: (BigInt(count) * PRICE).toString() });

describe('the overview of a project', () => {
  // management#overview-of-a-project
  it('sums up what was collected, failed, won back and is owed, and counts who is new and lost', async () => {
    ({ world } = await playFiftyDays());
    const money = {
      collected: { ...sum(6), amount_usd: '60.00', unpriced: 0 },
      failed: sum(3),
      won_back: sum(1),
      owed: sum(1),
    };
    const { since, until, ...answer } = await overview(90);
    expect([since, until]).toEqual(['2025-11-23T00:00:00.000Z', world.now().toISOString()]);
    expect(answer).toEqual({
      tokens: [{ mint: world.token.mint, decimals: 6, ...money }],
      plans: [
        {
          ...{ plan: 'pro', mint: world.token.mint, decimals: 6, ...money },
          ...{ new: 4, returned: 0, lost: 1 },
          ...{ active: 2, late: 1, cancelled: 0, parked: 0, blocked: 0 },
        },
      ],
      ...{ new: 4, returned: 0, lost: 1 },
      lost_causes: [{ reason: 'out_of_retries', count: 1 }],
      failure_causes: [{ outcome: 'rejected', reason: 'insufficient_balance', count: 6 }],
      unpriced: 0,
    });

    const week = await overview('7');
    expect(week).toMatchObject({ new: 0, lost: 0, lost_causes: [], unpriced: 0 });
    expect(week.tokens[0]).toMatchObject({
      collected: { ...sum(0), amount_usd: '0.00', unpriced: 0 },
      failed: sum(1),
      won_back: sum(0),
      owed: sum(1),
    });

    const elsewhere = await world.billing.projects.create({ name: 'Elsewhere' });
    expect(await world.billing.project(elsewhere.id).reports.overview()).toMatchObject({
      ...{ tokens: [], plans: [], new: 0, returned: 0, lost: 0, failure_causes: [], unpriced: 0 },
    });
    expect(await refusal(overview(8 as 7))).toBe('invalid_request');
  });

  // management#won-back-and-lost
  it('counts a comeback as returned, and what has no price as unpriced', async () => {
    const played = await playFiftyDays();
    ({ world } = played);
    const { lost, price } = played;
    price.usd = null;
    await world.give(lost, PRICE);
    await world.subscribe(lost);
    expect(await overview(90)).toMatchObject({
      ...{ new: 4, returned: 1, lost: 1, unpriced: 1 },
      tokens: [
        {
          collected: { ...sum(7), amount_usd: '60.00', unpriced: 1 },
          // A comeback is no retry.
          won_back: sum(1),
        },
      ],
      plans: [{ active: 3, late: 1 }],
    });
  });
});
