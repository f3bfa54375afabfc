import {
  createKeyPairSignerFromPrivateKeyBytes,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import type { SubscriptionId } from '@subrail/core/ports';
import { signMessage, signTransaction } from '@subrail/localnet';
import {
  beforeSend,
  createCheckout,
  DAY,
  historySilent,
  HOUR,
  issueCheckout,
  type IssuedCheckout,
  openTestWorld,
  PRICE,
  outcomesPending,
  sendsLost,
  signatureOf,
  signWithNonce,
  simulationsPass,
  statusAndCode,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';

const SEED = new Uint8Array(32).fill(5);

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE, await createKeyPairSignerFromPrivateKeyBytes(SEED));
});

const read = async ({ subscription: { id } }: IssuedCheckout) =>
  (await world.call('GET', `/subscriptions/${id}`)).body;
const submit = ({ subscription }: IssuedCheckout, body: object) =>
  world.call('POST', `/subscriptions/${subscription.id}/submit`, body);

/** A checkout, the body of its submit, and the same transaction with another signature, which may land. */
async function checkoutSignedTwice(issue = () => issueCheckout(world, wallet)) {
  const checkout = await issue();
  const { transaction, terms } = checkout;
  const body = {
    transaction: await signTransaction(wallet, transaction),
    terms_signature: await signMessage(wallet, terms.message),
  };
  const second = getTransactionDecoder().decode(
    getBase64Encoder().encode(await signWithNonce(wallet, SEED, transaction, 77n)),
  );
  // A wallet that sees the co-signed bytes on the network can add the charger's signature to its other one.
  const wire = getBase64EncodedWireTransaction(
    await partiallySignTransaction([world.charger.keyPair], second),
  );
  return {
    checkout,
    body,
    otherSignature: signatureOf(wire),
    landOther: async (): Promise<void> => {
      await world.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    },
  };
}

/** What is on record once the other signature has landed. */
async function expectPaidBy(checkout: IssuedCheckout, signature: string): Promise<void> {
  expect(await read(checkout)).toMatchObject({ status: 'active', access: true });
  const { body } = await world.call('GET', `/subscriptions/${checkout.subscription.id}/attempts`);
  expect(body).toMatchObject({
    data: [{ outcome: 'paid', signature, amount: PRICE.toString(), amount_received: PRICE.toString() }],
    paid: { count: 1, amount: PRICE.toString() },
  });
  expect(await world.events()).toEqual(['created', 'access_granted']);
  const transfers = await world.store.listTransfers(checkout.subscription.id as SubscriptionId, 99);
  expect(transfers.filter(({ state }) => state === 'landed').map((one) => one.signature)).toEqual([
    signature,
  ]);
  await expectInvariants(world, [checkout.subscription.id]);
}

// checkout#other-signature-of-the-wallet
describe('a checkout that lands under another signature of its wallet', () => {
  it('is found by its account, and the record follows with the signature that landed', async () => {
    const { checkout, body, otherSignature, landOther } = await checkoutSignedTwice();
    world.injectFaults(sendsLost, beforeSend(landOther), outcomesPending);
    expect(statusAndCode(await submit(checkout, body))).toBe('201 nothing_landed');
    world.clearFaults();
    await world.work();
    await expectPaidBy(checkout, otherSignature);
    expect(statusAndCode(await submit(checkout, body))).toBe('201');
  });

  it('is not given up while the history of the account cannot be read', async () => {
    const { checkout, body, otherSignature, landOther } = await checkoutSignedTwice();
    world.injectFaults(sendsLost, beforeSend(landOther), historySilent);
    expect(statusAndCode(await submit(checkout, body))).toBe('201 nothing_landed');
    world.advance(HOUR);
    await world.billing.worker.charge();
    expect(await read(checkout)).toMatchObject({ status: 'pending' });
    world.clearFaults();
    world.advance(60_000);
    await world.work();
    await expectPaidBy(checkout, otherSignature);
  });

  /** The first signature fails for lack of tokens, and the second lands after the wallet was given some. */
  async function landAfterFailure() {
    const twice = await checkoutSignedTwice();
    await world.take(wallet, 10n * PRICE);
    world.injectFaults(simulationsPass);
    expect(statusAndCode(await submit(twice.checkout, twice.body))).toBe('201 transaction_failed');
    world.clearFaults();
    await world.give(wallet, 10n * PRICE);
    await twice.landOther();
    return twice;
  }

  it('is found when its checkout would expire, though its first signature failed', async () => {
    const { checkout, otherSignature } = await landAfterFailure();
    world.advance(HOUR);
    world.injectFaults(historySilent);
    await world.billing.worker.charge();
    expect(await read(checkout)).toMatchObject({ status: 'pending' });
    world.clearFaults();
    world.advance(60_000);
    await world.work();
    await expectPaidBy(checkout, otherSignature);
  });

  it('is found by the next create of its wallet, which answers already_subscribed', async () => {
    const { checkout, otherSignature } = await landAfterFailure();
    expect(statusAndCode(await createCheckout(world, wallet))).toBe('409 already_subscribed');
    await expectPaidBy(checkout, otherSignature);
  });

  it('leaves a checkout that did not land as it is', async () => {
    const { checkout, body } = await checkoutSignedTwice();
    world.injectFaults(sendsLost);
    await submit(checkout, body);
    await world.work();
    expect(await read(checkout)).toMatchObject({ status: 'pending' });
    expect(await world.events()).toEqual([]);
  });
});

