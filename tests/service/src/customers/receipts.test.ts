import type { KeyPairSigner } from '@solana/kit';
import { openTestWorld, PRICE, statusAndCode, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { giveBack } from '../management/give-back.js';
import { textOf } from '../management/management-calls.js';
import { pageOf, pageOfApp } from './customer-pages.js';

const MONTH_MS = 30 * 86_400_000;

let world: TestWorld;
let wallet: KeyPairSigner;
let subscription: string;
const shop = () => world.billing.project(world.projectId);
const paid = async () => (await shop().payments.list({ outcome: 'paid' })).data.toReversed();
const firstReceipt = async () => shop().payments.receipt((await paid())[0]?.id ?? '');

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(2n * PRICE);
  subscription = await world.subscribe(wallet, 'reader-1');
});

describe('the receipt of a payment', () => {
  // receipts#content-of-a-receipt
  it('says who paid what to whom, for which period, and by which transaction', async () => {
    const [payment] = await paid();
    expect(await firstReceipt()).toEqual({
      number: '000001',
      attempt: payment?.id,
      subscription,
      paid_at: payment?.attempted_at,
      network: 'devnet',
      seller: { name: (await shop().detail()).name, address: [], tax_id: null },
      customer: { email: null, external_id: 'reader-1', wallet: wallet.address },
      plan: 'pro',
      plan_name: 'Pro',
      period_start: payment?.period_start,
      period_end: payment?.period_end,
      symbol: payment?.symbol,
      mint: world.token.mint,
      decimals: 6,
      amount: PRICE.toString(),
      amount_display: '5',
      amount_received: PRICE.toString(),
      token_fee_display: '0',
      amount_usd: null,
      signature: payment?.signature,
      refunds: [],
    });
  });

  // receipts#number-of-a-receipt, receipts#receipt-of-a-payment
  it('is numbered when it is paid, and nothing that did not pay is', async () => {
    world.advance(MONTH_MS + 1000);
    await world.work();
    // The wallet held two payments.
    world.advance(MONTH_MS + 1000);
    await world.work();
    const all = (await shop().payments.list({ subscription })).data.toReversed();
    expect(all.map(({ outcome, receipt_number }) => [outcome, receipt_number])).toEqual([
      ['paid', '000001'],
      ['paid', '000002'],
      ['rejected', null],
    ]);
    await expect(shop().payments.receipt(all[2]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    const csv = await textOf(shop().payments.export({ format: 'csv', outcome: 'paid' }));
    expect(csv).toMatch(/,receipt_number\r\n.*,000002\r\n.*,000001\r\n$/);
  });

  // receipts#seller-of-a-receipt
  it('has the seller of now, and the prefix of its own time', async () => {
    const seller = {
      legal_name: 'Night Owl GmbH',
      address: ['Gasse 1', '1010 Wien'],
      tax_id: 'ATU12345678',
      receipt_prefix: 'NIGHT',
    };
    expect(await shop().updateSeller(seller)).toEqual(seller);
    world.advance(MONTH_MS + 1000);
    await world.work();
    const numbers = async () => (await paid()).map(({ receipt_number }) => receipt_number);
    expect(await numbers()).toEqual(['000001', 'NIGHT-000002']);
    expect(await shop().updateSeller({ tax_id: null, receipt_prefix: null })).toEqual({
      ...seller,
      ...{ tax_id: null, receipt_prefix: null },
    });
    expect(await shop().seller()).toMatchObject({ legal_name: 'Night Owl GmbH', tax_id: null });
    expect(await numbers()).toEqual(['000001', 'NIGHT-000002']);
    expect((await firstReceipt()).seller).toEqual({
      name: 'Night Owl GmbH',
      address: ['Gasse 1', '1010 Wien'],
      tax_id: null,
    });
  });

  it.each([
    [{ legal_name: 'A\u202Eb' }],
    [{ legal_name: '' }],
    [{ address: ['One\nTwo'] }],
    [{ address: Array.from({ length: 7 }, () => 'A line') }],
    [{ receipt_prefix: 'night' }],
    [{ receipt_prefix: 'NIGHT-' }],
    [{ receipt_prefix: 'N'.repeat(13) }],
  ])('has no seller such as %j', async (changes) => {
    await expect(shop().updateSeller(changes)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  // receipts#refunds-on-a-receipt
  it('shows what was given back, and stays as it is otherwise', async () => {
    const before = await firstReceipt();
    world.advance(1000);
    const signature = await giveBack(world, wallet.address, PRICE / 2n);
    await shop().payments.recordRefund(before.attempt, { signature });
    const { refunds, ...after } = await firstReceipt();
    expect({ ...after, refunds: [] }).toEqual(before);
    expect(refunds).toEqual([{ refunded_at: refunds[0]?.refunded_at, amount_display: '2.5', signature }]);
    expect(Date.parse(refunds[0]?.refunded_at ?? '')).toBeGreaterThan(Date.parse(before.paid_at));
  });
});

// receipts#readers-of-a-receipt
describe('the receipt of a customer', () => {
  it('is what the operator sees, for the customer by a session or by an app', async () => {
    const receipt = await firstReceipt();
    const { url } = await shop().portal.create({ external_id: 'reader-1' });
    for (const page of [pageOf(world, url), pageOfApp(world, { external_id: 'reader-1' })]) {
      const { status, body } = await page.call('GET', `/receipts/${receipt.attempt}`);
      expect([status, body]).toEqual([200, receipt]);
    }
  });

  it('is not found for another customer, as if it did not exist', async () => {
    const { attempt } = await firstReceipt();
    const { url } = await shop().portal.create({ external_id: 'reader-2' });
    for (const page of [pageOf(world, url), pageOfApp(world, { external_id: 'reader-2' })])
      for (const id of [attempt, 'att_0Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh', subscription])
        expect(statusAndCode(await page.call('GET', `/receipts/${id}`))).toBe('404 not_found');
  });
});
