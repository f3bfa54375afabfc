import { createHandler } from '@subrail/core';
import {
  actionsOf,
  DAY,
  issueCheckout,
  type IssuedCheckout,
  openTestWorld,
  outcomesUnknown,
  PRICE,
  sendsLost,
  statusAndCode,
  submitCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

type Wallet = Awaited<ReturnType<TestWorld['wallet']>>;

let world: TestWorld;
let first: Wallet;
let second: Wallet;

/** What happens right after the next list of a customer's subscriptions. */
let settle: (() => Promise<unknown>) | null;

beforeEach(async () => {
  settle = null;
  world = await openTestWorld({
    store: 'sqlite',
    wrapStore: (store) => ({
      ...store,
      async listForAccess(...of) {
        const listed = await store.listForAccess(...of);
        const now = settle;
        settle = null;
        await now?.();
        return listed;
      },
    }),
  });
  first = await world.wallet(10n * PRICE);
  second = await world.wallet(10n * PRICE);
});

const shop = () => world.billing.project(world.projectId);
const takeOneEach = () => shop().plans.update('pro', { one_per_customer: true });
const create = (wallet: Wallet, customer: object) =>
  world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address, ...customer });
const refusalOf = async (wallet: Wallet, customer: object) => statusAndCode(await create(wallet, customer));
const submit = async (wallet: Wallet, checkout: IssuedCheckout) =>
  statusAndCode(await submitCheckout(world, wallet, checkout));
const statusesOf = async (...checkouts: readonly IssuedCheckout[]) =>
  Promise.all(
    checkouts.map(
      async ({ subscription: { id } }) => (await world.call('GET', `/subscriptions/${id}`)).body['status'],
    ),
  );

async function subscribeAs(wallet: Wallet, customer: object): Promise<string> {
  const { status, body } = await create(wallet, customer);
  expect(status).toBe(201);
  const checkout = body as unknown as IssuedCheckout;
  expect(await submit(wallet, checkout)).toBe('201');
  return checkout.subscription.id;
}

describe('a customer with two wallets', () => {
  // checkout#one-per-customer, management#subscription-explained, management#doctor
  it('pays a plan twice, and the explanations and the doctor say so', async () => {
    const one = await subscribeAs(first, { external_id: 'ada' });
    expect((await shop().doctor.examine()).notes).toEqual([]);
    world.advance(1_000);
    const two = await subscribeAs(second, { external_id: 'ada' });

    const { state, to_do } = await shop().subscriptions.explain(one);
    expect(state).toContain(`The customer pays for this plan with another wallet too, in ${two}.`);
    expect(to_do).toEqual([expect.objectContaining({ who: 'operator' })]);
    expect((await shop().subscriptions.explain(two)).state.join(' ')).toContain(one);
    expect(await shop().doctor.examine()).toMatchObject({
      findings: [],
      notes: [{ check: 'customers_pay_with_one_wallet', rows: [two, one] }],
    });
  });

  // checkout#one-per-customer
  it.each([
    [{ external_id: 'ada' }, { external_id: 'ada', email: 'ada@example.org' }],
    [{ email: 'ada@example.org' }, { email: 'Ada@Example.org' }],
  ])('who subscribed as %j is refused as %j when the plan takes one each', async (before, now) => {
    await takeOneEach();
    await subscribeAs(first, before);
    expect(await refusalOf(second, now)).toBe('409 already_subscribed');
    expect(await refusalOf(second, { external_id: 'grace' })).toBe('201');
  });

  // checkout#one-per-customer
  it('is refused while a payment is late, and not once the subscription is cancelled', async () => {
    await takeOneEach();
    const id = await subscribeAs(first, { external_id: 'ada' });
    await world.take(first, 9n * PRICE);
    world.advance(30 * DAY + 60_000);
    await world.work();
    expect((await world.call('GET', `/subscriptions/${id}`)).body['status']).toBe('unpaid');
    expect(await refusalOf(second, { external_id: 'ada' })).toBe('409 already_subscribed');
    await (await world.outside(first)).cancel();
    world.advance(DAY);
    await world.work();
    expect(await refusalOf(second, { external_id: 'ada' })).toBe('201');
  });

  // checkout#one-per-customer
  it('cannot resume with one wallet while the other pays', async () => {
    await takeOneEach();
    const id = await subscribeAs(first, { external_id: 'ada' });
    await actionsOf(world, first, id).act('cancel');
    const other = await subscribeAs(second, { external_id: 'ada' });
    const served = createHandler(world.billing, { walletRoutes: true, clientAddress: () => null });
    const page = await served(
      new Request(`http://localhost/wallet/v1/${first.address}/subscriptions/${id}/transaction`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'resume' }),
      }),
    );
    expect(await page.json()).toMatchObject({ code: 'already_subscribed' });
    expect(statusAndCode(await world.call('POST', `/subscriptions/${id}/resume`))).toBe(
      '409 already_subscribed',
    );
    await actionsOf(world, second, other).act('cancel');
    expect((await actionsOf(world, first, id).act('resume')).body).toMatchObject({
      subscription: { status: 'active' },
    });
  });

  // checkout#one-per-customer
  it('is not known by a wallet alone', async () => {
    await takeOneEach();
    await subscribeAs(first, {});
    await subscribeAs(second, {});
  });
});

