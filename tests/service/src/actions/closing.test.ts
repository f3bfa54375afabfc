import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';

import { sendTransaction } from '@subrail/localnet';
import {
  MONTH,
  type Action,
  actionsOf,
  historySilent,
  HOUR,
  type IssuedCheckout,
  openTestWorld,
  outcomesPending,
  outcomesUnknown,
  type OutsideActions,
  PRICE,
  signCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let outside: OutsideActions;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  world = await openTestWorld({ store: 'sqlite', ...options });
  wallet = await world.wallet(10n * PRICE);
  outside = await world.outside(wallet);
}

beforeEach(() => begin());

const build = (id: string, action: Action) => actionsOf(world, wallet, id).build(action);
const act = (id: string, action: Action) => actionsOf(world, wallet, id).act(action);
const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;
const create = () => world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address });

/** A checkout that failed, because `meanwhile` ran between its landing and the service's read of it. */
async function failedCheckout(code: string, meanwhile: () => Promise<void>): Promise<string> {
  const issued = (await create()).body as unknown as IssuedCheckout;
  const { id } = issued.subscription;
  const signed = await signCheckout(wallet, issued);
  world.injectFaults(outcomesUnknown);
  await world.call('POST', `/subscriptions/${id}/submit`, signed);
  await meanwhile();
  world.clearFaults();
  await world.work();
  const { body } = await world.call('POST', `/subscriptions/${id}/submit`, signed);
  expect(body).toMatchObject({ subscription: { status: 'failed' }, reason_code: code });
  return id;
}

/** A checkout that failed because the wallet closed the account and made another one, which runs. */
const remadeCheckout = () =>
  failedCheckout('subscription_remade', async () => {
    await outside.cancel();
    world.advance(MONTH + HOUR);
    await outside.closeSubscription();
    await outside.subscribe();
  });

// cancel-resume-close#closing-a-failed-checkout
describe('a checkout that failed with its account on chain', () => {
  it('is closed after the end of the cancellation that its wallet made, stays failed, and frees the wallet', async () => {
    const id = await remadeCheckout();
    expect(await build(id, 'cancel')).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_active' },
    });
    const running = await build(id, 'close');
    expect(running).toMatchObject({ status: 409, body: { code: 'subscription_not_cancelled' } });
    expect(running.body['message']).toContain('cancel it on chain');
    expect((await create()).body).toMatchObject({ code: 'already_subscribed' });

    await outside.cancel();
    expect(await build(id, 'close')).toMatchObject({ status: 409, body: { code: 'close_too_early' } });
    world.advance(MONTH);
    const closed = await act(id, 'close');
    expect(closed).toMatchObject({
      status: 201,
      body: { subscription: { id, status: 'failed', end_reason: null, closable: false } },
    });
    expect(closed.body).not.toHaveProperty('reason_code');
    expect(await read(id)).toEqual(closed.body['subscription']);
    expect(await world.events()).toEqual([]);

    expect(await build(id, 'close')).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_on_chain' },
    });
    expect(await actionsOf(world, wallet, id).confirm('close', SIGNATURE)).toEqual(
      expect.objectContaining({ status: 201, body: closed.body }),
    );
    expect(await create()).toMatchObject({ status: 201 });
  });

  it('is closed in one transaction once its plan is over', async () => {
    await begin({ endsAfter: 2 * MONTH });
    const id = await remadeCheckout();
    world.advance(2 * MONTH);
    expect(await act(id, 'close')).toMatchObject({
      status: 201,
      body: { subscription: { status: 'failed' } },
    });
    expect(await build(id, 'close')).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_on_chain' },
    });
  });

  it("can be closed when it landed cancelled on the operator's own plan", async () => {
    await begin({ operatorPlan: true });
    const id = await failedCheckout('dev_not_running', () => outside.cancel());
    expect(await build(id, 'close')).toMatchObject({ status: 409, body: { code: 'close_too_early' } });
    world.advance(MONTH);
    expect(await act(id, 'close')).toMatchObject({
      status: 201,
      body: { subscription: { status: 'failed' } },
    });
  });

  it('does not close the account of another subscription of the wallet', async () => {
    const failed = await remadeCheckout();
    await outside.cancel();
    world.advance(MONTH);
    await act(failed, 'close');
    const id = await world.subscribe(wallet);
    await act(id, 'cancel');
    world.advance(MONTH);
    await world.work();
    expect(await build(failed, 'close')).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_on_chain' },
    });
    expect(await act(id, 'close')).toMatchObject({ body: { subscription: { end_reason: 'closed' } } });
  });
});

