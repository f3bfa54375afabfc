import { createManager } from '@subrail/core/client';
import type { AttemptId } from '@subrail/core/ports';
import { DAY, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';
import { beforeAll, describe, expect, it } from 'vitest';
import { playFiftyDays } from './fifty-days.js';
import { newPlan, textOf } from './management-calls.js';

let world: TestWorld;
let key: string;
const shop = () => world.billing.project(world.projectId);
const overHttp = (billing = world.billing) =>
  createManager({ url: 'https://billing.test', key, fetch: billing.handler }).project(world.projectId);

beforeAll(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  for (const name of ['reader-1', '=1+1, "it"']) await world.subscribe(await world.wallet(10n * PRICE), name);
  world.advance(30 * DAY);
  await world.work();
  ({ key } = await world.billing.management.createKey({ name: 'Bookkeeping', access: 'read' }));
});

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

describe('an export', () => {
  // payments#exports
  // payments#columns-of-exports
  it('of payments has what the list has, in process and over HTTP', async () => {
    const { data } = await shop().payments.list();
    expect(data).toHaveLength(4);
    const ndjson = await textOf(shop().payments.export({ format: 'ndjson' }));
    expect(linesOf(ndjson).map((line) => JSON.parse(line) as unknown)).toEqual(data);
    expect(await textOf(overHttp().payments.export({ format: 'ndjson' }))).toBe(ndjson);

    const csv = await textOf(shop().payments.export({ format: 'csv' }));
    const [headings = '', ...rows] = csv.split('\r\n').slice(0, -1);
    expect(headings).toBe(
      'id,attempted_at,outcome,reason,amount_display,symbol,amount_usd,amount,amount_received,decimals,mint,' +
        'fee_lamports,signature,period_start,period_end,retry,retry_number,plan,subscription,wallet,external_id,email,' +
        'refunded_display,refunded_amount,refund_signatures,receipt_number',
    );
    expect(headings.split(',').toSorted()).toEqual(Object.keys(data[0] ?? {}).toSorted());
    const [newest] = data.filter(({ external_id }) => external_id === 'reader-1');
    expect(rows).toContain(
      headings
        .split(',')
        .map((name) => newest?.[name as 'id'] ?? '')
        .join(','),
    );
    expect(rows.filter((row) => row.includes(`,"'=1+1, ""it""",`))).toHaveLength(2);
    expect(await textOf(overHttp().payments.export({ format: 'csv' }))).toBe(csv);
    const oneCustomer = await textOf(shop().payments.export({ format: 'csv', external_id: 'reader-1' }));
    expect(oneCustomer.split('\r\n')).toHaveLength(4);
  });

  // payments#columns-of-exports
  it('of subscriptions has what a search finds, and what each has paid', async () => {
    const { data } = await shop().subscriptions.search();
    const { mint, decimals } = await shop().plans.retrieve('pro');
    const paid = { paid_count: 2, paid_amount: String(2n * PRICE), decimals, mint };
    const ndjson = await textOf(overHttp().subscriptions.export({ format: 'ndjson', plan: 'pro' }));
    expect(linesOf(ndjson).map((line) => JSON.parse(line) as unknown)).toEqual(
      data.map((row) => ({ ...row, ...paid })),
    );
    const csv = await textOf(shop().subscriptions.export({ format: 'csv', status: 'unpaid' }));
    expect(csv).toBe(`${Object.keys({ ...data[0], ...paid }).join(',')}\r\n`);
  });

  // payments#exports
  it('is a file by its headers, and is refused before it begins', async () => {
    const ask = (path: string, method = 'GET') =>
      world.billing.handler(
        new Request(`https://billing.test/manage/v1/projects/${world.projectId}/${path}`, {
          method,
          headers: { authorization: `Bearer ${key}` },
        }),
      );
    const today = world.now().toISOString().slice(0, 10);
    const answer = await ask('payments/export?format=csv&from=2026-01-01');
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
    ]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      `attachment; filename="payments-night-library-2026-01-01-${today}.csv"`,
    ]);
    expect((await ask('subscriptions/export?format=ndjson')).headers.get('content-type')).toBe(
      'application/x-ndjson; charset=utf-8',
    );
    expect((await ask('figures/export?format=ndjson')).headers.get('content-disposition')).toBe(
      `attachment; filename="figures-night-library-${today}.ndjson"`,
    );
    expect(await (await ask('payments/export?format=csv', 'HEAD')).text()).toBe('');
    for (const query of ['', '?format=xlsx', '?format=csv&limit=3'])
      expect((await ask(`payments/export${query}`)).status).toBe(400);
  });

  // payments#names-of-files
  it('is named by its list, its project and its days', async () => {
    const nameOf = async (path: string) => {
      const answer = await world.billing.handler(
        new Request(`https://billing.test/manage/v1/projects/${world.projectId}/${path}`, {
          headers: { authorization: `Bearer ${key}` },
        }),
      );
      return /"(.*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    };
    const today = world.now().toISOString().slice(0, 10);
    await shop().update({ name: 'Müllers "Laden" 2' });
    expect(await nameOf('payments/export?format=csv&from=2026-01-01&to=2026-01-31')).toBe(
      'payments-mullers-laden-2-2026-01-01-2026-01-31.csv',
    );
    expect(await nameOf('payments/export?format=csv&to=2026-01-31T12:00:00Z')).toBe(
      'payments-mullers-laden-2-2026-01-31.csv',
    );
    expect(await nameOf('subscriptions/export?format=ndjson')).toBe(
      `subscriptions-mullers-laden-2-${today}.ndjson`,
    );
    await shop().update({ name: 'GROẞHANDEL Łukasz & Søn' });
    expect(await nameOf('subscriptions/export?format=csv')).toBe(
      `subscriptions-grosshandel-lukasz-son-${today}.csv`,
    );
    await shop().update({ name: '夜の図書館' });
    expect(await nameOf('figures/export?format=csv')).toBe(`figures-${world.projectId}-${today}.csv`);
    await shop().update({ name: 'Night Library' });
  });

  // payments#exports
  it('has each payment once although others are written, a part at a time', async () => {
    const ids: AttemptId[] = (await shop().payments.list()).data.map(({ id }) => id as AttemptId);
    let parts = 0;
    const host = world.host({
      ...world.store,
      // Parts of one payment, and a payment before each further one.
      async searchPayments(projectId, filter, page) {
        if (parts++ > 0) {
          world.advance(1000);
          await world.subscribe(await world.wallet(PRICE));
        }
        return world.store.searchPayments(projectId, filter, { ...page, limit: 1 });
      },
    });
    const text = await host.billing.project(world.projectId).payments.export({ format: 'ndjson' });
    expect(parts).toBe(1);
    const seen: unknown[] = [];
    for await (const part of text) {
      seen.push((JSON.parse(part) as { readonly id: string }).id);
      expect(parts).toBe(seen.length);
    }
    expect(seen).toEqual(ids);
  });

  // payments#exports
  it('of subscriptions goes on after expired checkouts that are deleted meanwhile', async () => {
    const checkout = async (name: string) => {
      world.advance(1000);
      const { address: wallet } = await world.wallet(PRICE);
      const { subscription } = await shop().subscriptions.create({ plan: 'pro', wallet, external_id: name });
      return subscription.id;
    };
    const deleted = [await checkout('gone'), await checkout('gone too')];
    world.advance(DAY);
    await world.work();
    world.advance(31 * DAY);
    const newest = await world.subscribe(await world.wallet(PRICE), 'new');
    const parts: (string | null)[] = [];
    const host = world.host({
      ...world.store,
      // Parts of two subscriptions, and retention before the second: the last one of the first part is gone.
      async searchSubscriptions(projectId, filter, now, page) {
        parts.push(page.startingAfter);
        while (parts.length === 2 && !(await world.billing.worker.prune()).finished);
        return world.store.searchSubscriptions(projectId, filter, now, { ...page, limit: 2 });
      },
    });
    const text = await textOf(
      host.billing.project(world.projectId).subscriptions.export({ format: 'ndjson' }),
    );
    const ids = linesOf(text).map((line) => (JSON.parse(line) as { readonly id: string }).id);
    const left = (await shop().subscriptions.search()).data.map(({ id }) => id);
    expect(left[0]).toBe(newest);
    for (const id of deleted) expect(left).not.toContain(id);
    expect(ids).toEqual([newest, deleted[1], ...left.slice(1)]);
    expect(parts.slice(0, 3)).toEqual([null, deleted[1], newest]);
  });

  // payments#unreadable-records-in-exports
  it('that lacks a record fails after all others, in process and over HTTP', async () => {
    const host = world.host({
      ...world.store,
      async searchPayments(...search) {
        const page = await world.store.searchPayments(...search);
        if (page === 'unknown_cursor') return page;
        return { ...page, unreadable: [{ id: 'att_damaged', error: new SyntaxError('not a number') }] };
      },
    });
    const { length } = linesOf(await textOf(shop().payments.export({ format: 'csv' })));
    for (const [payments, message] of [
      [host.billing.project(world.projectId).payments, /lacks what cannot be read: att_damaged\./],
      [overHttp(host.billing).payments, /connection failed/],
    ] as const) {
      let text = '';
      const read = async () => {
        for await (const part of await payments.export({ format: 'csv' })) text += part;
      };
      await expect(read()).rejects.toThrow(message);
      expect(linesOf(text)).toHaveLength(length);
    }
    world.forgiveErrors('because the store cannot read it');
  });
});

