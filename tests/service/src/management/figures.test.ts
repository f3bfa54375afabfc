import {
  UnreadableFigures,
  type DayFigures,
  type FullStore,
  type FullStoreOperations,
  type ProjectId,
} from '@subrail/core/ports';
import { someFigures } from '@subrail/core/testing';
import { beforeAll, describe, expect, it } from 'vitest';

import { DAY, HOUR, openTestWorld, PRICE, refusal, type TestWorld } from '@subrail/test-world';
import { expectFigures } from '../invariants/expect-figures.js';
import { playFiftyDays, type FiftyDays } from './fifty-days.js';

const sum = (count: number) => ({ count, amount: (BigInt(count) * PRICE).toString() });
const collected = (count: number) => ({ ...sum(count), amount_usd: `${count * 10}.00`, unpriced: 0 });

describe('the figures of a project', () => {
  let played: FiftyDays;
  let world: TestWorld;
  const reports = () => world.billing.project(world.projectId).reports;
  beforeAll(async () => {
    played = await playFiftyDays();
    ({ world } = played);
  });

  // figures#reports, figures#monthly-recurring-revenue, figures#names-of-the-sums
  it('tell of each month what was paid, failed and recovered, who came and went, and what recurs', async () => {
    const { data, total, ...span } = await reports().figures({ from: '2026-01-01', by: 'month' });
    expect(span).toEqual({ from: '2026-01-01', to: '2026-02-20', by: 'month' });
    const token = { mint: world.token.mint, symbol: null, decimals: 6 };
    // 5 tokens of 2 dollars every 30 days are 5.072917 in 30.4375 days.
    const february = {
      plan: null,
      ...{ mrr_usd: '30.4375', fees_lamports: '5000', new: 0, returned: 0, lost: 1, active: 3, recurring: 3 },
    };
    const mrr = { amount: '15218750', amount_usd: '30.4375' };
    expect(data).toEqual([
      {
        date: '2026-01-01',
        plan: null,
        tokens: [
          {
            ...token,
            collected: collected(5),
            failed: sum(2),
            recovered: sum(0),
            mrr: { amount: '20291667', amount_usd: '40.583334' },
          },
        ],
        ...{ mrr_usd: '40.583334', fees_lamports: '5000', new: 4, returned: 0, lost: 0 },
        ...{ active: 4, recurring: 4, churn_rate: null },
      },
      {
        ...february,
        date: '2026-02-01',
        churn_rate: 0.25,
        tokens: [{ ...token, collected: collected(1), failed: sum(1), recovered: sum(1), mrr }],
      },
    ]);
    const { plan: _, ...end } = february;
    expect(total).toEqual({
      ...end,
      tokens: [{ ...token, collected: collected(6), failed: sum(3), recovered: sum(1), mrr }],
      fees_lamports: '10000',
      new: 4,
      lost_causes: [{ reason: 'out_of_retries', count: 1 }],
      lapsed_causes: [],
      failure_causes: [{ outcome: 'rejected', reason: 'insufficient_balance', count: 6 }],
      retries: [
        { number: 1, paid: 1, failed: 1, rate: 0.5 },
        { number: 2, paid: 0, failed: 1, rate: 0 },
        { number: 3, paid: 0, failed: 1, rate: 0 },
      ],
      recovery_rate: 0.3333,
      churn_rate: null,
    });
  });

  // figures#reports
  it('are of each day, week or month, of one plan or token, and of every plan apart', async () => {
    const dates = async (query: Parameters<ReturnType<typeof reports>['figures']>[0]) =>
      (await reports().figures(query)).data.map(({ date }) => date);
    expect(await dates({ from: '2026-02-18' })).toEqual(['2026-02-18', '2026-02-19', '2026-02-20']);
    // The 1st of February is a Sunday.
    const weeks = ['2026-01-31', '2026-02-02', '2026-02-09', '2026-02-16'];
    expect(await dates({ from: '2026-01-31', by: 'week' })).toEqual(weeks);
    expect(await dates({})).toHaveLength(30);
    expect(await dates({ days: 2, to: '2026-02-01' })).toEqual(['2026-01-31', '2026-02-01']);
    // What ran before the span is known at its begin.
    const { data, total } = await reports().figures({ from: '2026-02-01', per: 'plan', plan: 'pro' });
    expect(data[0]).toMatchObject({ plan: 'pro', active: 4, recurring: 4, mrr_usd: '40.583334', new: 0 });
    // One of four is lost on one day.
    expect(data.map(({ churn_rate: churn }) => churn).filter((churn) => churn !== 0)).toEqual([0.25]);
    expect(total).toMatchObject({ churn_rate: 0.25, recovery_rate: 1 });
    const other = await reports().figures({ mint: world.owner.address, by: 'month', per: 'plan' });
    expect(other).toMatchObject({ data: [], total: { tokens: [], mrr_usd: '0.00', active: 0, new: 0 } });
  });

  // figures#reports
  it.each([
    [{ from: '2026-03-01' }, 'invalid_request', 'from (2026-03-01) is after to (2026-02-20, in UTC). '],
    [{ from: '2026-03-01', to: '2026-04-01' }, 'invalid_request', 'from (2026-03-01) is after today'],
    [{ from: '2020-01-01' }, 'invalid_request', 'A report covers 1096 days at most. '],
    [{ from: '2026-02-30' }, 'invalid_request', 'must be a date in UTC, such as 2026-10-02'],
    [{ from: '2026-02-01', days: 9 }, 'invalid_request', 'Name one of them.'],
    [{ days: 1_097 }, 'invalid_request', 'must be at most 1096'],
    [{ plan: 'none' }, 'plan_not_found', ''],
  ])('are refused for %j with %s', async (query, code, message) => {
    const error: unknown = await reports()
      .figures(query)
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  // figures#cohorts
  it('tell of each month how many of those who began then still run', async () => {
    const { data } = await reports().cohorts({ months: 3 });
    expect(data).toEqual([
      { month: '2025-12', size: 0, running: [0, 0, 0] },
      { month: '2026-01', size: 4, running: [4, 3] },
      { month: '2026-02', size: 0, running: [0] },
    ]);
    expect((await reports().cohorts({ plan: 'pro' })).data).toHaveLength(12);
    expect(await refusal(reports().cohorts({ months: 37 }))).toBe('invalid_request');
  });

  // figures#rebuild
  it('are counted anew, day by day, and only days that differ are replaced', async () => {
    const before = await allFigures(world);
    const rebuild = async () => {
      const parts = [await reports().rebuild()];
      for (let next = parts[0]?.next; next !== null && next !== undefined; next = parts.at(-1)?.next)
        parts.push(await reports().rebuild({ from: next }));
      return parts;
    };
    const [first, ...others] = await rebuild();
    expect(first).toMatchObject({ from: '2026-01-01', to: '2026-01-31', changed: 0, left: 386 });
    // The days on which charges will be due are counted too.
    expect(others.at(-1)).toEqual({
      ...{ from: '2026-02-01', to: '2027-02-21', changed: 0, left: 0, next: null, unreadable: [] },
    });

    const [{ projectId, planId }] = before as readonly [DayFigures];
    const of = { projectId, planId };
    await world.store.replaceFigures(of.projectId, new Date('2026-01-31'), []);
    await world.store.replaceFigures(of.projectId, before.at(-1)?.day as Date, []);
    await world.store.addFigures([someFigures({ ...of, day: new Date('2026-02-10'), running: 5 })]);
    const parts = await rebuild();
    expect(parts.map(({ changed }) => changed).filter((changed) => changed > 0)).toEqual([1, 2]);
    expect(await allFigures(world)).toEqual(before);
    await world.billing.worker.mergeFigures();
    expect(await allFigures(world)).toEqual(before);
  });

  /** The reports of a host whose store has other methods, in transactions too. */
  const reportsOn = (methodsOf: (operations: FullStoreOperations) => Partial<FullStoreOperations>) => {
    const transaction: FullStore['transaction'] = (work) =>
      world.store.transaction((operations) => work({ ...operations, ...methodsOf(operations) }));
    const { billing } = world.host({ ...world.store, ...methodsOf(world.store), transaction });
    return billing.project(world.projectId).reports;
  };

  // figures#rebuild
  it('keep what is due by a subscription that a rebuild cannot read', async () => {
    const before = await allFigures(world);
    const damaged = await reportsOn((operations) => ({
      async listByNextTry(...list) {
        const { due, next } = await operations.listByNextTry(...list);
        const error = new SyntaxError('not a date');
        return {
          due: due.slice(1),
          unreadable: due.slice(0, 1).map((one) => ({ id: one.subscription.id, error })),
          next,
        };
      },
    })).rebuild({ from: '2026-02-20' });
    expect(damaged).toMatchObject({ changed: 0, left: 0 });
    // Each is named once, and not for every day before it is due.
    expect(new Set(damaged.unreadable).size).toBe(damaged.unreadable.length);
    expect(damaged.unreadable.length).toBeGreaterThan(0);
    expect(await allFigures(world)).toEqual(before);
  });

  // figures#rebuild
  it('that cannot be read fail a report, which says what to do, and are replaced by that', async () => {
    const before = await allFigures(world);
    const day = new Date('2026-02-10');
    let isDamaged = true;
    const host = reportsOn((operations) => ({
      async readFigures(project, since, until, only) {
        if (isDamaged && since <= day && day < until) throw new UnreadableFigures(day);
        return operations.readFigures(project, since, until, only);
      },
      async replaceFigures(project, replaced, figures) {
        isDamaged &&= replaced.getTime() !== day.getTime();
        await operations.replaceFigures(project, replaced, figures);
      },
    }));
    await expect(host.figures()).rejects.toMatchObject({
      name: 'UnreadableFigures',
      message:
        'The figures of 2026-02-10 cannot be read. "subrail rebuild-figures --from 2026-02-10" counts them anew.',
    });
    expect(await host.rebuild({ from: '2026-02-10' })).toMatchObject({ changed: 1 });
    expect((await host.figures()).to).toBe('2026-02-20');
    expect(await allFigures(world)).toEqual(before);
  });

  // figures#movements, figures#recurring
  it('tell a comeback from a new subscription, and a cancellation from an end', async () => {
    const { lost, paying } = played;
    await world.give(lost, PRICE);
    await world.subscribe(lost);
    await world.give(paying, PRICE * 3n);
    const outside = await world.outside(paying);
    await outside.cancel();
    world.advance(DAY + HOUR);
    await world.work();
    const { total } = await reports().figures({ from: '2026-02-20' });
    expect(total).toMatchObject({ returned: 1, new: 0, lost: 0, active: 4, recurring: 3 });
    expect(total.lapsed_causes).toEqual([{ reason: 'cancelled', count: 1 }]);
    world.advance(40 * DAY);
    await world.work();
    const later = await reports().figures({ from: '2026-02-22' });
    expect(later.total.lost_causes).toContainEqual({ reason: 'cancelled', count: 1 });
  });
});

// figures#day-of-a-figure
it('count a price that comes later on the day of its attempt', async () => {
  let usd: string | null = null;
  const world = await openTestWorld({ ports: { prices: { usd: () => Promise.resolve(usd) } } });
  const ids = [await world.subscribe(await world.wallet(PRICE * 2n))];
  await expectFigures(world, ids);
  const { reports } = world.billing.project(world.projectId);
  const { tokens, mrr_usd } = (await reports.figures()).total;
  expect([tokens[0]?.collected.unpriced, mrr_usd]).toEqual([1, null]);
  usd = '3.5';
  world.advance(6 * 60_000);
  await Promise.all([world.billing.worker.price(), world.host(world.store).billing.worker.price()]);
  await expectFigures(world, ids);
  expect((await reports.figures()).total).toMatchObject({
    tokens: [{ collected: { unpriced: 0, amount_usd: '17.50' } }],
    mrr_usd: '17.75521',
  });
});

async function allFigures({ store, projectId }: TestWorld): Promise<readonly DayFigures[]> {
  return store.readFigures(projectId as ProjectId, new Date(0), new Date('2030-01-01'));
}
