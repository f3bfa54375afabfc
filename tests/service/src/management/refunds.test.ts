import type { KeyPairSigner } from '@solana/kit';
import type { ServiceError } from '@subrail/core';
import { createManager } from '@subrail/core/client';
import { aSignature } from '@subrail/core/testing';
import { openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';
import { beforeAll, describe, expect, it } from 'vitest';
import { giveBack } from './give-back.js';
import { textOf } from './management-calls.js';

let world: TestWorld;
let payer: KeyPairSigner;
let wallet: string;
/** A transfer to the customer before the second payment. */
let early: string;
let subscription: string;
let overHttp: ReturnType<ReturnType<typeof createManager>['project']>;
const shop = () => world.billing.project(world.projectId);
const record = (id: string, signature: string) => overHttp.payments.recordRefund(id, { signature });

/** The payments of the customer, the oldest first. */
const payments = async () => (await overHttp.payments.list({ subscription })).data.toReversed();

beforeAll(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  payer = await world.wallet(2n * PRICE);
  await world.give(world.owner, 10n * PRICE);
  wallet = payer.address;
  subscription = await world.subscribe(payer, 'reader-1');
  world.advance(30 * 86_400_000);
  early = await giveBack(world, wallet, 1n);
  world.advance(1000);
  await world.work();
  const { key } = await world.billing.management.createKey({ name: 'Desk', access: 'write' });
  const options = { url: 'https://billing.test', key, fetch: world.billing.handler, maxRetries: 0 };
  overHttp = createManager(options).project(world.projectId);
});

// payments#refunds-by-hand
describe('a refund by hand', () => {
  it('is what its transaction brought to the wallet, and is shown wherever its payment is', async () => {
    const [first] = await payments();
    expect(first).toMatchObject({ refunded_amount: '0', refunded_display: '0', refund_signatures: null });
    const half = PRICE / 2n;
    const one = await giveBack(world, wallet, half);
    const recorded = await record(first?.id ?? '', one);
    expect(recorded).toEqual({
      ...first,
      ...{ refunded_amount: half.toString(), refunded_display: '2.5', refund_signatures: one },
    });
    world.advance(1000);
    const other = await giveBack(world, wallet, half);
    const whole = await record(first?.id ?? '', other);
    expect(whole).toMatchObject({ refunded_display: '5', refund_signatures: `${one} ${other}` });
    // The same again changes nothing, also after the whole was given back.
    expect(await record(first?.id ?? '', one)).toEqual(whole);

    expect(await payments()).toContainEqual(whole);
    const csv = await textOf(shop().payments.export({ format: 'csv' }));
    expect(csv.split('\r\n')[0]).toMatch(
      /,email,refunded_display,refunded_amount,refund_signatures,receipt_number$/,
    );
    expect(csv).toContain(`,5,${PRICE},${one} ${other},000001\r\n`);
    const { happened } = await shop().subscriptions.explain(subscription);
    expect(happened.map(({ what }) => what)).toContain(`2.5 tokens were given back by hand (${one}).`);
    const { data } = await world.billing.management.auditEntries({ subject: first?.id });
    expect(data.map(({ operation, outcome }) => [operation, outcome])).toEqual(
      Array.from({ length: 3 }, () => ['payments.recordRefund', 'done']),
    );
  });

  it('is refused when the chain does not show it, or when it gives back more than was charged', async () => {
    const [first, second] = await payments();
    const refused = async (id: string | undefined, signature: string) =>
      record(id ?? '', signature).then(
        () => 'recorded',
        (error: unknown) => `${(error as ServiceError).code}: ${(error as ServiceError).message}`,
      );
    const taken = first?.refund_signatures?.split(' ')[0] ?? '';
    expect(await refused(second?.id, taken)).toMatch(
      /^conflict: All 2\.5 that the transaction brought are recorded with other payments/,
    );
    const more = await giveBack(world, wallet, 1n);
    expect(await refused(first?.id, more)).toMatch(/^conflict: The whole payment is given back/);
    expect(await refused(second?.id, aSignature())).toMatch(
      /^conflict: .* has not landed, or it is older than the history .* set an RPC server that has the whole/,
    );
    expect(await refused(second?.id, early)).toMatch(/^conflict: The transaction is older than the payment/);
    // The charge itself brought nothing to the customer.
    expect(await refused(second?.id, second?.signature ?? '')).toMatch(
      /^conflict: The transaction brought no token/,
    );
    expect(await refused('att_unknown', more)).toMatch(/^not_found/);
    expect(await refused(second?.id, 'no signature')).toMatch(/^invalid_request/);
    const fair = await giveBack(world, wallet, PRICE);
    world.injectFaults((chain) => ({
      async readReceipt(query) {
        const read = await chain.readReceipt(query);
        return read.ok && read.value !== null
          ? { ok: true, value: { ...read.value, succeeded: false } }
          : read;
      },
    }));
    expect(await refused(second?.id, fair)).toMatch(/^conflict: The transaction failed on chain/);
    // As if the refund landed before the charge was recorded, which the server does not find any more.
    world.injectFaults((chain) => ({
      async readReceipt(query) {
        if (query.signature === second?.signature) return { ok: true, value: null };
        const read = await chain.readReceipt(query);
        return read.ok && read.value !== null
          ? { ok: true, value: { ...read.value, time: new Date(0) } }
          : read;
      },
    }));
    expect(await refused(second?.id, fair)).toMatch(/^conflict: .* transaction of the payment any more/);
    world.injectFaults(() => ({
      readReceipt: async () => ({ ok: false, unavailable: { kind: 'transport' } }),
    }));
    expect(await refused(second?.id, fair)).toMatch(/^network_unavailable/);
    world.clearFaults();
    const both = await Promise.all([record(second?.id ?? '', fair), record(second?.id ?? '', fair)]);
    expect(both.map(({ refund_signatures }) => refund_signatures)).toEqual([fair, fair]);
    await world.take(payer, await world.holding(payer));
    world.advance(30 * 86_400_000);
    await world.work();
    const failed = (await payments()).at(-1);
    expect([failed?.outcome, await refused(failed?.id, fair)]).toEqual([
      'rejected',
      expect.stringMatching(/^conflict: The charge did not pay/) as string,
    ]);
  });

  it('of several payments by one transaction is recorded with each, as far as it reaches', async () => {
    await world.give(payer, 10n * PRICE);
    const paid: string[] = [];
    for (let period = 0; period < 3; period++) {
      world.advance(30 * 86_400_000);
      await world.work();
      paid.push((await payments()).at(-1)?.id ?? '');
    }
    const lump = await giveBack(world, wallet, (5n * PRICE) / 2n);
    const recorded = await Promise.all([...paid, ...paid].map((id) => record(id, lump)));
    expect(recorded.every((one) => one.refund_signatures === lump)).toBe(true);
    const given = (await payments()).slice(-3).map(({ refunded_amount }) => BigInt(refunded_amount));
    expect(given.toSorted((one, other) => Number(one - other))).toEqual([PRICE / 2n, PRICE, PRICE]);
    const rest = paid[given.indexOf(PRICE / 2n)] ?? '';
    const other = await giveBack(world, wallet, PRICE);
    expect(await record(rest, other)).toMatchObject({
      refunded_amount: PRICE.toString(),
      refund_signatures: `${lump} ${other}`,
    });
  });
});
