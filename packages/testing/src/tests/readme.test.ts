import { readFileSync } from 'node:fs';
import { createCustomerHandler } from '@subrail/core';
import { expect, it } from 'vitest';

import { createRecordedBilling, createTestBilling, installWallets, type WalletContext } from '../index.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The lines of a text without their indentation. */
const lines = (text: string) => text.split('\n').map((line) => line.trim());

// The code between the two lines of dashes is the README's, which the last test compares with it.

it('plays a subscription in six lines', async () => {
  // -----
  const test = await createTestBilling();
  const subscription = await test.subscribe({ external_id: 'customer-42' });
  await test.advance('30d'); // the renewal is charged, its webhook is posted
  await test.emptyWallet(subscription);
  await test.advance('30d'); // the next charge is rejected
  const { status } = await test.project.subscriptions.retrieve(subscription.id); // unpaid
  // -----
  expect(status).toBe('unpaid');
  expect(test.webhooks().map(({ event }) => event.type)).toContain('subscription.renewed');
  await test.close();
});

it('signs what a checkout page hands to the wallet', async () => {
  const test = await createTestBilling();
  // -----
  const wallet = await test.wallet();
  const checkout = await test.project.subscriptions.create({ plan: 'pro', wallet: wallet.address });
  await test.project.subscriptions.submit(checkout.subscription.id, {
    transaction: await wallet.signTransaction(checkout.transaction),
    terms_signature: await wallet.signMessage(checkout.terms.message),
  });
  await test.advance(0); // posts the webhooks that are due now
  // -----
  expect(test.webhooks()).toHaveLength(2);
  await test.close();
});

it('hands webhooks to the app', async () => {
  // -----
  const received: string[] = [];
  const test = await createTestBilling({
    receive: async (request) => {
      received.push(((await request.json()) as { type: string }).type);
      return new Response();
    },
  });
  await test.subscribe();
  // -----
  expect(received.toSorted()).toEqual(['subscription.access_granted', 'subscription.created']);
  await test.close();
});

it('gives a wallet to a page', async () => {
  // -----
  const test = await createTestBilling();

  /** Gives a wallet with 1,000 tokens to the pages that the context opens. */
  async function withWallet(context: WalletContext) {
    const wallet = await test.wallet();
    await installWallets(context, [{ name: 'Test Wallet', accounts: [wallet] }]);
    return wallet;
  }
  // -----
  const scripts: string[] = [];
  const wallet = await withWallet({
    exposeFunction: async () => undefined,
    addInitScript: async ({ content }) => scripts.push(content),
  });
  expect(scripts.join()).toContain(wallet.address);
  await test.close();
});

it('serves the customers of an app', async () => {
  // -----
  const test = await createTestBilling();
  const customers = createCustomerHandler(test.billing, {
    project: test.projectId,
    customer: () => 'customer-42',
  });
  // -----
  const answer = await customers(new Request('https://app.example/api/billing/session'));
  expect(await answer.json()).toMatchObject({ plans: [{ slug: 'pro' }], subscriptions: [] });
  await test.close();
});

it('reads recorded states', async () => {
  // -----
  const { project } = await createRecordedBilling({
    customers: { 'customer-42': 'unpaid', 'customer-7': 'stopped', 'customer-9': 'cancelled' },
  });
  const { access } = await project.access.check({ external_id: 'customer-42', plan: 'pro' }); // true: grace
  // -----
  expect(access).toBe(true);
  const stopped = await project.access.check({ external_id: 'customer-7', plan: 'pro' });
  expect(stopped.access).toBe(false);
});

it('is the code of README.md, block by block', () => {
  const blocks = [...read('../../README.md').matchAll(/^```ts\n(?:(?:import .*\n)+\n)?([^]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  const tested = read('./readme.test.ts')
    .split(/^ +\/\/ -----\n/m)
    .filter((_, index) => index % 2 === 1);
  expect(blocks.map(lines)).toEqual(tested.map(lines));
});