describe('two checkouts of a customer for a plan that takes one each', () => {
  let checkouts: readonly [IssuedCheckout, IssuedCheckout];
  beforeEach(async () => {
    await takeOneEach();
    checkouts = [await issueCheckout(world, first, 'ada'), await issueCheckout(world, second, 'ada')];
  });

  // checkout#one-per-customer
  it('are paid once, one after the other', async () => {
    expect(await submit(first, checkouts[0])).toBe('201');
    expect(await submit(second, checkouts[1])).toBe('409 already_subscribed');
    expect(await statusesOf(...checkouts)).toEqual(['active', 'pending']);
  });

  // checkout#one-per-customer
  it('are paid once when both are submitted at the same time', async () => {
    const answers = await Promise.all([submit(first, checkouts[0]), submit(second, checkouts[1])]);
    expect(answers.filter((answer) => answer === '201')).toHaveLength(1);
    expect(
      answers.filter((answer) => /^409 (already_subscribed|subscription_changed)$/.test(answer)),
    ).toHaveLength(1);
    await world.work();
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  // checkout#one-per-customer
  it('wait for each other: the second is refused until it is known what became of the first', async () => {
    world.injectFaults(outcomesUnknown);
    expect(await submit(first, checkouts[0])).toBe('201 nothing_landed');
    const later = await issueCheckout(world, second, 'ada');
    expect(await submit(second, later)).toBe('409 subscription_changed');
    world.clearFaults();
    await world.work();
    expect(await submit(second, later)).toBe('409 already_subscribed');
    expect(await statusesOf(...checkouts)).toEqual(['active', 'pending']);
  });

  // checkout#one-per-customer
  it('are paid once when the first is settled while the second is checked', async () => {
    world.injectFaults(outcomesUnknown);
    expect(await submit(first, checkouts[0])).toBe('201 nothing_landed');
    world.clearFaults();
    const later = await issueCheckout(world, second, 'ada');
    settle = () => world.billing.worker.charge();
    expect(await submit(second, later)).toBe('409 already_subscribed');
    expect(settle).toBeNull();
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  // checkout#one-per-customer
  it('leave the second possible when the first never lands', async () => {
    world.injectFaults(sendsLost);
    expect(await submit(first, checkouts[0])).toBe('201 transaction_expired');
    world.clearFaults();
    expect(await submit(second, await issueCheckout(world, second, 'ada'))).toBe('201');
    expect(await world.holding(world.owner)).toBe(PRICE);
  });
});
