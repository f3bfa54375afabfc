import { afterEach, expect, it } from 'vitest';

import { createTestBilling, type TestBilling } from '../index.js';

let test: TestBilling;
afterEach(() => test.close());

/** The events so far by their short names. */
const events = async () => (await test.events()).map(({ type }) => type.replace('subscription.', ''));

const read = (id: string) => test.project.subscriptions.retrieve(id);

it('plays a subscription from its first payment to its close, with exactly these events', async () => {
  test = await createTestBilling();
  const subscription = await test.subscribe({ external_id: 'customer-42' });
  expect(subscription).toMatchObject({ status: 'active', access: true, external_id: 'customer-42', plan: 'pro' });
  expect(await events()).toEqual(['created', 'access_granted']);

  await test.advance('30d');
  expect(await read(subscription.id)).toMatchObject({ status: 'active', payment_status: 'paid' });
  expect(await test.walletOf(subscription).balance()).toBe(990_000_000n);

  await test.emptyWallet(subscription);
  await test.advance('30d');
  expect(await read(subscription.id)).toMatchObject({ status: 'unpaid', access: true });
  await test.fund(subscription, 50_000_000n);
  await test.advance('1d');
  expect(await read(subscription.id)).toMatchObject({ status: 'active', payment_status: 'paid' });

  expect(await test.cancel(subscription)).toMatchObject({ status: 'cancelled', access: true });
  expect(await test.resume(subscription)).toMatchObject({ status: 'active' });
  expect(await test.cancel(subscription)).toMatchObject({ status: 'cancelled' });
  await test.advance('30d');
  expect(await read(subscription.id)).toMatchObject({ status: 'ended', access: false });
  expect(await test.closeSubscription(subscription)).toMatchObject({ status: 'ended', end_reason: 'closed' });

  expect(await events()).toEqual([
    ...['created', 'access_granted', 'renewed', 'payment_failed', 'renewed'],
    ...['cancelled', 'resumed', 'cancelled', 'access_revoked', 'ended'],
  ]);
  expect(test.webhooks().map(({ event }) => event)).toEqual(await test.events());
});