describe('an export of figures', () => {
  let figures: TestWorld;
  beforeAll(async () => {
    ({ world: figures } = await playFiftyDays());
    const { billing, projectId } = figures;
    const reached = { world: figures, manager: billing, shop: billing.project(projectId) };
    // Plans that nothing has happened to have no rows, and make a part of fewer days.
    for (let plan = 0; plan < 24; plan++) await newPlan(reached);
  });

  // payments#exports
  // payments#columns-of-exports
  it.each(['day', 'week', 'month'] as const)('adds up to the report by %s, a part at a time', async (by) => {
    let reads = 0;
    const { projectId, store } = figures;
    const host = figures.host({
      ...store,
      async readFigures(...span) {
        reads++;
        return store.readFigures(...span);
      },
    });
    const { reports } = host.billing.project(projectId);
    const query = { from: '2026-01-01', by };
    const text = await reports.export({ format: 'ndjson', ...query });
    expect(reads).toBe(1);
    let ndjson = '';
    for await (const part of text) ndjson += part;
    // Of 25 plans, 20 parts are read at once.
    expect(reads).toBe(by === 'day' ? 3 : 1);

    const { data, total } = await reports.figures({ ...query, per: 'plan', plan: 'pro' });
    const rows = linesOf(ndjson).map((line) => JSON.parse(line) as Record<string, string | number>);
    expect(rows.map((row) => [row['date'], row['plan']])).toEqual(data.map((row) => [row.date, row.plan]));
    const [token] = total.tokens;
    if (token === undefined) throw new Error('The plan has a token.');
    const { collected, failed, recovered, mrr, decimals, mint } = token;
    const sumOf = (name: string) =>
      rows.reduce((sum, row) => sum + BigInt(Math.round(Number(row[name]) * 1_000_000)), 0n);
    for (const [name, of] of Object.entries({ collected, failed, recovered })) {
      expect([name, sumOf(`${name}_count`)]).toEqual([name, BigInt(of.count) * 1_000_000n]);
      expect([name, sumOf(`${name}_amount`)]).toEqual([name, BigInt(of.amount) * 1_000_000n]);
      expect([name, sumOf(`${name}_display`)]).toEqual([name, BigInt(of.amount)]);
    }
    expect(sumOf('collected_usd')).toBe(60_000_000n);
    for (const name of ['new', 'returned', 'lost', 'fees_lamports'] as const)
      expect([name, sumOf(name)]).toEqual([name, BigInt(total[name]) * 1_000_000n]);
    const { active, recurring } = total;
    expect(rows.at(-1)).toMatchObject({
      ...{ active, recurring, decimals, mint, symbol: null, unpriced_count: 0 },
      ...{ mrr_amount: mrr.amount, mrr_display: '15.21875', mrr_usd: mrr.amount_usd },
    });

    const csv = (await textOf(reports.export({ format: 'csv', ...query }))).split('\r\n');
    expect(csv[0]).toBe(
      'date,plan,symbol,collected_count,collected_display,collected_usd,unpriced_count,failed_count,' +
        'failed_display,recovered_count,recovered_display,mrr_display,mrr_usd,new,returned,lost,active,' +
        'recurring,fees_lamports,collected_amount,failed_amount,recovered_amount,mrr_amount,decimals,mint',
    );
    expect(csv.slice(1, -1)).toEqual(
      rows.map((row) =>
        Object.values(row)
          .map((cell) => (cell as string | null) ?? '')
          .join(','),
      ),
    );
    const other = { mint: figures.owner.address, format: 'ndjson' } as const;
    expect(await textOf(reports.export(other))).toBe('');
  });
});
