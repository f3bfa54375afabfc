import { aCommit } from '@subrail/core/testing';
import {
  DAY,
  missSecondMonth,
  openTestWorld,
  PRICE,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { expect, it } from 'vitest';

let world: TestWorld;

const shop = () => world.billing.project(world.projectId);

// payments#failing-customers
it('lists those who are late or blocked, with why, what is owed, and what the explanation advises', async () => {
  world = await openTestWorld({ store: 'sqlite' });
  const paying = await world.subscribe(await world.wallet(10n * PRICE), 'reader-1');
  world.advance(1000);
  const late = await missSecondMonth(world, await world.wallet(10n * PRICE), 0);
  const stored = await storedSubscription(world, paying);
  const since = world.now();
  const block = { blockedSince: since, blockedReason: 'mint_paused' } as const;
  expect(await world.store.commit([aCommit({ ...stored, ...block, version: stored.version + 1 })])).toBe(
    'committed',
  );

  const plan = await shop().plans.retrieve('pro');
  const { symbol, mint, decimals } = plan;
  const { data, ...rest } = await shop().subscriptions.failing();
  expect(rest).toEqual({ has_more: false, next: null, unreadable: [] });
  const subscription = await shop().subscriptions.retrieve(late);
  expect(data).toEqual([
    {
      subscription: late,
      plan: 'pro',
      status: 'unpaid',
      wallet: subscription.wallet,
      external_id: subscription.external_id,
      email: subscription.email,
      blocked: false,
      reason: 'insufficient_balance',
      why: expect.stringContaining('(insufficient_balance)') as string,
      since: subscription.current_period_end,
      owed: plan.amount,
      owed_display: plan.amount_display,
      symbol,
      mint,
      decimals,
      next_try_at: subscription.next_retry_at,
      next_retry_number: subscription.next_retry_number,
      to_do: (await shop().subscriptions.explain(late)).to_do,
    },
    expect.objectContaining({
      subscription: paying,
      status: 'active',
      external_id: 'reader-1',
      blocked: true,
      reason: 'mint_paused',
      why: "the token's issuer paused all transfers (mint_paused)",
      since: since.toISOString(),
      owed: '0',
      owed_display: '0',
      next_retry_number: null,
      to_do: (await shop().subscriptions.explain(paying)).to_do,
    }),
  ]);
  expect(data[0]?.to_do).not.toEqual([]);
  expect(data[1]?.to_do).toMatchObject([{ who: 'token_issuer' }]);

  world.advance(31 * DAY);
  const owed = (await shop().subscriptions.failing({ limit: 1, starting_after: late })).data;
  expect(owed).toMatchObject([{ subscription: paying, owed: plan.amount }]);
});