/**
 * A change of plan that was issued `before` the paid end of the old subscription. Its first signature failed,
 * so the old one is freed, and the other signature may land.
 */
async function changeFreed(before: number) {
  const old = await world.subscribe(wallet);
  await world.publishPlan(world.projectId, 'basic');
  const { body: subscription } = await world.call('GET', `/subscriptions/${old}`);
  world.advance(Date.parse(String(subscription['current_period_end'])) - world.now().getTime() - before);
  const twice = await checkoutSignedTwice(async () => {
    const change = { plan: 'basic', wallet: wallet.address, replaces: old };
    return (await world.call('POST', '/subscriptions', change)).body as unknown as IssuedCheckout;
  });
  const tokens = await world.holding(wallet);
  world.injectFaults(
    simulationsPass,
    beforeSend(() => world.take(wallet, tokens)),
  );
  expect(statusAndCode(await submit(twice.checkout, twice.body))).toBe('201 transaction_failed');
  world.clearFaults();
  await world.give(wallet, tokens);
  return { old, ...twice };
}

// plan-changes#ended-before-it-was-replaced
describe('a change that failed under one signature and landed under another', () => {
  it('replaces what was found cancelled', async () => {
    const { old, checkout, landOther } = await changeFreed(DAY);
    await landOther();
    // It was freed, so that a read finds what the other signature did.
    expect(statusAndCode(await world.call('POST', `/subscriptions/${old}/cancel`))).toBe(
      '409 subscription_cancelled',
    );
    world.advance(HOUR);
    await world.work();
    const { body: replaced } = await world.call('GET', `/subscriptions/${old}`);
    expect(replaced).toMatchObject({ status: 'ended', end_reason: 'plan_changed', access: false });
    expect(await read(checkout)).toMatchObject({ status: 'active', access: true });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('is settled once a node shows both accounts', async () => {
    const { old, checkout, landOther } = await changeFreed(DAY);
    await landOther();
    const plan = await world.store.findPlan((await storedSubscription(world, old)).planId);
    world.injectFaults((chain) => ({
      readCharges: async (targets, commitment) =>
        (await chain.readCharges(targets, commitment)).map((answer, index) =>
          answer.ok && targets[index]?.plan.address === plan?.address
            ? { ok: true, value: { ...answer.value, slot: 0n } }
            : answer,
        ),
    }));
    const transaction = () => world.call('POST', `/subscriptions/${checkout.subscription.id}/transaction`);
    expect(statusAndCode(await transaction())).toBe('503 network_unavailable');
    world.forgiveErrors('The chain does not answer.');
    world.clearFaults();
    expect(statusAndCode(await transaction())).toBe('409 not_awaiting_signature');
    await expectInvariants(world, [old, checkout.subscription.id]);
  });

  it('waits for a charge of the old subscription, whose payment is recorded', async () => {
    const { old, checkout, landOther } = await changeFreed(20_000);
    world.advance(21_000);
    world.injectFaults(outcomesPending);
    await world.billing.worker.charge();
    await landOther();
    const transaction = () => world.call('POST', `/subscriptions/${checkout.subscription.id}/transaction`);
    expect(statusAndCode(await transaction())).toBe('409 subscription_changed');
    world.clearFaults();
    await world.work();
    expect(statusAndCode(await transaction())).toBe('409 not_awaiting_signature');
    const { body: replaced } = await world.call('GET', `/subscriptions/${old}`);
    expect(replaced).toMatchObject({ status: 'ended', end_reason: 'plan_changed' });
    expect((await world.call('GET', `/subscriptions/${old}/attempts`)).body).toMatchObject({
      paid: { count: 2, amount: String(2n * PRICE) },
    });
    await expectInvariants(world, [old, checkout.subscription.id]);
  });
});
