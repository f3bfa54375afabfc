import type { ProjectBilling } from '@subrail/core';
import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { aCommit } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';

import {
  refusal,
  DAY,
  missSecondMonth,
  openTestWorld,
  PRICE,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;

const shop = () => world.billing.project(world.projectId);

/** The ids of what a search finds on its first page. */
async function search(query: Parameters<ProjectBilling['subscriptions']['search']>[0]): Promise<string[]> {
  return (await shop().subscriptions.search(query)).data.map(({ id }) => id);
}

describe('a search of subscriptions', () => {
  // management#subscription-search
  it('finds them over the whole project by each filter, and by all of them together', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const [first, second] = [await world.wallet(10n * PRICE), await world.wallet(10n * PRICE)];
    const paying = await world.subscribe(first, 'reader-1');
    world.advance(1000);
    const late = await missSecondMonth(world, second, 1);
    const elsewhere = await world.billing.projects.create({ name: 'Elsewhere' });
    const { address } = await storedSubscription(world, late);

    expect(await search({})).toEqual([late, paying]);
    expect(await search({ wallet: first.address })).toEqual([paying]);
    expect(await search({ external_id: 'reader-1' })).toEqual([paying]);
    expect(await search({ email: 'nobody@example.com' })).toEqual([]);
    expect(await search({ id: late })).toEqual([late]);
    expect(await search({ id: address })).toEqual([late]);
    expect(await search({ plan: 'pro', status: 'unpaid' })).toEqual([late]);
    expect(await search({ late: true })).toEqual([late]);
    expect(await search({ late: 'false', blocked: '0' })).toEqual([paying]);
    expect(await search({ late: true, wallet: first.address })).toEqual([]);
    const page = await shop().subscriptions.search({ id: late });
    expect(page).toEqual({
      data: [await shop().subscriptions.retrieve(late)],
      has_more: false,
      next: null,
      unreadable: [],
    });
    expect((await world.billing.project(elsewhere.id).subscriptions.search()).data).toEqual([]);

    expect(await refusal(shop().subscriptions.search({ plan: 'unknown' }))).toBe('plan_not_found');
    expect(await refusal(shop().subscriptions.search({ status: 'asleep' as never }))).toBe('invalid_request');
    expect(await refusal(shop().subscriptions.search({ starting_after: 'sub_1' }))).toBe('invalid_request');
    expect(await refusal(world.billing.project('proj_1').subscriptions.search())).toBe('not_found');
  });

  // management#search-by-what-is-shown
  it('goes by what its items show: a cancellation that expired is ended, and what is parked is not late', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const [first, second] = [await world.wallet(10n * PRICE), await world.wallet(10n * PRICE)];
    const cancelled = await world.subscribe(first);
    const expiresAt = new Date(world.now().getTime() + DAY);
    const commit = async (id: string, change: object) => {
      const stored = await world.store.findSubscription(world.projectId as ProjectId, id as SubscriptionId);
      if (stored === null) throw new Error(`There is no ${id}.`);
      const next = { ...stored, ...change, version: stored.version + 1 };
      expect(await world.store.commit([aCommit(next)])).toBe('committed');
    };
    await commit(cancelled, {
      status: 'cancelled',
      cancellation: { confirmedAt: world.now(), expiresAt, behind: false, lapse: null },
    });
    expect([await search({ status: 'cancelled' }), await search({ status: 'ended' })]).toEqual([
      [cancelled],
      [],
    ]);
    world.advance(DAY);
    expect([await search({ status: 'cancelled' }), await search({ status: 'ended' })]).toEqual([
      [],
      [cancelled],
    ]);
    expect((await shop().subscriptions.search({ status: 'ended' })).data[0]?.status).toBe('ended');

    const late = await missSecondMonth(world, second, 0);
    expect(await search({ late: true })).toEqual([late]);
    await commit(late, { pausedAt: world.now() });
    expect([await search({ late: true }), await search({ status: 'unpaid' })]).toEqual([[], [late]]);
    await commit(late, { pausedAt: null, blockedSince: world.now(), blockedReason: 'mesub' });
    expect(await search({ blocked: true })).toEqual([late]);
  });

  // management#search-by-what-is-shown
  // management#subscription-count
  it('finds and counts those that end, by a cancellation or with their plan', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const [running, cancelled] = [
      await world.subscribe(await world.wallet(PRICE)),
      await world.subscribe(await world.wallet(PRICE)),
    ];
    const stored = await storedSubscription(world, cancelled);
    const expiresAt = new Date(world.now().getTime() + DAY);
    const cancellation = { confirmedAt: world.now(), expiresAt, behind: false, lapse: null };
    const next = { ...stored, status: 'cancelled', cancellation, version: stored.version + 1 } as const;
    expect(await world.store.commit([aCommit(next)])).toBe('committed');
    expect([await search({ ending: true }), await search({ ending: 'false' })]).toEqual([
      [cancelled],
      [running],
    ]);
    expect(await shop().subscriptions.count({ ending: true })).toEqual({
      ...{ count: 1, or_more: false, next_charges: [] },
    });
    const plan = await world.store.findPlan(stored.planId);
    const endsAt = new Date(world.now().getTime() + 90 * DAY);
    if (plan !== null) await world.store.updatePlan({ ...plan, endsAt, version: plan.version + 1 });
    expect((await search({ ending: true })).toSorted()).toEqual([cancelled, running].toSorted());
    world.advance(DAY);
    expect(await search({ ending: true })).toEqual([running]);
    const { mint, decimals } = world.token;
    const sum = { mint, symbol: null, decimals, count: 1, amount: PRICE.toString(), amount_display: '5' };
    expect(await shop().subscriptions.count()).toEqual({ count: 2, or_more: false, next_charges: [sum] });
    const many = world.host({
      ...world.store,
      countSubscriptions: async (_id, _filter, _now, limit) => ({ count: limit, more: true, charged: [] }),
    });
    const { subscriptions } = many.billing.project(world.projectId);
    expect(await subscriptions.count()).toMatchObject({ count: 10_000, or_more: true });
  });

  // management#pages-of-a-search
  it('goes on behind a subscription that paid since, and meets those that stay exactly once', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.unshift(await world.subscribe(await world.wallet(PRICE)));
      world.advance(1000);
    }
    world.advance(30 * DAY);
    await world.work();
    const [newest, middle, oldest] = ids;
    const first = await shop().subscriptions.search({ late: true, limit: 1 });
    expect([first.data[0]?.id, first.has_more, first.next]).toEqual([newest, true, newest]);

    const stored = await storedSubscription(world, newest ?? '');
    const paid = { ...stored, status: 'active', late: null, version: stored.version + 1 } as const;
    expect(await world.store.commit([aCommit(paid)])).toBe('committed');
    await world.subscribe(await world.wallet(PRICE));
    const second = await shop().subscriptions.search({ late: true, limit: 1, starting_after: newest });
    expect(second).toMatchObject({ data: [{ id: middle }], has_more: true, next: middle });
    const third = await shop().subscriptions.search({ late: true, limit: 1, starting_after: middle });
    expect(third).toMatchObject({ data: [{ id: oldest }], has_more: false, next: null });
  });

  // management#unreadable-records-in-reports
  it('names those that the store cannot read, and finds the others', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const { store } = world;
    const damaged = world.host({
      ...store,
      async searchSubscriptions(...search) {
        const page = await store.searchSubscriptions(...search);
        if (page === 'unknown_cursor') return page;
        return { ...page, unreadable: [{ id: 'sub_damaged', error: new SyntaxError('not a number') }] };
      },
    });
    const id = await world.subscribe(await world.wallet(PRICE));
    expect(await damaged.billing.project(world.projectId).subscriptions.search()).toMatchObject({
      data: [{ id }],
      unreadable: ['sub_damaged'],
    });
    world.forgiveErrors('because the store cannot read it');
  });
});
