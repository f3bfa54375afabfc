// Heavy: each first payment has a checkout of its own, which nodes show late or not at all.

import type { ChargeView, SubscriptionId } from '@subrail/core/ports';
import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';

import {
  MONTH,
  type ChainFault,
  changeOutcomes,
  changeViews,
  historySilent,
  HOUR,
  type IssuedCheckout,
  openTestWorld,
  outcomesPending,
  outcomesUnknown,
  type OutsideActions,
  PRICE,
  sendsLost,
  signCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  world = await openTestWorld({ store: 'sqlite', ...options });
  wallet = await world.wallet(10n * PRICE);
}

beforeEach(() => begin());

async function checkout() {
  const { body } = await world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address });
  const issued = body as unknown as IssuedCheckout;
  const { id } = issued.subscription;
  // Signed once, so that every submit is the same request.
  const signed = await signCheckout(wallet, issued);
  return { id, submit: () => world.call('POST', `/subscriptions/${id}/submit`, signed) };
}

/** The transfer of the only checkout. */
async function storedCheckout() {
  const { body } = await world.call('GET', `/subscriptions?wallet=${wallet.address}`);
  const [{ id }] = body['data'] as [{ id: string }];
  const [transfer] = await world.store.listTransfers(id as SubscriptionId, 1);
  if (transfer === undefined) throw new Error('The checkout was not submitted.');
  return transfer;
}

const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;

describe('a first payment that landed', () => {
  // attempts#read-commitment
  it('does not fail because of a node that lags behind', async () => {
    const { id, submit } = await checkout();
    world.injectFaults(changeViews((view) => ({ ...view, slot: 1n, subscription: null })));
    expect((await submit()).body).toMatchObject({ reason_code: 'nothing_landed' });
    expect(await read(id)).toMatchObject({ status: 'pending' });
    world.clearFaults();
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'active', access: true });
    expect(await world.events()).toEqual(['created', 'access_granted']);
  });

  it('does not fail because of a read at `confirmed` alone', async () => {
    const { submit } = await checkout();
    world.injectFaults(
      changeViews((view, commitment) =>
        commitment === 'confirmed' ? { ...view, subscription: null } : view,
      ),
    );
    expect((await submit()).body).toMatchObject({ subscription: { status: 'active' } });
  });

  /** Runs `meanwhile` between the landing and the service's read of it. */
  async function beforeItIsRead(
    options: TestWorldOptions,
    meanwhile: (outside: OutsideActions) => Promise<void>,
  ) {
    await begin(options);
    const outside = await world.outside(wallet);
    const { id, submit } = await checkout();
    world.injectFaults(outcomesUnknown);
    expect((await submit()).body).toMatchObject({ reason_code: 'nothing_landed' });
    await meanwhile(outside);
    world.clearFaults();
    await world.work();
    const { body } = await submit();
    expect(body).toMatchObject({ subscription: await read(id) });
    return body;
  }

  // checkout#checkout-of-an-operator-plan
  it("fails with dev_not_running on the operator's own plan when its first period is not paid in full", async () => {
    await begin({ operatorPlan: true });
    const { id, submit } = await checkout();
    const partPaid = (view: ChargeView): ChargeView => ({
      ...view,
      subscription: view.subscription && { ...view.subscription, pulled: view.subscription.pulled - 1n },
    });
    world.injectFaults(changeViews(partPaid));
    expect((await submit()).body).toMatchObject({
      subscription: { status: 'failed', access: false },
      reason_code: 'dev_not_running',
    });
    expect(await read(id)).toMatchObject({ status: 'failed' });
  });

  // checkout#outcomes-of-a-submit
  it('is cancelled, with the period that is paid, when it was cancelled before it was read', async () => {
    const body = await beforeItIsRead({}, (outside) => outside.cancel());
    expect(body).toMatchObject({
      subscription: { status: 'cancelled', access: true, payment_status: 'paid' },
    });
    expect(body).not.toHaveProperty('reason_code');
    expect(await world.events()).toEqual(['created', 'cancelled', 'access_granted']);
  });

  // checkout#account-remade-before-it-was-read
  it.each([
    ['one period later, on its grid', 1, 0],
    ['three periods later, on its grid', 3, 10_000],
  ])(
    'fails with subscription_remade when it was made again %s, and never gives access',
    async (_, periods, late) => {
      let historyUnread = 0;
      const body = await beforeItIsRead({}, async (outside) => {
        const landedAt = Number((await storedCheckout()).createdAt);
        await outside.cancel();
        world.advance(landedAt + periods * MONTH + late - world.now().getTime());
        await outside.closeSubscription();
        await outside.subscribe();
        // While the history cannot be read, nobody knows which account it is.
        world.injectFaults(historySilent);
        await world.work();
        historyUnread = (await world.events()).length;
      });
      expect(historyUnread).toBe(0);
      expect(body).toMatchObject({ subscription: { status: 'failed' }, reason_code: 'subscription_remade' });
      expect(await world.events()).toEqual([]);
      const { id } = body['subscription'] as { id: string };
      const { body: attempts } = await world.call('GET', `/subscriptions/${id}/attempts`);
      expect(attempts['paid']).toEqual({ count: 1, amount: PRICE.toString() });
      // receipts#receipt-of-a-payment
      const [payment] = (await world.billing.project(world.projectId).payments.list()).data;
      expect([payment?.subscription, payment?.receipt_number]).toEqual([id, '000001']);
    },
  );

  // billing-periods#billing-grid, billing-periods#payment-past-a-boundary
  it('keeps the grid of its landing when it is settled several periods later', async () => {
    const { id, submit } = await checkout();
    world.injectFaults(outcomesUnknown);
    expect((await submit()).body).toMatchObject({ reason_code: 'nothing_landed' });
    world.advance(MONTH + HOUR);
    world.clearFaults();
    await world.work();
    expect(await read(id)).toMatchObject({
      status: 'active',
      current_period_end: '2026-03-02T00:00:00.000Z',
    });
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
  });

  // checkout#sweep-before-expiry
  it('is sent again by the sweep while it may still land', async () => {
    const { id, submit } = await checkout();
    const sends: string[] = [];
    const recorded: ChainFault = (chain) => ({
      send(wires) {
        sends.push(...wires);
        return chain.send(wires);
      },
    });
    world.injectFaults(sendsLost, recorded, outcomesPending);
    await submit();
    world.injectFaults(recorded, outcomesPending);
    const before = sends.length;
    await world.billing.worker.charge();
    expect(new Set(sends).size).toBe(1);
    expect(sends.length).toBeGreaterThan(before);
    expect(await read(id)).toMatchObject({ status: 'pending' });
  });
});

