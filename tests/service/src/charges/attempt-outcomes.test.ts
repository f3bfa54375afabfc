// Heavy: each outcome of an attempt has its own service and chain.

import type { Chain, ChainRefusal } from '@subrail/core/ports';
import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  MONTH,
  MINUTE,
  DAY,
  openSubscriber,
  type OutsideActions,
  PRICE,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;
/** What others do between the read of the chain and the charge that follows it. */
let meanwhile: (() => Promise<void>) | null = null;

/** The refusal that answers the next charge, which is then not sent. */
let refusedWith: ChainRefusal | null = null;

/** The chain with both: before the next send it runs `meanwhile`, and it answers that send with `refusedWith`. */
function withInterruptions(chain: Chain): Chain {
  return {
    ...chain,
    async send(wires) {
      const act = meanwhile;
      meanwhile = null;
      await act?.();
      const refusal = refusedWith;
      refusedWith = null;
      return refusal === null ? chain.send(wires) : wires.map(() => ({ kind: 'refused' as const, refusal }));
    },
  };
}

/** A customer who has paid the first month. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  meanwhile = null;
  refusedWith = null;
  ({ world, wallet, id, outside } = await openSubscriber('paid', {
    wrapChain: withInterruptions,
    ...options,
  }));
}

async function passMonth(): Promise<void> {
  world.advance(MONTH);
  await world.work();
}

const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;

async function attempts(): Promise<readonly Record<string, unknown>[]> {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  return [...(body['data'] as Record<string, unknown>[])].reverse();
}

/** Every attempt after the first payment, as `outcome reason`. */
async function outcomes(): Promise<readonly string[]> {
  return (await attempts()).slice(1).map(({ outcome, reason }) => `${String(outcome)} ${String(reason)}`);
}

describe('a rejected attempt makes the subscription late', () => {
  // attempts#late-reason, attempts#one-read-before-a-charge
  it.each<[string, string | null, (outside: OutsideActions) => Promise<void>]>([
    ['insufficient_balance', 'insufficient_balance', async () => world.take(wallet, 9n * PRICE)],
    ['insufficient_balance', 'insufficient_balance', (they) => they.closeTokenAccount()],
    ['token_account_reassigned', null, (they) => they.reassignTokenAccount()],
    ['token_account_frozen', null, (they) => they.freeze('wallet')],
    ['program_4', 'approval_revoked', (they) => they.revokeApproval()],
    ['program_1', null, (they) => they.approveLittle()],
  ])('%s (late_reason %s) without sending', async (reason, lateReason, act) => {
    await begin();
    await act(outside);
    await passMonth();
    expect(await outcomes()).toEqual([`rejected ${reason}`]);
    expect(await read()).toMatchObject({
      status: 'unpaid',
      payment_status: 'late',
      late_reason: lateReason,
      access: true,
      next_retry_number: 1,
    });
    expect(await world.events()).toEqual(['created', 'access_granted', 'payment_failed']);
  });

  // attempts#late-reason, management#subscription-explained
  it('program_4 when its approval is used up to the last unit, and it is told so', async () => {
    await begin();
    await outside.approveLittle(PRICE);
    await passMonth();
    await passMonth();
    expect(await outcomes()).toEqual(['paid null', 'rejected program_4']);
    expect(await read()).toMatchObject({ status: 'unpaid', late_reason: 'approval_revoked' });
    const { state, to_do } = await world.billing.project(world.projectId).subscriptions.explain(id);
    expect(state.join(' ')).toContain('took back the approval with which it is charged, or it is used up');
    expect(to_do).toContainEqual({
      who: 'customer',
      what: expect.stringMatching(/^Approve the charges again in the wallet before/) as string,
    });
    await outside.approveLittle(PRICE);
    await world.billing.project(world.projectId).subscriptions.retry(id);
    await world.work();
    expect((await outcomes()).at(-1)).toBe('paid null');
  });

  // attempts#late-reason
  it.each<[string, (outside: OutsideActions) => Promise<void>]>([
    ['program_4', (they) => they.revokeApproval()],
    ['program_1', () => world.take(wallet, 9n * PRICE)],
  ])('%s by the program, when it happens after the read', async (reason, act) => {
    await begin();
    meanwhile = () => act(outside);
    await passMonth();
    expect(await outcomes()).toEqual([`rejected ${reason}`]);
    expect(await read()).toMatchObject({ status: 'unpaid' });
  });
});

