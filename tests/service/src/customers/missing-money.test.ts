import type { KeyPairSigner } from '@solana/kit';
import { type ApiAnswer, DAY, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CustomerPage, pageOf, pageOfApp } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

const shop = () => world.billing.project(world.projectId);
const lamports = (amount: bigint) => world.localnet.setAccount(wallet.address, { lamports: amount });
const missingOf = ({ body }: ApiAnswer) => body['missing'] as { readonly amount: string };
const tokens = (amount: bigint) => ({
  ...{ of: 'token', amount: String(amount), needed: String(PRICE) },
  ...{ decimals: 6, symbol: null },
});

/** The customer of a session, and of an app. */
const pages = async (): Promise<readonly CustomerPage[]> => [
  pageOf(world, (await shop().checkouts.create({ plan: 'pro', external_id: 'reader' })).url),
  pageOfApp(world, { external_id: 'reader' }),
];

// portal#missing-money
describe('missing money', () => {
  it('is said in numbers, and to the server of a project in the same words as ever', async () => {
    await world.take(wallet, 9n * PRICE + 1n);
    const create = { plan: 'pro', wallet: wallet.address };
    const server = await world.call('POST', '/subscriptions', create);
    const words = ['statusCode', 'error', 'code', 'message', 'retryable', 'request_id'];
    expect(Object.keys(server.body)).toEqual(words);
    for (const page of await pages()) {
      const { body } = await page.call('POST', '/subscriptions', create);
      expect(Object.keys(body)).toEqual([...words, 'missing']);
      const { request_id: _, ...same } = server.body;
      expect(body).toMatchObject({ ...same, code: 'insufficient_balance', missing: tokens(1n) });
    }
    await expect(shop().subscriptions.create(create)).rejects.toMatchObject({ missing: tokens(1n) });
  });

  it('is all of the price when the wallet has no account for the token', async () => {
    const { address } = await world.wallet(0n);
    for (const page of await pages())
      expect(missingOf(await page.call('POST', '/subscriptions', { plan: 'pro', wallet: address }))).toEqual(
        tokens(PRICE),
      );
  });

  it('is added once, when it is SOL, and then the same checkout goes on', async () => {
    const [page] = (await pages()) as [CustomerPage];
    const { subscription } = await page.create(wallet);
    const path = `/subscriptions/${subscription.id}/transaction`;
    lamports(900_000n);
    const missing = missingOf(await page.call('POST', path));
    const needed = String(900_000n + BigInt(missing.amount));
    expect(missing).toEqual({ of: 'sol', amount: missing.amount, needed, decimals: 9, symbol: 'SOL' });
    lamports(BigInt(needed) - 1n);
    expect(missingOf(await page.call('POST', path))).toMatchObject({ amount: '1', needed });
    lamports(BigInt(needed));
    const fresh = await page.call('POST', path);
    expect(await page.submit(wallet, fresh.body as never)).toMatchObject({ status: 201 });
  });

  it('is what a missed period takes, when it is retried', async () => {
    const poor = await world.wallet(PRICE);
    const id = await world.subscribe(poor, 'reader');
    world.advance(30 * DAY);
    await world.work();
    await world.give(poor, 1n);
    for (const page of await pages()) {
      const refused = await page.call('POST', `/subscriptions/${id}/retry`);
      expect(refused.body).toMatchObject({ code: 'insufficient_balance', missing: tokens(PRICE - 1n) });
    }
    const server = await world.call('POST', `/subscriptions/${id}/retry`);
    expect(server.body).toMatchObject({ code: 'insufficient_balance' });
    expect(server.body).not.toHaveProperty('missing');
  });

  // retries#money-that-would-not-help
  it('is nothing that a retry names when the approval went with the token account', async () => {
    const poor = await world.wallet(PRICE);
    const id = await world.subscribe(poor, 'reader');
    await (await world.outside(poor)).closeTokenAccount();
    world.advance(30 * DAY);
    await world.work();
    for (const page of await pages()) {
      const { body } = await page.call('POST', `/subscriptions/${id}/retry`);
      expect(body).toMatchObject({ code: 'retry_cannot_succeed' });
      expect(body).not.toHaveProperty('missing');
    }
    await world.give(poor, PRICE);
    expect((await world.call('POST', `/subscriptions/${id}/retry`)).body['code']).toBe(
      'retry_cannot_succeed',
    );
  });

  it('is nothing that other refusals name', async () => {
    for (const page of await pages()) {
      const { body } = await page.call('POST', '/subscriptions', { plan: 'none', wallet: wallet.address });
      expect(body).not.toHaveProperty('missing');
    }
  });
});
