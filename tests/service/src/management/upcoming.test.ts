import type { Schedule, UpcomingWire } from '@subrail/core/schemas';
import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';

import {
  refusal,
  actionsOf,
  DAY,
  HOUR,
  missSecondMonth,
  openTestWorld,
  PRICE,
  submitCheckout,
  type IssuedCheckout,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;

const reports = () => world.billing.project(world.projectId).reports;

/** Subscribes a new wallet with many tokens to a plan. */
async function subscribe(plan: string, wallet: KeyPairSigner): Promise<string> {
  const { body } = await world.call('POST', '/subscriptions', { plan, wallet: wallet.address });
  const checkout = body as unknown as IssuedCheckout;
  const { status, body: answer } = await submitCheckout(world, wallet, checkout);
  if (status !== 201) throw new Error(`submit answered ${status}: ${JSON.stringify(answer)}`);
  return checkout.subscription.id;
}

/** Reads all that comes next, so many items a page. */
async function allUpcoming(limit: number): Promise<UpcomingWire[]> {
  const items: UpcomingWire[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const page = await reports().upcoming({ limit, ...(next === undefined ? {} : { starting_after: next }) });
    expect([page.has_more, page.unreadable]).toEqual([page.next !== null, []]);
    items.push(...page.data);
    next = page.next;
  }
  return items;
}

const inShort = ({ subscription, kind, reason, due_at }: UpcomingWire) =>
  `${subscription} ${reason ?? kind} ${due_at}`;

describe('what comes next in a project', () => {
  // management#upcoming-charges
  it('is listed soonest first: charges, retries and ends, each as its subscription shows it', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const endsAt = new Date(Math.ceil(world.now().getTime() / 1000) * 1000 + 80 * DAY).toISOString();
    await world.publishPlan(world.projectId, 'season', { ends_at: endsAt });
    const wallets = [await world.wallet(10n * PRICE), await world.wallet(10n * PRICE)] as const;
    const late = await missSecondMonth(world, await world.wallet(10n * PRICE), 1);
    const paid = await subscribe('pro', wallets[0]);
    world.advance(HOUR);
    const seasonal = await subscribe('season', wallets[0]);
    world.advance(HOUR);
    const cancelled = await subscribe('pro', wallets[1]);
    await actionsOf(world, wallets[1], cancelled).act('cancel');

    const shop = world.billing.project(world.projectId).subscriptions;
    const [one, two, three, four] = await Promise.all(
      [late, paid, seasonal, cancelled].map((id) => shop.retrieve(id)),
    );
    const expected = [
      `${late} retry ${one?.next_retry_at}`,
      `${paid} charge ${two?.next_charge_at}`,
      `${seasonal} charge ${three?.next_charge_at}`,
      `${cancelled} cancelled ${four?.closable_from}`,
      `${seasonal} plan_ended ${endsAt.slice(0, -1)}Z`,
    ];
    for (const limit of [1, 2, 100]) expect((await allUpcoming(limit)).map(inShort)).toEqual(expected);
    const [retry, , , end] = await allUpcoming(100);
    expect(retry).toMatchObject({
      kind: 'retry',
      plan: 'pro',
      wallet: one?.wallet,
      external_id: 'customer-1',
      email: null,
      amount: PRICE.toString(),
      mint: world.token.mint,
      decimals: 6,
    });
    expect(end).toMatchObject({ kind: 'end', reason: 'cancelled', amount: null });
  });

  // management#pages-of-upcoming-charges
  it('goes on behind a charge that was made since, and refuses what is no place', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.push(await subscribe('pro', await world.wallet(10n * PRICE)));
      world.advance(HOUR);
    }
    const first = await reports().upcoming({ limit: 1 });
    expect(first.data.map(({ subscription }) => subscription)).toEqual([ids[0]]);
    world.advance(30 * DAY - 3 * HOUR);
    await world.work();
    const { data } = await reports().upcoming({ limit: 3, starting_after: first.next ?? '' });
    expect(data.map(({ subscription }) => subscription)).toEqual([ids[1], ids[2], ids[0]]);

    for (const starting_after of ['sub_1', '12', ids[0] ?? '']) {
      expect(await refusal(reports().upcoming({ starting_after }))).toBe('invalid_request');
    }
  });
});

