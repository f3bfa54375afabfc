// Heavy: each recorded state is reached again by real transactions, through months.

import { address } from '@solana/kit';
import type { ProjectBilling } from '@subrail/core';
import { expect, it } from 'vitest';

import { createRecordedBilling, createTestBilling, type TestBilling } from '../../index.js';
import type { Duration } from '../../duration.js';
import type { RecordedState } from '../recorded-states.js';

type ReachableState = Exclude<RecordedState, 'paused' | 'failed'>;

const subscribe = (test: TestBilling) => test.subscribe({ external_id: 'customer-42' });

/** The real transactions that lead to a state. Nothing parks a seat or fails a checkout that easily. */
const REACH: Readonly<Record<ReachableState, (test: TestBilling) => Promise<string>>> = {
  async pending(test) {
    const { address: wallet } = await test.wallet();
    const checkout = { plan: 'pro', wallet, external_id: 'customer-42' };
    return (await test.project.subscriptions.create(checkout)).subscription.id;
  },
  async expired(test) {
    const id = await REACH.pending(test);
    await test.advance('31m');
    return id;
  },
  async active(test) {
    const { id } = await subscribe(test);
    await test.advance('10d');
    return id;
  },
  unpaid: (test) => missSecondPeriod(test, '30d'),
  async blocked(test) {
    const { id } = await subscribe(test);
    const [owner, mint] = [address(test.owner.address), address(test.defaultPlan.mint)];
    test.localnet.setTokenAccount(owner, mint, { state: 'frozen' });
    await test.advance('30d');
    return id;
  },
  cancelled: async (test) => (await test.cancel(await subscribe(test))).id,
  stopped: (test) => missSecondPeriod(test, '34d'),
  async ended(test) {
    const { id } = await test.cancel(await subscribe(test));
    await test.advance('31d');
    return id;
  },
  async superseded(test) {
    const subscription = await subscribe(test);
    const wallet = test.walletOf(subscription);
    await test.emptyWallet(wallet);
    await test.advance('34d');
    await test.fund(wallet, 50_000_000n);
    await test.subscribe({ external_id: 'customer-42', wallet });
    return subscription.id;
  },
};

async function missSecondPeriod(test: TestBilling, duration: Duration): Promise<string> {
  const subscription = await subscribe(test);
  await test.emptyWallet(subscription);
  await test.advance(duration);
  return subscription.id;
}

/** A subscription as read, with `set` for each id, address and date. */
async function readings({ access, subscriptions }: ProjectBilling, id: string): Promise<unknown> {
  const subscription = await subscriptions.retrieve(id);
  const { data: attempts } = await subscriptions.attempts(id);
  const { revalidate_after: _, ...answer } = await access.check({ external_id: 'customer-42', plan: 'pro' });
  // A blocked charge is tried every ten minutes, so that it has as many attempts as time has passed.
  const tries = attempts.filter(({ outcome }, index) => outcome !== 'blocked' || index === 0);
  // The subscription that took the place of a superseded one answers for it.
  return shape({
    subscription,
    attempts: tries,
    answer: subscription.status === 'superseded' ? null : answer,
  });
}

function shape(value: unknown): unknown {
  const text = JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'string' && (/^[A-Za-z0-9_]{28,}$/.test(field) || /^\d{4}-\d\d-\d\dT/.test(field))
      ? 'set'
      : field,
  );
  return JSON.parse(text) as unknown;
}

it.each(Object.keys(REACH) as ReachableState[])(
  'a subscription recorded as %s reads like one that got there by real transactions',
  async (state) => {
    const test = await createTestBilling();
    const reached = await REACH[state](test);
    const recorded = await createRecordedBilling();
    const { id } = await recorded.subscription(state, { external_id: 'customer-42' });
    expect(await readings(recorded.project, id)).toEqual(await readings(test.project, reached));
    await test.close();
  },
);
