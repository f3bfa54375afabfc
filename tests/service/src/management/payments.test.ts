import type { PaymentWire } from '@subrail/core/schemas';
import { describe, expect, it } from 'vitest';

import { DAY, missSecondMonth, openTestWorld, PRICE, refusal, type TestWorld } from '@subrail/test-world';

let world: TestWorld;

const payments = () => world.billing.project(world.projectId).payments;
type Query = Parameters<ReturnType<typeof payments>['list']>[0];

/** What a list has on its first page, as text of a table. */
async function list(query?: Query): Promise<string[]> {
  return (await payments().list(query)).data.map(textOf);
}

function textOf({ external_id, attempted_at, outcome, reason, amount_display }: PaymentWire): string {
  return `${attempted_at.slice(0, 10)} ${external_id ?? 'nobody'} ${outcome} ${reason ?? amount_display}`;
}

const dayOf = (days: number) => new Date(world.now().getTime() + days * DAY).toISOString().slice(0, 10);

describe('the payments of a project', () => {
  // payments#list-of-payments
  // payments#span-of-payments
  it('are those of all subscriptions that fit every filter, newest first', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const [payer, poor] = [await world.wallet(10n * PRICE), await world.wallet(10n * PRICE)];
    const begin = dayOf(0);
    const paying = await world.subscribe(payer, 'reader-1');
    world.advance(1000);
    const late = await missSecondMonth(world, poor, 1);
    const amount = (await payments().list({ subscription: paying })).data[0]?.amount_display ?? '';
    const missed = (await payments().list({ outcome: 'rejected' })).data.at(-1);
    const day = missed?.attempted_at.slice(0, 10) ?? '';
    const failed = `${day} customer-1 rejected insufficient_balance`;
    const first = [`${begin} customer-1 paid ${amount}`, `${begin} reader-1 paid ${amount}`];
    const renewed = `${day} reader-1 paid ${amount}`;
    const [{ signature } = { signature: null }] = (await payments().list({ subscription: paying, from: day }))
      .data;
    const all = await list({ limit: 100 });
    expect(all.slice(-2)).toEqual(first);
    expect(all).toContain(failed);
    expect(all).toContain(renewed);

    const mint = world.token.mint;
    const expected: readonly [Query, readonly string[]][] = [
      [{ external_id: 'reader-1' }, [renewed, first[1] ?? '']],
      [{ wallet: payer.address, to: begin }, [first[1] ?? '']],
      [{ subscription: paying, from: day }, [renewed]],
      [{ email: 'nobody@example.com' }, []],
      [{ from: begin, to: begin }, first],
      [{ plan: 'pro', to: begin }, first],
      [{ mint, to: begin }, first],
      [{ mint: payer.address }, []],
      [{ outcome: 'paid', from: day }, [renewed]],
      [{ reason: 'insufficient_balance', subscription: late, to: day }, [failed]],
      [{ reason: 'program_1' }, []],
      [{ signature: signature ?? '' }, [renewed]],
      [{ signature: '1'.repeat(64) }, []],
    ];
    for (const [query, found] of expected) expect([query, await list(query)]).toEqual([query, found]);

    expect(await refusal(payments().list({ plan: 'unknown' }))).toBe('plan_not_found');
    expect(await refusal(payments().list({ starting_after: 'att_1' }))).toBe('invalid_request');
    expect(await refusal(payments().list({ outcome: 'lost' as never }))).toBe('invalid_request');
    expect(await refusal(payments().list({ from: 'yesterday' }))).toBe('invalid_request');
    for (const [from, to] of [
      [day, begin],
      [`${begin}T00:00:00Z`, `${begin}T00:00:00Z`],
    ])
      expect(await refusal(payments().list({ from, to }))).toBe('invalid_request');
    const elsewhere = await world.billing.projects.create({ name: 'Elsewhere' });
    expect((await world.billing.project(elsewhere.id).payments.list()).data).toEqual([]);
  });

  // management#unreadable-records-in-reports
  it('names a payment whose refund cannot be read, in lists, exports and explanations', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    for (let payer = 0; payer < 2; payer++) await world.subscribe(await world.wallet(PRICE));
    const all = (await payments().list({ outcome: 'paid' })).data.map(({ id }) => id);
    const [damaged = '', ...others] = all;
    const error = new SyntaxError('not a number');
    const { billing } = world.host({
      ...world.store,
      listRefunds: async () => ({ refunds: [], unreadable: [damaged, damaged].map((id) => ({ id, error })) }),
    });
    const page = await billing.project(world.projectId).payments.list({ outcome: 'paid' });
    expect([page.data.map(({ id }) => id), page.unreadable]).toEqual([others, [damaged]]);
    const [{ subscription } = { subscription: '' }] = (await payments().list({ outcome: 'paid' })).data;
    const { happened } = await billing.project(world.projectId).subscriptions.explain(subscription);
    expect(happened.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^Access began/),
      expect.stringMatching(/^The first payment landed/),
      'A refund of this charge is recorded, and the service cannot read it.',
      'The checkout was created.',
    ]);
    const exported: unknown[] = [];
    const read = async () => {
      const text = await billing
        .project(world.projectId)
        .payments.export({ format: 'ndjson', outcome: 'paid' });
      for await (const part of text)
        for (const line of part.trim().split('\n')) exported.push((JSON.parse(line) as { id: string }).id);
    };
    await expect(read()).rejects.toThrow(`lacks what cannot be read: ${damaged}.`);
    expect(exported).toEqual(others);
    world.forgiveErrors('because the store cannot read it');
  });

  // payments#fields-of-a-payment
  it('have what an attempt has, and its plan, period, fee and customer', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const wallet = await world.wallet(10n * PRICE);
    const id = await world.subscribe(wallet, 'reader-1');
    world.advance(30 * DAY);
    await world.work();
    const shop = world.billing.project(world.projectId);
    const [{ retries_allowed: _, ...attempt } = { retries_allowed: null }, first] = (
      await shop.subscriptions.attempts(id)
    ).data;
    const plan = await shop.plans.retrieve('pro');
    const page = await payments().list({ limit: 1 });
    expect(page).toEqual({
      data: [
        {
          ...attempt,
          amount_display: plan.amount_display,
          symbol: plan.symbol,
          mint: plan.mint,
          decimals: plan.decimals,
          fee_lamports: expect.stringMatching(/^[1-9][0-9]*$/) as string,
          period_end: (await shop.subscriptions.retrieve(id)).current_period_end,
          plan: 'pro',
          subscription: id,
          wallet: wallet.address,
          external_id: 'reader-1',
          email: null,
          ...{ refunded_display: '0', refunded_amount: '0', refund_signatures: null },
          receipt_number: '000002',
        },
      ],
      has_more: true,
      next: page.data[0]?.id,
      unreadable: [],
    });
    expect(await payments().list({ starting_after: page.next ?? '' })).toMatchObject({
      data: [{ id: first?.id, fee_lamports: null }],
      has_more: false,
      next: null,
    });
  });
});