// cancel-resume-close#cancelling-again
describe('a resume that cannot be verified', () => {
  /** Cancelled on record; on chain resumed, and paid by another hand for a later period, with no history. */
  async function unverified(): Promise<string> {
    const id = await world.subscribe(wallet);
    await act(id, 'cancel');
    await outside.resume();
    world.injectFaults(historySilent);
    world.advance(MONTH);
    await outside.pullAsOwner();
    await world.work();
    return id;
  }

  it('can be cancelled again, and closed after the end of that cancellation', async () => {
    const id = await unverified();
    expect(await read(id)).toMatchObject({ status: 'ended', end_reason: 'cancelled', access: false });
    expect(await build(id, 'close')).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_cancelled' },
    });
    const raised = await world.events();

    const answer = await act(id, 'cancel');
    expect(answer).toMatchObject({
      status: 201,
      body: {
        subscription: {
          status: 'cancelled',
          access: false,
          payment_status: 'none',
          closable: false,
          closable_from: '2026-03-02T00:00:00.000Z',
        },
      },
    });
    expect(answer.body).not.toHaveProperty('reason_code');
    expect(await world.events()).toEqual(raised);
    expect(await build(id, 'cancel')).toMatchObject({
      status: 409,
      body: { code: 'subscription_cancelled' },
    });
    expect(await build(id, 'close')).toMatchObject({ status: 409, body: { code: 'close_too_early' } });

    world.advance(MONTH);
    expect(await read(id)).toMatchObject({ status: 'ended', end_reason: 'cancelled', closable: true });
    expect(await act(id, 'close')).toMatchObject({
      status: 201,
      body: { subscription: { status: 'ended', end_reason: 'closed', closable: false } },
    });
    expect(await create()).toMatchObject({ status: 201 });
  });

  it('answers why when the new cancellation did not land, and does not count as done before', async () => {
    const id = await unverified();
    const { signature } = await actionsOf(world, wallet, id).signed('cancel');
    expect(await actionsOf(world, wallet, id).confirm('cancel', signature)).toMatchObject({
      status: 201,
      body: { reason_code: 'transaction_expired' },
    });
  });

  it('runs again when a history tells of it meanwhile, and the new cancellation can still be confirmed', async () => {
    const id = await unverified();
    const { signature } = await actionsOf(world, wallet, id).signed('cancel');
    world.clearFaults();
    world.advance(HOUR);
    await world.work();
    expect(await actionsOf(world, wallet, id).confirm('cancel', signature)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active' }, reason_code: 'transaction_expired' },
    });
  });
});

// cancel-resume-close#cancelling-again
describe('a resume that landed and was not confirmed', () => {
  it('is recorded when the subscription is cancelled again, so that the new cancellation raises its event', async () => {
    const id = await world.subscribe(wallet);
    await act(id, 'cancel');
    const { wire } = await actionsOf(world, wallet, id).signed('resume');
    await sendTransaction(world.rpc, wire);
    const raised = await world.events();
    expect(await read(id)).toMatchObject({ status: 'cancelled' });

    expect(await build(id, 'cancel')).toMatchObject({ status: 201 });
    expect(await read(id)).toMatchObject({ status: 'active', access: true });
    expect(await world.events()).toEqual([...raised, 'resumed']);
    expect(await act(id, 'cancel')).toMatchObject({
      status: 201,
      body: { subscription: { status: 'cancelled', access: true } },
    });
    expect(await world.events()).toEqual([...raised, 'resumed', 'cancelled']);
  });

  it('is recorded by its history when a later period was paid since', async () => {
    const id = await world.subscribe(wallet);
    await act(id, 'cancel');
    await outside.resume();
    world.advance(MONTH);
    await outside.pullAsOwner();
    expect(await build(id, 'cancel')).toMatchObject({ status: 201 });
    expect(await read(id)).toMatchObject({ status: 'active' });
  });
});

// cancel-resume-close#how-each-ending-closes
it('an ended subscription whose account runs on chain is cancelled there by its wallet before it is closed', async () => {
  const id = await world.subscribe(wallet);
  await act(id, 'cancel');
  // The account is made again in the same second of its grid, so that it counts as the subscription's own.
  const expiry = Date.parse(String((await read(id))['closable_from']));
  world.advance(expiry - 1_000 - world.now().getTime());
  await outside.remake();
  await world.work();
  expect(await read(id)).toMatchObject({ status: 'ended', end_reason: 'cancelled' });
  expect(await build(id, 'cancel')).toMatchObject({ body: { code: 'subscription_not_active' } });
  const running = await build(id, 'close');
  expect(running).toMatchObject({ status: 409, body: { code: 'subscription_not_cancelled' } });
  expect(running.body['message']).toContain('The wallet has to cancel it on chain first.');

  await outside.cancel();
  world.advance(MONTH);
  expect(await act(id, 'close')).toMatchObject({ body: { subscription: { end_reason: 'closed' } } });
});

// cancel-resume-close#cancelling-again
it('a later cancellation that the wallet made without the service is recorded, and raises no event', async () => {
  const id = await world.subscribe(wallet);
  await act(id, 'cancel');
  await outside.resume();
  world.advance(MONTH);
  await outside.pullAsOwner();
  await outside.cancel();
  const { signature } = await actionsOf(world, wallet, id).signed('resume');
  await world.work();
  expect(await read(id)).toMatchObject({
    ...{ status: 'cancelled', access: false, closable: false },
    closable_from: '2026-03-02T00:00:00.000Z',
  });
  expect((await world.events()).slice(2)).toEqual(['cancelled', 'access_revoked']);

  world.injectFaults(outcomesPending);
  expect(await actionsOf(world, wallet, id).confirm('resume', signature)).toMatchObject({
    body: { subscription: { status: 'cancelled' }, reason_code: 'resume_not_landed' },
  });
  world.clearFaults();
  world.advance(MONTH);
  await world.work();
  expect((await world.events()).slice(4)).toEqual(['ended']);
  expect(await act(id, 'close')).toMatchObject({ body: { subscription: { end_reason: 'closed' } } });
});

// cancel-resume-close#cancelling-again
it('a cancelled subscription is still cancelled for who asks while the chain does not answer', async () => {
  const id = await world.subscribe(wallet);
  await act(id, 'cancel');
  world.injectFaults(() => ({
    readCharges: (targets) =>
      Promise.resolve(targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } }) as const)),
  }));
  expect(await build(id, 'cancel')).toMatchObject({ status: 409, body: { code: 'subscription_cancelled' } });
});

const SIGNATURE = '5'.repeat(88);
