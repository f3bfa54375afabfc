import { issueCheckout, openCustomer, PRICE, statusAndCode } from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

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
  // checkout#order-of-submit-checks
  it('transaction_expired comes before transaction_refused', async () => {
    const { world, outside, issue, submit } = await openCustomer();
    const first = await issue();
    world.advance(4 * 60_000);
    await outside.remove('receiver');
    expect(statusAndCode(await submit(first))).toBe('409 transaction_expired');
  });
});
