// Heavy: each refusal has its own service and chain.

import type { Chain, SimulatedRefusal } from '@subrail/core/ports';
import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';

import { signMessage, signTransaction } from '@subrail/localnet';
import {
  MONTH,
  DAY,
  type IssuedCheckout,
  createCheckout,
  freshTransaction,
  issueCheckout,
  missSecondMonth,
  submitCheckout,
  openTestWorld,
  type OutsideActions,
  PRICE,
  statusAndCode,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let outside: OutsideActions;
const faults: { unreachable: boolean; buildFails: boolean; simulated: SimulatedRefusal | null } = {
  unreachable: false,
  buildFails: false,
  simulated: null,
};

function faulty(chain: Chain): Chain {
  return {
    ...chain,
    readCharges: (targets, commitment) =>
      faults.unreachable
        ? Promise.resolve(
            targets.map(() => ({ ok: false as const, unavailable: { kind: 'transport' as const } })),
          )
        : chain.readCharges(targets, commitment),
    build: (request) =>
      faults.buildFails
        ? Promise.resolve({ ok: false, unavailable: { kind: 'transport' } })
        : chain.build(request),
    simulate: (wire) =>
      faults.simulated === null
        ? chain.simulate(wire)
        : Promise.resolve({ ok: true, value: faults.simulated }),
  };
}

async function begin(options: TestWorldOptions = {}): Promise<void> {
  Object.assign(faults, { unreachable: false, buildFails: false, simulated: null });
  world = await openTestWorld({ store: 'sqlite', wrapChain: faulty, ...options });
  wallet = await world.wallet(10n * PRICE);
  outside = await world.outside(wallet);
}

const create = (who = wallet, customer?: string) => createCheckout(world, who, customer);
const issue = (who = wallet, customer?: string) => issueCheckout(world, who, customer);
const submit = (checkout: IssuedCheckout) => submitCheckout(world, wallet, checkout);
const transaction = (checkout: IssuedCheckout) => freshTransaction(world, checkout);

// checkout#order-of-create-refusals
describe('create is refused for what the wallet already has on the plan', () => {
  // checkout#wallet-already-on-the-plan
  it('payment_pending while its subscription is late, subscription_stopped once that stopped and its authority is closed', async () => {
    await begin();
    await missSecondMonth(world, wallet, 0);
    expect(statusAndCode(await create())).toBe('409 payment_pending');
    await begin();
    await missSecondMonth(world, wallet, 3);
    await outside.closeAuthority();
    expect(statusAndCode(await create())).toBe('409 subscription_stopped');
  });

  // checkout#wallet-already-on-the-plan
  it('subscription_cancelled after a cancellation ended, until the subscription is closed on chain', async () => {
    await begin();
    await world.subscribe(wallet);
    await outside.cancel();
    world.advance(MONTH);
    await world.work();
    expect(statusAndCode(await create())).toBe('409 subscription_cancelled');
    await outside.closeSubscription();
    expect(statusAndCode(await create())).toBe('201');
  });
});

// checkout#plan-checks-at-checkout
describe('create is refused for the state of the plan', () => {
  it.each<[string, TestWorldOptions, () => Promise<void>]>([
    ['409 plan_mismatch', {}, () => outside.removeCharger()],
    ['409 receiver_account_missing', {}, () => outside.remove('receiver')],
    ['400 mint_not_on_chain', {}, () => outside.remove('mint')],
    [
      '409 plan_ended',
      { endsAfter: 35 * DAY },
      () => {
        world.advance(36 * DAY);
        return Promise.resolve();
      },
    ],
    [
      '409 plan_removed',
      { endsAfter: 35 * DAY },
      () => {
        world.advance(36 * DAY);
        return outside.deletePlan();
      },
    ],
    [
      '409 plan_replaced',
      { endsAfter: 35 * DAY },
      async () => {
        world.advance(36 * DAY);
        await outside.deletePlan();
        await outside.recreatePlan();
      },
    ],
  ])('%s', async (expected, options, act) => {
    await begin(options);
    await act();
    expect(statusAndCode(await create())).toBe(expected);
  });

  it('network_unavailable when the chain does not answer, and nothing is reserved', async () => {
    await begin();
    faults.unreachable = true;
    const answer = await create();
    expect(statusAndCode(answer)).toBe('503 network_unavailable');
    expect(answer.body).toMatchObject({ retryable: true });
    faults.unreachable = false;
    world.forgiveErrors('network_unavailable');
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-1');
    expect(body).toEqual({ data: [], has_more: false });
  });
});

describe('limits', () => {
  // seats-and-tiers#what-a-seat-is, seats-and-tiers#subscriber-limit
  it('seat_cap_reached once 30 wallets of a Free project have a seat, also for a checkout that was already open', async () => {
    await begin({ tier: 'free' });
    for (let seat = 0; seat < 29; seat++)
      await world.subscribe(await world.wallet(PRICE), `customer-${seat}`);
    const waiting = await issue(wallet, 'waiting');
    await world.subscribe(await world.wallet(PRICE), 'last');
    expect(statusAndCode(await create(await world.wallet(PRICE), 'too-late'))).toBe('409 seat_cap_reached');
    expect(statusAndCode(await transaction(waiting))).toBe('409 seat_cap_reached');
    expect(statusAndCode(await submit(waiting))).toBe('409 seat_cap_reached');
    const { body } = await world.call('GET', '/plans/pro');
    expect(body).toMatchObject({ available: false });
  });

  // checkout#pending-caps
  it('pending_cap_reached at the eleventh open checkout of one customer', async () => {
    await begin();
    for (let open = 0; open < 10; open++) await issue(await world.wallet(PRICE));
    const refused = await create(await world.wallet(PRICE));
    expect(statusAndCode(refused)).toBe('429 pending_cap_reached');
    world.advance(31 * 60_000);
    await world.work();
    expect(statusAndCode(await create())).toBe('201');
  });

  // checkout#pending-caps
  it('pending_cap_reached, with a Retry-After until the oldest checkout of that customer expires', async () => {
    await begin();
    await issue(await world.wallet(PRICE), 'somebody else');
    world.advance(10 * 60_000);
    for (let open = 0; open < 10; open++) {
      await issue(await world.wallet(PRICE));
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
    await begin();
    const { address } = await world.wallet(PRICE);
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
  // checkout#repeated-submit-is-idempotent, checkout#order-of-submit-checks
  it('not_awaiting_signature for a fresh transaction once the checkout is settled, while a repeated submit is answered', async () => {
    await begin();
    const first = await issue();
    expect((await submit(first)).status).toBe(201);
    expect(statusAndCode(await submit(first))).toBe('201');
    expect(statusAndCode(await transaction(first))).toBe('409 not_awaiting_signature');
  });

  // checkout#order-of-submit-checks
  it('transaction_not_built when create reserved the subscription but could not build its transaction', async () => {
    await begin();
    const otherCheckout = await issue(wallet, 'customer-2');
    faults.buildFails = true;
    expect(statusAndCode(await create(wallet, 'customer-1'))).toBe('503 network_unavailable');
    world.forgiveErrors('network_unavailable');
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-1');
    const [subscription] = body['data'] as [{ id: string }];
    expect(statusAndCode(await submit({ ...otherCheckout, subscription }))).toBe('409 transaction_not_built');
  });

  it('not_awaiting_signature once the checkout expired', async () => {
    await begin();
    const first = await issue();
    world.advance(31 * 60_000);
    await world.work();
    expect(statusAndCode(await submit(first))).toBe('409 not_awaiting_signature');
  });

  // checkout#simulation-before-sending, terms#terms-are-spent-once
  it('transaction_refused when the chain would refuse it; nothing is sent and the terms are not spent', async () => {
    await begin();
    const first = await issue();
    faults.simulated = { kind: 'program', code: 1, cause: 'it is a test' };
    expect(statusAndCode(await submit(first))).toBe('409 transaction_refused');
    faults.simulated = null;
    expect(await submit(first)).toMatchObject({ status: 201, body: { subscription: { status: 'active' } } });
  });

  // checkout#order-of-submit-checks
  it('transaction_expired comes before transaction_refused', async () => {
    await begin();
    const first = await issue();
    world.advance(4 * 60_000);
    await outside.remove('receiver');
    expect(statusAndCode(await submit(first))).toBe('409 transaction_expired');
  });

  it('terms_changed when the terms the wallet signed are no longer current', async () => {
    await begin();
    const first = await issue();
    await outside.removeCharger();
    expect(statusAndCode(await submit(first))).toBe('409 terms_changed');
  });

  // checkout#other-checkouts-of-the-wallet
  it('not_awaiting_signature when another checkout of the wallet landed first', async () => {
    await begin();
    const mine = await issue(wallet, 'customer-1');
    const theirs = await world.inNewBlock(() => issue(wallet, 'customer-2'));
    expect((await submit(mine)).status).toBe(201);
    expect(statusAndCode(await submit(theirs))).toBe('409 not_awaiting_signature');
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  it('not_our_transaction, as a reason, when the transaction was co-signed for another checkout of the project', async () => {
    await begin();
    const mine = await issue(wallet, 'customer-1');
    const theirs = await issue(wallet, 'customer-2');
    expect((await submit(mine)).body).not.toHaveProperty('reason_code');
    const answer = await submitCheckout(world, wallet, mine, theirs.subscription.id);
    expect(statusAndCode(answer)).toBe('201 not_our_transaction');
    expect(answer.body).toMatchObject({ subscription: { id: theirs.subscription.id, status: 'expired' } });
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  // checkout#wallet-checked-again-at-submit
  it('already_subscribed when the wallet subscribed on chain without the service', async () => {
    await begin();
    const first = await issue();
    await outside.subscribe();
    expect(statusAndCode(await submit(first))).toBe('409 already_subscribed');
    const again = await create();
    expect(statusAndCode(again)).toBe('409 already_subscribed');
    expect(again.body['message']).toMatch(
      /on chain that is not on record here.*can cancel it on chain, close it/,
    );
  });

  it('wallet_mismatch when another wallet signed it', async () => {
    await begin();
    const first = await issue();
    const otherWallet = await world.wallet(PRICE);
    const otherCheckout = await issue(otherWallet, 'customer-2');
    const answer = await world.call('POST', `/subscriptions/${first.subscription.id}/submit`, {
      transaction: await signTransaction(otherWallet, otherCheckout.transaction),
      terms_signature: await signMessage(otherWallet, first.terms.message),
    });
    expect(statusAndCode(answer)).toBe('409 wallet_mismatch');
  });

  it('network_unavailable when the chain does not answer, and the same submit goes through later', async () => {
    await begin();
    const first = await issue();
    faults.unreachable = true;
    expect(statusAndCode(await submit(first))).toBe('503 network_unavailable');
    faults.unreachable = false;
    world.forgiveErrors('network_unavailable');
    expect(await submit(first)).toMatchObject({ status: 201, body: { subscription: { status: 'active' } } });
  });
});