describe('a closed authorisation stops the subscription at once, whatever retries are left', () => {
  it.each<[string, (outside: OutsideActions) => Promise<void>]>([
    ['program_103', (they) => they.closeAuthority()],
    [
      'program_136',
      async (they) => {
        await they.closeAuthority();
        await they.reopenAuthority();
      },
    ],
    [
      'authority_closed',
      async (they) => {
        await they.closeAuthority();
        await world.take(wallet, 9n * PRICE);
      },
    ],
  ])('%s', async (reason, act) => {
    await begin();
    await act(outside);
    await passMonth();
    expect(await outcomes()).toEqual([`rejected ${reason}`]);
    expect(await read()).toMatchObject({
      status: 'stopped',
      stop_reason: 'authority_closed',
      late_reason: 'authority_closed',
      access: false,
      closable: true,
    });
    const events = ['payment_failed', 'stopped', 'access_revoked'];
    expect(await world.events()).toEqual(['created', 'access_granted', ...events]);
  });

  // attempts#results-of-a-sent-transaction, attempts#closed-authority-stops
  it('program_103 by the program counts once a read agrees', async () => {
    await begin();
    meanwhile = () => outside.closeAuthority();
    await passMonth();
    expect(await outcomes()).toEqual(['rejected program_103']);
    expect(await read()).toMatchObject({ status: 'stopped', stop_reason: 'authority_closed' });
  });

  // attempts#authority-error-needs-a-read, blocks#blocked-reason-from-an-attempt
  it('program_136 that no read confirms is blocked, and charged at the next try', async () => {
    await begin();
    refusedWith = { kind: 'program', code: 136 };
    await passMonth();
    expect(await outcomes()).toEqual(['blocked program_136']);
    expect(await read()).toMatchObject({ status: 'active', blocked_reason: 'mesub', access: true });
    world.advance(10 * MINUTE);
    await world.work();
    expect(await outcomes()).toEqual(['blocked program_136', 'paid null']);
  });
});

// blocks#causes-of-a-block, blocks#status-while-blocked
describe('a block by the plan or the token keeps access until its date and spends no retry', () => {
  it.each<[string, string, TestWorldOptions, (outside: OutsideActions) => Promise<void>]>([
    ['puller_not_allowed', 'puller_not_allowed', {}, (they) => they.removeCharger()],
    ['receiver_not_allowed', 'receiver_not_allowed', { ownerOnly: true }, (they) => they.reassignReceiver()],
    ['receiver_account_missing', 'receiver_account_missing', {}, (they) => they.remove('receiver')],
    ['receiver_account_frozen', 'receiver_account_frozen', {}, (they) => they.freeze('owner')],
    ['mint_gone', 'mint_gone', {}, (they) => they.remove('mint')],
  ])('%s', async (reason, blockedReason, options, act) => {
    await begin(options);
    await act(outside);
    await passMonth();
    expect(await outcomes()).toEqual([`blocked ${reason}`]);
    expect(await read()).toMatchObject({
      status: 'active',
      payment_status: 'paid',
      access: true,
      blocked_reason: blockedReason,
      retries_allowed: null,
    });
    expect(await world.events()).toEqual(['created', 'access_granted']);
  });

  // blocks#wait-between-blocked-tries, blocks#what-ends-a-block
  it('is tried every ten minutes, and charged when its cause is gone, without any act of the customer', async () => {
    await begin();
    await outside.freeze('owner');
    await passMonth();
    world.advance(10 * MINUTE);
    await world.work();
    await outside.thaw('owner');
    world.advance(10 * MINUTE);
    await world.work();
    const blocked = 'blocked receiver_account_frozen';
    expect(await outcomes()).toEqual([blocked, blocked, 'paid null']);
    expect(await read()).toMatchObject({ blocked_since: null, blocked_reason: null });
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
  });

  // blocks#backoff-of-a-long-block, blocks#what-ends-a-block
  it('a long block revokes access at its date, is tried less and less often, and a payment grants access again', async () => {
    await begin();
    await outside.freeze('owner');
    const boundary = world.now().getTime() + MONTH;
    for (let day = 0; day < 35; day++) {
      world.advance(DAY);
      await world.work();
    }
    const revoked = (await world.storedEvents()).at(-1);
    expect(revoked).toMatchObject({
      type: 'subscription.access_revoked',
      detail: { blocked_reason: 'receiver_account_frozen' },
    });
    const began = new Date(String((await read())['blocked_since'])).getTime();
    expect(began - boundary).toBeLessThan(DAY);
    await outside.thaw('owner');
    world.advance(DAY);
    await world.work();
    expect((await world.events()).slice(2)).toEqual([
      ...['renewal_upcoming', 'access_revoked'],
      ...['renewed', 'access_granted'],
    ]);
  });

  it.each<[string, string, (outside: OutsideActions) => Promise<void>]>([
    ['program_130', 'puller_not_allowed', (they) => they.removeCharger()],
    ['program_17', 'receiver_account_frozen', (they) => they.freeze('owner')],
    ['program_110', 'receiver_account_missing', (they) => they.remove('receiver')],
    ['program_109', 'mint_gone', (they) => they.remove('mint')],
  ])('%s by the program, explained by a read as %s', async (reason, blockedReason, act) => {
    await begin();
    meanwhile = () => act(outside);
    await passMonth();
    expect(await outcomes()).toEqual([`blocked ${reason}`]);
    expect(await read()).toMatchObject({ status: 'active', blocked_reason: blockedReason });
  });
});

