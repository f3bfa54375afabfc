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
  // attempts#results-of-a-sent-transaction, attempts#closed-authority-stops
  it('program_103 by the program counts once a read agrees', async () => {
    await begin();
    meanwhile = () => outside.closeAuthority();
    await passMonth();
    expect(await outcomes()).toEqual(['rejected program_103']);
    expect(await read()).toMatchObject({ status: 'stopped', stop_reason: 'authority_closed' });
  });
});

// blocks#causes-of-a-block, blocks#status-while-blocked
describe('a block by the plan or the token keeps access until its date and spends no retry', () => {
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
});

describe('a period that the chain holds as paid by another transfer', () => {
  // attempts#period-already-paid
  it('is period_already_paid too when it was pulled after the read and the charge was refused', async () => {
    await begin();
    meanwhile = () => outside.pullAsOwner();
    await passMonth();
    expect(await outcomes()).toEqual(['blocked program_400', 'skipped period_already_paid']);
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });
});
