import {
  issueCheckout,
  MONTH,
  openCustomer,
  openSubscriber,
  PRICE,
  statusAndCode,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

// checkout#order-of-create-refusals
describe('create is refused for what the wallet already has on the plan', () => {
  // checkout#wallet-already-on-the-plan
  it('subscription_stopped once it stopped out of retries and its authority is closed', async () => {
    const { outside, create } = await openSubscriber('stopped');
    await outside.closeAuthority();
    expect(statusAndCode(await create())).toBe('409 subscription_stopped');
  });

  // checkout#wallet-already-on-the-plan
  it('subscription_cancelled after a cancellation ended, until the subscription is closed on chain', async () => {
    const { world, outside, create } = await openSubscriber('paid');
    await outside.cancel();
    world.advance(MONTH);
    await world.work();
    expect(statusAndCode(await create())).toBe('409 subscription_cancelled');
    await outside.closeSubscription();
    expect(statusAndCode(await create())).toBe('201');
  });
});

describe('limits', () => {
  // checkout#pending-caps
  it('pending_cap_reached, with a Retry-After until the oldest checkout of that customer expires', async () => {
    const { world } = await openCustomer();
    const issue = async (customer?: string) => issueCheckout(world, await world.wallet(PRICE), customer);
    await issue('somebody else');
    world.advance(10 * 60_000);
    for (let open = 0; open < 10; open++) {
      await issue();
      if (open === 0) world.advance(5 * 60_000);
    }
    const { address } = await world.wallet(PRICE);
    const request = { plan: 'pro', wallet: address, external_id: 'customer-1' };
    await expect(world.billing.project(world.projectId).subscriptions.create(request)).rejects.toMatchObject({
      code: 'pending_cap_reached',
      retryAfter: 25 * 60,
    });
  });

  // checkout#cap-counts-own-checkouts
  it('pending_cap_reached by no number of checkouts that others opened for the wallet or the email', async () => {
    const { world, wallet } = await openCustomer();
    const { address } = wallet;
    const { subscriptions } = world.billing.project(world.projectId);
    const named = { plan: 'pro', wallet: address, email: 'ann@example.com' };
    for (let count = 0; count < 10; count++)
      await subscriptions.create({ ...named, external_id: `stranger-${count}` });
    expect((await subscriptions.create(named)).subscription.status).toBe('pending');
    expect((await subscriptions.create({ plan: 'pro', wallet: address })).subscription.status).toBe(
      'pending',
    );
  });
});

describe('submit is refused', () => {
  it('not_awaiting_signature once the checkout expired', async () => {
    const { world, issue, submit } = await openCustomer();
    const first = await issue();
    world.advance(31 * 60_000);
    await world.work();
    expect(statusAndCode(await submit(first))).toBe('409 not_awaiting_signature');
  });

  // checkout#order-of-submit-checks
  it('transaction_expired comes before transaction_refused', async () => {
    const { world, outside, issue, submit } = await openCustomer();
    const first = await issue();
    world.advance(4 * 60_000);
    await outside.remove('receiver');
    expect(statusAndCode(await submit(first))).toBe('409 transaction_expired');
  });

  // checkout#other-checkouts-of-the-wallet
  it('not_awaiting_signature when another checkout of the wallet landed first', async () => {
    const { world, issue, submit } = await openCustomer();
    const mine = await issue('customer-1');
    const theirs = await world.inNewBlock(() => issue('customer-2'));
    expect((await submit(mine)).status).toBe(201);
    expect(statusAndCode(await submit(theirs))).toBe('409 not_awaiting_signature');
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  // checkout#wallet-checked-again-at-submit
  it('already_subscribed when the wallet subscribed on chain without the service', async () => {
    const { outside, create, issue, submit } = await openCustomer();
    const first = await issue();
    await outside.subscribe();
    expect(statusAndCode(await submit(first))).toBe('409 already_subscribed');
    const again = await create();
    expect(statusAndCode(again)).toBe('409 already_subscribed');
    expect(again.body['message']).toMatch(
      /on chain that is not on record here.*can cancel it on chain, close it/,
    );
  });
});
