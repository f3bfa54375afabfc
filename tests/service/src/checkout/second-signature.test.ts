import {
  createKeyPairSignerFromPrivateKeyBytes,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import type { SendOutcome, SubscriptionId } from '@subrail/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';

import { signMessage, signTransaction } from '@subrail/localnet';
import {
  type ChainFault,
  issueCheckout,
  type IssuedCheckout,
  openTestWorld,
  outcomesPending,
  PRICE,
  signWithNonce,
  simulationsPass,
  statusAndCode,
  type TestWorld,
  freshTransaction,
} from '@subrail/test-world';
import { expectInvariants } from '../invariants/expect-invariants.js';

const SEED = new Uint8Array(32).fill(5);
/** The program's code when the transaction creates an authority that exists since an earlier block. */
const STALE_SUBSCRIPTION_AUTHORITY = 136;
const REFUSED: SendOutcome = { kind: 'refused', refusal: { kind: 'chain', code: 7050012 } };

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE, await createKeyPairSignerFromPrivateKeyBytes(SEED));
});

const submit = ({ subscription }: IssuedCheckout, body: object) =>
  world.call('POST', `/subscriptions/${subscription.id}/submit`, body);

/** The transaction signed as wallets do, and with other valid signatures. */
async function signed({ transaction, terms }: IssuedCheckout) {
  const terms_signature = await signMessage(wallet, terms.message);
  return {
    usual: { transaction: await signTransaction(wallet, transaction), terms_signature },
    withNonce: async (nonce: bigint) => ({
      transaction: await signWithNonce(wallet, SEED, transaction, nonce),
      terms_signature,
    }),
  };
}

const transfersOf = ({ subscription: { id } }: IssuedCheckout) =>
  world.store.listTransfers(id as SubscriptionId, 99);
const statusOf = async ({ subscription: { id } }: IssuedCheckout) =>
  (await world.call('GET', `/subscriptions/${id}`)).body['status'];

describe('a transaction with two valid signatures of its wallet', () => {
  // terms#terms-are-spent-once, checkout#terms-stay-spent-after-failure
  it('answers terms_used to the second once the first failed, and the next transaction comes with new terms', async () => {
    const first = await issueCheckout(world, wallet);
    const { usual, withNonce } = await signed(first);
    await world.take(wallet, 10n * PRICE);
    // The wallet was emptied between the simulation and the landing.
    world.injectFaults(simulationsPass);
    expect(statusAndCode(await submit(first, usual))).toBe('201 transaction_failed');
    world.clearFaults();
    await world.give(wallet, PRICE);
    expect(statusAndCode(await submit(first, await withNonce(77n)))).toBe('403 terms_used');
    const next = (await freshTransaction(world, first)).body as unknown as IssuedCheckout;
    expect(next.terms.message).not.toBe(first.terms.message);
    expect(statusAndCode(await submit(next, (await signed(next)).usual))).toBe('201');
    expect(await world.holding(world.owner)).toBe(PRICE);
    await expectInvariants(world, [first.subscription.id]);
  });

  it('accepts one of fifty concurrent signatures and refuses the others', async () => {
    const first = await issueCheckout(world, wallet);
    const { withNonce } = await signed(first);
    const bodies = await Promise.all(Array.from({ length: 50 }, (_, index) => withNonce(BigInt(index + 2))));
    const answers = (await Promise.all(bodies.map((body) => submit(first, body)))).map(statusAndCode);
    const refused = answers.filter((answer) => answer !== '201');
    expect(refused.length).toBe(49);
    for (const answer of refused) expect(['403 terms_used', '409 not_awaiting_signature']).toContain(answer);
    expect((await transfersOf(first)).length).toBe(1);
    await expectInvariants(world, [first.subscription.id]);
  });

  it('is refused by the chain when both are co-signed', async () => {
    const first = await issueCheckout(world, wallet);
    const { usual, withNonce } = await signed(first);
    expect(statusAndCode(await submit(first, usual))).toBe('201');
    const second = getTransactionDecoder().decode(
      getBase64Encoder().encode((await withNonce(77n)).transaction),
    );
    const wire = getBase64EncodedWireTransaction(
      await partiallySignTransaction([world.charger.keyPair], second),
    );
    const sent = world.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    await expect(sent).rejects.toMatchObject({ cause: { context: { code: STALE_SUBSCRIPTION_AUTHORITY } } });
    expect(await world.holding(world.owner)).toBe(PRICE);
  });
});

describe('a transaction that a node refuses', () => {
  it('is recorded as paid once when it lands all the same', async () => {
    const first = await issueCheckout(world, wallet);
    world.injectFaults((chain) => ({
      async send(wires) {
        await chain.send(wires);
        return wires.map(() => REFUSED);
      },
    }));
    expect(statusAndCode(await submit(first, (await signed(first)).usual))).toBe('201');
    expect(await statusOf(first)).toBe('active');
    await expectInvariants(world, [first.subscription.id]);
  });

  it('expires once its blocks are past, and not before', async () => {
    const first = await issueCheckout(world, wallet);
    const { usual } = await signed(first);
    const refused: ChainFault = () => ({ send: (wires) => Promise.resolve(wires.map(() => REFUSED)) });
    world.injectFaults(refused, outcomesPending);
    expect(statusAndCode(await submit(first, usual))).toBe('201 nothing_landed');
    world.injectFaults(refused);
    await world.work();
    expect(statusAndCode(await submit(first, usual))).toBe('201 transaction_expired');
    expect(await statusOf(first)).toBe('pending');
    expect(await world.holding(world.owner)).toBe(0n);
  });
});
