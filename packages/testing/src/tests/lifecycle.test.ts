// Heavy: subscriptions are played through months, one of them day by day.

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
  expect(subscription).toMatchObject({
    status: 'active',
    access: true,
    external_id: 'customer-42',
    plan: 'pro',
  });
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
    ...['created', 'access_granted', 'renewal_upcoming', 'renewed'],
    ...['renewal_upcoming', 'payment_failed', 'renewed'],
    ...['cancelled', 'resumed', 'cancelled', 'access_revoked', 'ended'],
  ]);
  expect(test.webhooks().map(({ event }) => event)).toEqual(await test.events());
});

// retries#default-retry-policy, retries#last-retry-stops
it('retries a charge of an empty wallet each day, on time, and stops after the third', async () => {
  test = await createTestBilling();
  const subscription = await test.subscribe();
  await test.emptyWallet(subscription);
  await test.advance('45d');

  expect(await read(subscription.id)).toMatchObject({ status: 'stopped', stop_reason: 'out_of_retries' });
  expect(await events()).toEqual([
    ...['created', 'access_granted', 'renewal_upcoming'],
    ...['payment_failed', 'payment_failed', 'payment_failed', 'payment_failed'],
    ...['stopped', 'access_revoked'],
  ]);
  const { data: attempts } = await test.project.subscriptions.attempts(subscription.id);
  const due = Date.parse(subscription.next_charge_at ?? '');
  expect(attempts.map(({ outcome, attempted_at }) => [outcome, Date.parse(attempted_at) - due])).toEqual([
    ...[3, 2, 1, 0].map((days) => ['rejected', days * 86_400_000]),
    ['paid', Date.parse(attempts.at(-1)?.attempted_at ?? '') - due],
  ]);

  await test.fund(subscription, 5_000_000n);
  const back = await test.subscribe({ wallet: test.walletOf(subscription), external_id: 'customer-1' });
  expect(back).toMatchObject({ status: 'active', access: true });
  expect(await read(subscription.id)).toMatchObject({ status: 'superseded' });
});

it('keeps every event and posts every webhook of a long time, each at its own time', async () => {
  test = await createTestBilling({ plan: { period_hours: 24 } });
  const subscription = await test.subscribe();
  await test.advance('40d');
  const renewals = Array<string[]>(40).fill(['renewal_upcoming', 'renewed']).flat();
  expect(await events()).toEqual(['created', 'access_granted', ...renewals]);
  const webhooks = test.webhooks();
  expect(webhooks.map(({ event }) => event)).toEqual(await test.events());
  // A webhook leaves in the second in which its event is written.
  const delays = webhooks.map(({ event, sentAt }) => sentAt.getTime() - Date.parse(event.created_at));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...delays)).toBeLessThan(1_000);
  expect(await test.owner.balance()).toBe(41n * 5_000_000n);
  expect(await test.walletOf(subscription).balance()).toBe(1_000_000_000n - 41n * 5_000_000n);
});

it('moves time by exactly what it is told when nothing waits for its outcome', async () => {
  test = await createTestBilling({ startAt: new Date('2030-06-01T00:00:00.000Z') });
  await test.subscribe();
  const before = test.now().getTime();
  expect(before).toBeGreaterThanOrEqual(Date.parse('2030-06-01T00:00:00.000Z'));
  expect(before).toBeLessThan(Date.parse('2030-06-01T00:01:00.000Z'));
  await test.advance({ days: 29, hours: 12 });
  expect(test.now().getTime() - before).toBe(29.5 * 86_400_000);
  expect(test.localnet.now()).toEqual(test.now());
  await expect(test.advance(-1)).rejects.toThrow(RangeError);
});

it('moves time to the next charge, to a date, and by a calendar month', async () => {
  test = await createTestBilling({ startAt: new Date('2026-01-31T00:00:00.000Z') });
  const subscription = await test.subscribe();
  const renewed = await test.advanceToRenewal(subscription);
  expect(renewed).toMatchObject({ status: 'active', payment_status: 'paid' });
  expect(Date.parse(renewed.next_charge_at ?? '') - Date.parse(subscription.next_charge_at ?? '')).toBe(
    30 * 86_400_000,
  );
  expect(await events()).toEqual(['created', 'access_granted', 'renewal_upcoming', 'renewed']);
  await test.emptyWallet(subscription);
  expect(await test.advanceToRenewal(subscription)).toMatchObject({ status: 'unpaid' });

  await test.advanceTo(new Date('2026-04-10T06:00:00.000Z'));
  expect(test.now().toISOString()).toBe('2026-04-10T06:00:00.000Z');
  await test.advance('1mo');
  expect(test.now().toISOString()).toBe('2026-05-10T06:00:00.000Z');
  await expect(test.advanceTo(new Date('2026-05-10T05:59:59.000Z'))).rejects.toThrow(RangeError);
  await expect(test.advanceToRenewal(subscription)).rejects.toThrow(
    `No charge of ${subscription.id} is due at any time: its status is stopped.`,
  );
});

it('has the same ids, addresses and secrets in every run, and others with another seed', async () => {
  const run = async (seed: number) => {
    const one = await createTestBilling({ seed });
    const { id, wallet } = await one.subscribe();
    await one.close();
    return [
      id,
      wallet,
      one.projectId,
      one.apiKey,
      one.webhookSecret,
      one.owner.address,
      one.defaultPlan.mint,
    ];
  };
  const [first, again, other] = [await run(1), await run(1), await run(2)];
  expect(again).toEqual(first);
  expect(other.filter((fact) => first.includes(fact))).toEqual([]);
  test = await createTestBilling();
});

it('subscribes to other plans, by other customers, with the wallet that the test made', async () => {
  test = await createTestBilling();
  const plan = await test.plan({ name: 'Team', amount: 20_000_000n, period_hours: 24 });
  expect(plan).toMatchObject({
    slug: 'plan-2',
    name: 'Team',
    amount: '20000000',
    amount_usd: '20.00',
    status: 'active',
  });
  const wallet = await test.wallet({ balance: 30_000_000n });
  const subscription = await test.subscribe({ plan: plan.slug, wallet, email: 'zoe@example.com' });
  expect(subscription).toMatchObject({ plan: 'plan-2', email: 'zoe@example.com', external_id: null });
  expect(subscription.wallet).toBe(wallet.address);
  expect(await wallet.balance()).toBe(10_000_000n);
  await test.advance('1d');
  expect(await read(subscription.id)).toMatchObject({ status: 'unpaid' });
});

it('refuses like the service, and names a wallet that the test did not make', async () => {
  test = await createTestBilling();
  const poor = await test.wallet({ balance: 1n });
  await expect(test.subscribe({ wallet: poor })).rejects.toMatchObject({ code: 'insufficient_balance' });
  await expect(test.emptyWallet({ wallet: 'someone' })).rejects.toThrow(
    'This test did not make the wallet someone. Use test.wallet().',
  );
});

it('serves the HTTP contract with the key of the project', async () => {
  test = await createTestBilling();
  await test.subscribe({ external_id: 'customer-42' });
  const response = await test.handler(
    new Request('http://localhost/v1/access?external_id=customer-42&plan=pro', {
      headers: { authorization: `Bearer ${test.apiKey}` },
    }),
  );
  expect(await response.json()).toMatchObject({ access: true, plan: 'pro' });
});
