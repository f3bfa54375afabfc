import {
  createKeyPairSignerFromPrivateKeyBytes,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import type { Chain, Fate, SendOutcome, SubscriptionId } from '@subrail/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { signBuilt, signText } from '../../src/world/wallet.js';
import { signBuiltAnew } from './another-signature.js';
import { create, handed, told, transaction, type Handed } from './checkouts.js';
import { expectInvariants } from './invariants.js';
import { PRICE, openWorld, type World } from './world.js';

const SEED = new Uint8Array(32).fill(5);
/** Program.md: the subscription's account exists. */
const ALREADY_SUBSCRIBED = 517;
const REFUSED: SendOutcome = { kind: 'refused', refusal: { kind: 'chain', code: 7050012 } };

let world: World;
let wallet: KeyPairSigner;
/** What the service is told of what it asks of the chain, and what is done of it. */
let bend: {
  readonly send: (chain: Chain, wires: readonly string[]) => Promise<readonly SendOutcome[]>;
  readonly fate: (fate: Fate) => Fate;
  readonly simulates: boolean;
};

const STRAIGHT: typeof bend = {
  send: (chain, wires) => chain.send(wires),
  fate: (fate) => fate,
  simulates: true,
};
const dropped: typeof bend.send = (_, wires) =>
  Promise.resolve(wires.map(() => ({ kind: 'unknown' as const })));

const bent = (chain: Chain): Chain => ({
  ...chain,
  send: (wires) => bend.send(chain, wires),
  simulate: (wire) => (bend.simulates ? chain.simulate(wire) : Promise.resolve({ ok: true, value: null })),
  resolve: async (asks) => (await chain.resolve(asks)).map((fate) => bend.fate(fate)),
});

beforeEach(async () => {
  bend = STRAIGHT;
  world = await openWorld({ store: 'sqlite', chain: bent });
  wallet = await world.wallet(10n * PRICE, await createKeyPairSignerFromPrivateKeyBytes(SEED));
});
afterEach(() => world.close());

const submit = ({ subscription }: Handed, body: object) =>
  world.call('POST', `/subscriptions/${subscription.id}/submit`, body);

/** The transaction signed as wallets do, and with other signatures that are as valid. */
async function signed({ transaction, terms }: Handed) {
  const terms_signature = await signText(wallet, terms.message);
  return {
    asUsual: { transaction: await signBuilt(wallet, transaction), terms_signature },
    anew: async (nonce: bigint) => ({
      transaction: await signBuiltAnew(wallet, SEED, transaction, nonce),
      terms_signature,
    }),
  };
}

const transfersOf = ({ subscription: { id } }: Handed) => world.store.listTransfers(id as SubscriptionId);
const statusOf = async ({ subscription: { id } }: Handed) =>
  (await world.call('GET', `/subscriptions/${id}`)).body['status'];

describe('a transaction signed twice over, with two valid signatures', () => {
  it('is taken with either of them', async () => {
    const first = await handed(world, wallet);
    const { anew } = await signed(first);
    expect(told(await submit(first, await anew(77n)))).toBe('201 undefined');
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  it('answers terms_used to the second while the first may still land, and sends nothing of it', async () => {
    const first = await handed(world, wallet);
    const { asUsual, anew } = await signed(first);
    bend = { ...STRAIGHT, send: dropped, fate: () => ({ kind: 'waiting' }) };
    expect(told(await submit(first, asUsual))).toBe('201 nothing_landed');
    bend = STRAIGHT;
    expect(told(await submit(first, await anew(77n)))).toBe('403 terms_used');
    expect((await transfersOf(first)).length).toBe(1);
    expect(await world.holding(world.owner)).toBe(0n);
  });

  it('answers terms_used to the second once the first failed; the next transaction comes with new terms', async () => {
    const first = await handed(world, wallet);
    const { asUsual, anew } = await signed(first);
    await world.take(wallet, 10n * PRICE);
    // The wallet was emptied after the chain was asked, and before the transaction came to it.
    bend = { ...STRAIGHT, simulates: false };
    expect(told(await submit(first, asUsual))).toBe('201 transaction_failed');
    bend = STRAIGHT;
    await world.give(wallet, PRICE);
    expect(told(await submit(first, await anew(77n)))).toBe('403 terms_used');
    const next = (await transaction(world, first)).body as unknown as Handed;
    expect(next.terms.message).not.toBe(first.terms.message);
    expect(told(await submit(next, (await signed(next)).asUsual))).toBe('201 undefined');
    expect(await world.holding(world.owner)).toBe(PRICE);
    await expectInvariants(world, [first.subscription.id]);
  });

  it('lets one of fifty signatures at once through; the others are refused', async () => {
    const first = await handed(world, wallet);
    const { anew } = await signed(first);
    const bodies = await Promise.all(Array.from({ length: 50 }, (_, index) => anew(BigInt(index + 2))));
    const answers = (await Promise.all(bodies.map((body) => submit(first, body)))).map(told);
    const refused = answers.filter((answer) => answer !== '201 undefined');
    expect(refused.length).toBe(49);
    for (const answer of refused) expect(['403 terms_used', '409 not_awaiting_signature']).toContain(answer);
    expect((await transfersOf(first)).length).toBe(1);
    await expectInvariants(world, [first.subscription.id]);
  });

  it('would be refused by the chain too, were both of them co-signed', async () => {
    const first = await handed(world, wallet);
    const { asUsual, anew } = await signed(first);
    expect(told(await submit(first, asUsual))).toBe('201 undefined');
    const second = getTransactionDecoder().decode(getBase64Encoder().encode((await anew(77n)).transaction));
    const wire = getBase64EncodedWireTransaction(
      await partiallySignTransaction([world.charger.keyPair], second),
    );
    const sent = world.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    await expect(sent).rejects.toMatchObject({ cause: { context: { code: ALREADY_SUBSCRIBED } } });
    expect(await world.holding(world.owner)).toBe(PRICE);
  });
});

describe('a transaction that a node refuses to take', () => {
  it('and that lands all the same is on record as paid, once', async () => {
    const first = await handed(world, wallet);
    bend = {
      ...STRAIGHT,
      async send(chain, wires) {
        await chain.send(wires);
        return wires.map(() => REFUSED);
      },
    };
    expect(told(await submit(first, (await signed(first)).asUsual))).toBe('201 undefined');
    expect(await statusOf(first)).toBe('active');
    await expectInvariants(world, [first.subscription.id]);
  });

  it('and that never lands has expired once its blocks are past, not before', async () => {
    const first = await handed(world, wallet);
    const { asUsual } = await signed(first);
    bend = { ...STRAIGHT, send: (_, wires) => Promise.resolve(wires.map(() => REFUSED)) };
    expect(told(await submit(first, asUsual))).toBe('201 nothing_landed');
    await world.work();
    expect(told(await submit(first, asUsual))).toBe('201 transaction_expired');
    expect(await statusOf(first)).toBe('pending');
    expect(await world.holding(world.owner)).toBe(0n);
  });
});

describe('two checkouts of one wallet that were both submitted', () => {
  it('end together: the other expires as soon as its own transaction is known not to have landed (D12.2)', async () => {
    const theirs = await handed(world, wallet, 'customer-2');
    bend = { ...STRAIGHT, send: dropped };
    expect(told(await submit(theirs, (await signed(theirs)).asUsual))).toBe('201 nothing_landed');
    bend = STRAIGHT;
    const mine = await handed(world, wallet, 'customer-1');
    expect(told(await submit(mine, (await signed(mine)).asUsual))).toBe('201 undefined');
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['active', 'pending']);
    const landed = world.now().getTime();
    await world.work();
    expect(await statusOf(theirs)).toBe('expired');
    expect(world.now().getTime() - landed).toBeLessThan(60_000);
    expect((await world.events()).toSorted()).toEqual(['access_granted', 'created', 'expired']);
    await expectInvariants(world, [mine.subscription.id, theirs.subscription.id]);
  });

  it('charge once, submitted at once: one lands, the other fails on chain and expires', async () => {
    const mine = await handed(world, wallet, 'customer-1');
    const theirs = await handed(world, wallet, 'customer-2');
    const [one, other] = [(await signed(mine)).asUsual, (await signed(theirs)).asUsual];
    bend = { ...STRAIGHT, simulates: false };
    await Promise.all([submit(mine, one), submit(theirs, other)]);
    await world.work();
    expect([await statusOf(mine), await statusOf(theirs)].toSorted()).toEqual(['active', 'expired']);
    expect(await world.holding(world.owner)).toBe(PRICE);
    expect(told(await create(world, wallet))).toBe('409 already_subscribed');
    await expectInvariants(world, [mine.subscription.id, theirs.subscription.id]);
  });
});