describe('a charge that landed', () => {
  // billing-periods#billing-grid, billing-periods#missed-periods, billing-periods#payment-past-a-boundary
  it('pays the period it landed in, and the one it was signed for is missed', async () => {
    const { id, submit } = await checkout();
    await submit();
    world.advance(MONTH);
    const late = new Date(world.now().getTime() + MONTH + 5_000);
    world.injectFaults(
      changeOutcomes((outcome) => (outcome.kind === 'landed' ? { ...outcome, time: late } : outcome)),
    );
    await world.billing.worker.charge();
    world.advance(2_000);
    await world.billing.worker.charge();
    const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
    expect(body['data']).toMatchObject([
      { outcome: 'paid', period_start: '2026-03-02T00:00:00.000Z' },
      { outcome: 'skipped', reason: 'period_missed', period_start: '2026-01-31T00:00:00.000Z' },
      { outcome: 'paid', period_start: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(await read(id)).toMatchObject({ current_period_start: '2026-03-02T00:00:00.000Z' });
  });
});

// attempts#first-finding-decides, attempts#gone-needs-two-reads
it('a subscription that reads as gone is read again at `finalized` before it counts', async () => {
  const { id, submit } = await checkout();
  await submit();
  world.advance(MONTH);
  const commitments: string[] = [];
  world.injectFaults(
    changeViews((view, commitment) => {
      commitments.push(commitment);
      return commitment === 'confirmed' ? { ...view, subscription: null } : view;
    }),
  );
  await world.work();
  expect(await read(id)).toMatchObject({ status: 'active', blocked_reason: 'mesub' });
  world.advance(60_000);
  await world.work();
  expect(commitments).toEqual(['confirmed', 'finalized']);
  expect(await read(id)).toMatchObject({ status: 'active', blocked_reason: null });
  expect((await world.events()).at(-1)).toBe('renewed');
});
