import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  attemptReasons,
  changeViews,
  HOUR,
  MINUTE,
  MONTH,
  issueCheckout,
  openSubscriber,
  PRICE,
  type TestWorld,
  type TestWorldOptions,
  withOutages,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let unreachable = false;
/** When the first period ends, by the chain's clock. */
let paidEnd: number;

/** A customer who missed the second hour and can pay since. */
async function begin(options: TestWorldOptions): Promise<void> {
  unreachable = false;
  ({ world, wallet, id, paidEnd } = await openSubscriber('late', {
    periodHours: 1,
    wrapChain: (chain) => withOutages(chain, () => (unreachable ? { kind: 'transport' } : null)),
    ...options,
  }));
  await world.give(wallet, PRICE);
}

/** Moves the chain's time to an instant. */
function advanceTo(instant: number): void {
  world.advance(instant - world.chainTime(world.now()).getTime());
}

async function retry() {
  const { status, body } = await world.call('POST', `/subscriptions/${id}/retry`);
  return { code: typeof body['code'] === 'string' ? `${status} ${body['code']}` : String(status), body };
}

// billing-periods#deadlines-use-the-chain-clock
describe('a manual retry on a host whose clock differs from the chain’s', () => {
  it('is accepted until the chain’s clock reaches the deadline, with a host that is ahead', async () => {
    await begin({ tier: 'free', skewMs: 90_000 });
    advanceTo(paidEnd + 57 * MINUTE);
    expect((await retry()).code).toBe('202');
  });

  it('is refused from then on, with a host that is behind', async () => {
    await begin({ tier: 'free', skewMs: -90_000 });
    advanceTo(paidEnd + 58 * MINUTE);
    expect((await retry()).code).toBe('409 retry_deadline_passed');
  });

  it('is accepted until the plan’s last two minutes, with a host that is ahead', async () => {
    await begin({ skewMs: 90_000, endsAfter: 90 * MINUTE });
    const { endsAt } = await world.plan('pro');
    advanceTo(Number(endsAt) - 3 * MINUTE);
    expect((await retry()).code).toBe('202');
  });

  it('is refused in them, with a host that is behind', async () => {
    await begin({ skewMs: -90_000, endsAfter: 90 * MINUTE });
    const { endsAt } = await world.plan('pro');
    advanceTo(Number(endsAt) - 2 * MINUTE);
    expect((await retry()).code).toBe('409 plan_ended');
  });

  it('is refused as network_unavailable when a deadline runs and the chain does not answer', async () => {
    await begin({ tier: 'free' });
    unreachable = true;
    expect((await retry()).code).toBe('503 network_unavailable');
    world.forgiveErrors('network_unavailable');
  });
});

// checkout#plan-about-to-end
describe('the message of plan_ended', () => {
  const ABOUT = 'The plan is about to end: nothing is charged in its last two minutes.';

  it('says that the plan is about to end while its end is ahead', async () => {
    await begin({ endsAfter: 90 * MINUTE });
    const { endsAt } = await world.plan('pro');
    const other = await world.wallet(PRICE);
    const create = () => world.call('POST', '/subscriptions', { plan: 'pro', wallet: other.address });
    const { subscription } = await issueCheckout(world, other);
    advanceTo(Number(endsAt) - MINUTE);
    const refusals = [
      (await retry()).body,
      (await create()).body,
      (await world.call('POST', `/subscriptions/${subscription.id}/transaction`)).body,
    ];
    for (const body of refusals) expect(body).toMatchObject({ code: 'plan_ended', message: ABOUT });
    advanceTo(Number(endsAt) + 1_000);
    expect((await create()).body).toMatchObject({ code: 'plan_ended', message: 'The plan has ended.' });
  });
});

describe('a node whose clock is behind', () => {
  const behindBy = (ms: number) =>
    changeViews((view) => ({ ...view, time: new Date(view.time.getTime() - ms) }));

  // retries#retry-deadline-on-free, billing-periods#deadlines-use-the-chain-clock
  it('keeps a late subscription on Free until the chain’s clock reaches its deadline', async () => {
    const late = await openSubscriber('late', { tier: 'free' });
    late.world.injectFaults(behindBy(HOUR));
    late.world.advance(MONTH - 2 * MINUTE);
    await late.world.work();
    expect(await late.read(late.id)).toMatchObject({ status: 'unpaid' });
    late.world.clearFaults();
    late.world.advance(MINUTE);
    await late.world.work();
    expect(await late.read(late.id)).toMatchObject({
      status: 'stopped',
      stop_reason: 'retry_deadline_passed',
    });
  });

  // billing-periods#waiting-for-the-chain-clock
  it('delays a charge that is due until a minute after it is right', async () => {
    const paid = await openSubscriber('paid');
    paid.world.injectFaults(behindBy(6 * HOUR));
    paid.world.advance(MONTH);
    await paid.world.work();
    expect(await attemptReasons(paid.world, paid.id)).toEqual(['paid']);
    paid.world.clearFaults();
    paid.world.advance(MINUTE);
    await paid.world.work();
    expect(await attemptReasons(paid.world, paid.id)).toEqual(['paid', 'paid']);
  });
});