describe('an end that the chain shows', () => {
  // attempts#first-finding-decides, attempts#cancelled-outside-the-service
  it('a cancellation outside the service is recorded with its expiry', async () => {
    await begin();
    await outside.cancel();
    world.advance(MONTH);
    await world.work();
    expect(await outcomes()).toEqual(['skipped cancelled']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'cancelled', closable: true });
    expect((await world.events()).slice(2)).toEqual(['access_revoked', 'ended']);
  });

  // attempts#gone-needs-two-reads
  it('a closed account is read twice before it ends the subscription (gone_unconfirmed)', async () => {
    await begin();
    await outside.cancel();
    world.advance(MONTH);
    await outside.closeSubscription();
    await world.work();
    expect(await outcomes()).toEqual(['blocked gone_unconfirmed']);
    world.advance(MINUTE);
    await world.work();
    expect(await outcomes()).toEqual(['blocked gone_unconfirmed', 'skipped closed_elsewhere']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'closed_elsewhere', closable: false });
  });

  const ENDS = { endsAfter: 2 * MONTH + 10 * DAY };

  // retries#last-two-minutes-of-a-plan, access#access-stops-at-the-plan-end
  it('plan_ended: no charge near the end, access stops at the end, and the end is recorded after it', async () => {
    await begin(ENDS);
    await passMonth();
    await passMonth();
    expect(await outcomes()).toEqual(['paid null', 'paid null']);
    expect(await read()).toMatchObject({ next_charge_at: null });
    world.advance(10 * DAY);
    expect(await read()).toMatchObject({ status: 'active', access: false });
    world.advance(2_000);
    await world.work();
    expect(await outcomes()).toEqual(['paid null', 'paid null', 'skipped plan_ended']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_ended', closable: true });
    const revoked = (await world.storedEvents()).find(({ type }) => type === 'subscription.access_revoked');
    const { body: plan } = await world.call('GET', '/plans/pro');
    expect(revoked?.createdAt.toISOString()).toBe(plan['ends_at']);
  });

  // attempts#gone-needs-two-reads
  it('plan_removed is read twice before it ends the subscription', async () => {
    await begin(ENDS);
    world.advance(ENDS.endsAfter + 5_000);
    await outside.deletePlan();
    await world.work();
    world.advance(MINUTE);
    await world.work();
    expect(await outcomes()).toEqual(['blocked gone_unconfirmed', 'skipped plan_removed']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_removed' });
  });

  // attempts#plan-terms-that-differ
  it('plan_replaced when another plan has the same number', async () => {
    await begin(ENDS);
    world.advance(ENDS.endsAfter + 5_000);
    await outside.deletePlan();
    await outside.recreatePlan();
    await world.work();
    expect(await outcomes()).toEqual(['skipped plan_replaced']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_replaced' });
  });
});

describe('a period that the chain holds as paid by another transfer', () => {
  // attempts#period-already-paid
  it('is period_already_paid: the subscription advances and no money is recorded', async () => {
    await begin();
    world.advance(MONTH);
    await outside.pullAsOwner();
    await world.work();
    expect(await attempts()).toMatchObject([
      {},
      { outcome: 'skipped', reason: 'period_already_paid', amount: '0' },
    ]);
    const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
    expect(body['paid']).toEqual({ count: 1, amount: PRICE.toString() });
    expect(await read()).toMatchObject({ status: 'active', access: true });
  });

  // attempts#period-already-paid
  it('is period_already_paid too when it was pulled after the read and the charge was refused', async () => {
    await begin();
    meanwhile = () => outside.pullAsOwner();
    await passMonth();
    expect(await outcomes()).toEqual(['blocked program_400', 'skipped period_already_paid']);
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });
});
