import { describe, expect, it } from 'vitest';
import type { Api, Body } from './client.js';
import { HOUR, PERIOD, PRICE, SECOND, statusAndCode, type Scenario } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

const idsOf = (body: Body) => (body['data'] as { readonly id: string }[]).map(({ id }) => id);

/** Reads a list; `between` runs after each page but the last. Returns all ids and the size of each page. */
async function walk(
  api: Api,
  path: string,
  query: Record<string, string>,
  between = async () => Promise.resolve(),
) {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (;;) {
    const last = ids.at(-1);
    const answer = await api.get(path, { ...query, ...(last === undefined ? {} : { starting_after: last }) });
    expect(statusAndCode(answer)).toBe('200');
    const page = idsOf(answer.body);
    ids.push(...page);
    sizes.push(page.length);
    if (answer.body['has_more'] !== true) return { ids, sizes };
    await between();
  }
}

/** Subscribes new wallets of one customer; returns the ids of the subscriptions, oldest first. */
async function subscribeWallets(scenario: Scenario, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    // An instant for each: those of one instant are listed by their random ids (lists#newest-first-order).
    await suite.control.pass(SECOND);
    ids.push(await scenario.subscribe(await scenario.wallet(PRICE)));
  }
  return ids;
}

describe('pagination', () => {
  // lists#page-size, lists#page-shape, lists#newest-first-order
  it('subscriptions are listed newest first, 20 by default, with has_more until the last page', async () => {
    const scenario = await suite.scenario();
    const ids = [...(await subscribeWallets(scenario, 22))].reverse();
    const query = { external_id: 'customer-1' };
    expect(await walk(scenario.api, '/subscriptions', query)).toEqual({ ids, sizes: [20, 2] });
    expect(await walk(scenario.api, '/subscriptions', { ...query, limit: '7' })).toEqual({
      ids,
      sizes: [7, 7, 7, 1],
    });
    expect(await walk(scenario.api, '/subscriptions', { ...query, limit: '100' })).toEqual({
      ids,
      sizes: [22],
    });
    // The events list has 25 items by default.
    const events = await walk(scenario.api, '/events', {});
    expect(events.sizes).toEqual([25, 19]);
    expect(new Set(events.ids).size).toBe(44);
  });

  // lists#paid-totals-of-attempts, lists#page-shape, lists#newest-first-order
  it('attempts are listed newest first, 20 by default, with paid over all of them', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await (await scenario.outside(wallet)).freeze('owner');
    await suite.control.pass(PERIOD + 4 * HOUR);
    const path = `/subscriptions/${id}/attempts`;
    const { ids, sizes } = await walk(scenario.api, path, {});
    expect(sizes[0]).toBe(20);
    const all = await scenario.attempts(id);
    expect([...ids].reverse()).toEqual(all.map((attempt) => attempt['id']));
    const dates = all.map((attempt) => String(attempt['attempted_at']));
    expect(dates).toEqual([...dates].sort());
    const first = (await scenario.api.get(path, { limit: '1' })).body;
    expect(first).toMatchObject({ has_more: true, paid: { count: 1, amount: PRICE.toString() } });
  });

  // lists#keyset-pagination
  it('records written between pages neither repeat nor hide others', async () => {
    const scenario = await suite.scenario();
    const ids = [...(await subscribeWallets(scenario, 5))].reverse();
    const between = async () => {
      await subscribeWallets(scenario, 1);
    };
    const walked = await walk(
      scenario.api,
      '/subscriptions',
      { external_id: 'customer-1', limit: '2' },
      between,
    );
    expect(walked.ids).toEqual(ids);
  });

  // lists#page-size
  it('limit is an integer from 1 to 100', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    for (const path of ['/subscriptions', `/subscriptions/${id}/attempts`, '/events']) {
      const query: Record<string, string> = path === '/subscriptions' ? { external_id: 'customer-1' } : {};
      for (const limit of ['0', '101', '-1', '1.5', 'many', '', '01']) {
        expect(statusAndCode(await scenario.api.get(path, { ...query, limit }))).toBe('400 invalid_request');
      }
      for (const limit of ['1', '100'])
        expect(statusAndCode(await scenario.api.get(path, { ...query, limit }))).toBe('200');
    }
  });

  // lists#keyset-pagination, lists#cursor-format, lists#unknown-cursor
  it("starting_after must be an id of the list: an unknown, a malformed or another customer's id is refused", async () => {
    const scenario = await suite.scenario();
    const mine = await scenario.subscribe(await scenario.wallet());
    const theirs = await scenario.subscribe(await scenario.wallet(), { external_id: 'b' });
    const [event] = await scenario.events(mine);
    const list = (path: string, query: Record<string, string>) => scenario.api.get(path, query);
    for (const starting_after of [theirs, 'sub_000000000000000000000000', 'a b', '', 'x'.repeat(65)]) {
      const query = { external_id: 'customer-1', starting_after };
      expect(statusAndCode(await list('/subscriptions', query))).toBe('400 invalid_request');
    }
    expect(statusAndCode(await list(`/subscriptions/${mine}/attempts`, { starting_after: mine }))).toBe(
      '400 invalid_request',
    );
    expect(statusAndCode(await list('/events', { starting_after: mine }))).toBe('400 invalid_request');
    expect(
      statusAndCode(await list('/events', { starting_after: event?.id ?? '', subscription: theirs })),
    ).toBe('400 invalid_request');
  });
});

describe('GET /v1/subscriptions', () => {
  // lists#one-customer-per-list
  it('takes exactly one of wallet, external_id and email', async () => {
    const { api } = await suite.scenario();
    for (const query of [{}, { external_id: 'a', email: 'a@b.example' }]) {
      expect(statusAndCode(await api.get('/subscriptions', query))).toBe('400 invalid_request');
    }
  });

  // lists#empty-list-for-unknown-customers
  it('answers empty data for a customer with no subscriptions', async () => {
    const { api } = await suite.scenario();
    expect((await api.get('/subscriptions', { external_id: 'nobody' })).body).toEqual({
      data: [],
      has_more: false,
    });
  });

  // lists#expired-and-superseded-subscriptions
  it('lists expired checkouts, with every item as retrieve answers it', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { subscription } = await scenario.issue(wallet, { email: 'ada@example.org' });
    await suite.control.pass(HOUR);
    const id = await scenario.subscribe(wallet, { email: 'ada@example.org' });
    const items = [await scenario.read(id), await scenario.read(subscription.id)];
    expect(items.map(({ status }) => status)).toEqual(['active', 'expired']);
    for (const query of [
      { external_id: 'customer-1' },
      { wallet: wallet.address },
      { email: 'ada@example.org' },
    ]) {
      expect((await scenario.api.get('/subscriptions', query)).body['data']).toEqual(items);
    }
  });

  // errors#codes-of-each-route, lists#list-filtered-by-plan
  it('plan narrows the list to one plan, and an unknown slug is 404 plan_not_found', async () => {
    const scenario = await suite.scenario();
    await scenario.addPlan({ name: 'Atlas' });
    const wallet = await scenario.wallet();
    await scenario.subscribe(wallet);
    await suite.control.pass(SECOND);
    const atlas = await scenario.subscribe(wallet, { plan: 'atlas' });
    const list = (plan: string) => scenario.api.get('/subscriptions', { wallet: wallet.address, plan });
    expect(idsOf((await list('atlas')).body)).toEqual([atlas]);
    expect(statusAndCode(await list('nothing'))).toBe('404 plan_not_found');
  });
});