describe('the schedule of a project', () => {
  // management#sums-by-day
  it('sums up by day what is charged on these days, when every charge pays', async () => {
    world = await openTestWorld({ store: 'sqlite', periodHours: 24 });
    const startOfDay = Math.floor(world.now().getTime() / DAY) * DAY;
    await world.publishPlan(world.projectId, 'season', {
      period_hours: 36,
      ends_at: new Date(startOfDay + 6 * DAY).toISOString(),
    });
    await world.publishPlan(world.projectId, 'hours', { period_hours: 7, amount: '70' });
    const wallet = await world.wallet(1000n * PRICE);
    for (const plan of ['pro', 'season', 'hours']) await subscribe(plan, wallet);
    const cancelling = await world.wallet(10n * PRICE);
    const cancelled = await subscribe('pro', cancelling);
    await actionsOf(world, cancelling, cancelled).act('cancel');
    const announced = await reports().schedule({ days: 8 });
    expect(announced.data[0]?.mint).toBe(world.token.mint);

    const since = world.now();
    while (world.now().getTime() < startOfDay + 8 * DAY - HOUR) {
      world.advance(HOUR);
      await world.work();
    }
    const sums = new Map<string, { count: number; amount: bigint }>();
    for (const { id } of (await world.billing.project(world.projectId).subscriptions.search({ limit: 100 }))
      .data)
      for (const { outcome, attempted_at, amount } of (
        await world.billing.project(world.projectId).subscriptions.attempts(id, { limit: 100 })
      ).data) {
        if (new Date(attempted_at) <= since || outcome !== 'paid') continue;
        const date = attempted_at.slice(0, 10);
        const sum = sums.get(date) ?? { count: 0, amount: 0n };
        sums.set(date, { count: sum.count + 1, amount: sum.amount + BigInt(amount) });
      }
    const collected = [...sums].sort().map(([date, { count, amount }]) => `${date} ${count} ${amount}`);
    expect(collected).toHaveLength(8);
    expect(daysOf(announced)).toEqual(collected);
  });

  // management#sums-by-day
  it('is in dollars by the last price that a charge had', async () => {
    let usd: string | null = null;
    world = await openTestWorld({ ports: { prices: { usd: () => Promise.resolve(usd) } } });
    const dollars = async () =>
      (await reports().schedule({ days: 40 })).data.map(({ charges, retries }) => [
        charges.amount_usd,
        retries.amount_usd,
      ]);
    await world.subscribe(await world.wallet(2n * PRICE));
    expect(await dollars()).toEqual([[null, '0.00']]);
    usd = '3.5';
    await world.subscribe(await world.wallet(PRICE));
    expect(await dollars()).toEqual([['35.00', '0.00']]);
    usd = null;
    world.advance(30 * DAY + HOUR);
    await world.work();
    // The one who paid again is charged in thirty days, the other one is tried again today.
    expect(await dollars()).toContainEqual(['0.00', '17.50']);
  });

  it('counts what is overdue today, and a retry as one', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    await missSecondMonth(world, await world.wallet(10n * PRICE), 0);
    const { data, from, to } = await reports().schedule({ days: '40' });
    expect(data.map(({ charges, retries }) => [charges.count, retries.count])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect([from, to]).toEqual([
      world.now().toISOString().slice(0, 10),
      new Date(world.now().getTime() + 39 * DAY).toISOString().slice(0, 10),
    ]);
    world.advance(3 * DAY);
    const [today] = (await reports().schedule()).data;
    expect([today?.date, today?.retries]).toEqual([
      world.now().toISOString().slice(0, 10),
      { count: 1, amount: PRICE.toString(), amount_usd: null },
    ]);
    for (const days of [0, 91, '091', 1.5]) {
      expect(await refusal(reports().schedule({ days: days as number }))).toBe('invalid_request');
    }
  });
});

function daysOf({ data }: Schedule): string[] {
  return data.map(({ date, charges }) => `${date} ${charges.count} ${charges.amount}`);
}
