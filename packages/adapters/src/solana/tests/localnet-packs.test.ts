// Heavy: each test opens a chain, on which a wallet subscribes to four plans, and charges these together.

import { type RpcTransport, generateKeyPairSigner } from '@solana/kit';
import type { ChainResult, ChargeOrder, SignedPayment } from '@subrail/core/ports';
import { localnetTransport } from '@subrail/localnet';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSolanaChain } from '../index.js';
import type { SolanaChainOptions } from '../chain.js';
import { charger, untimed } from './chain-on.js';
import { CLASSIC, HOUR, LocalWorld, PRICE, owner, receiver, token2022, wallet } from './local-world.js';

const ONE_PERCENT = { epoch: 0n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints: 100 };
const WITH_FEE = token2022(
  [
    {
      __kind: 'TransferFeeConfig',
      transferFeeConfigAuthority: owner.address,
      withdrawWithheldAuthority: owner.address,
      withheldAmount: 0n,
      olderTransferFee: ONE_PERCENT,
      newerTransferFee: ONE_PERCENT,
    },
  ],
  [{ __kind: 'TransferFeeAmount', withheldAmount: 0n }],
);

let world: LocalWorld;
let called: string[];
/** The methods that the node does not answer. */
let silent: readonly string[];

beforeEach(() => {
  called = [];
  silent = [];
});

/** The adapter over the world's chain, whose calls are recorded. */
function chainWith(options: Partial<SolanaChainOptions> = {}) {
  const local = localnetTransport(world.net);
  const rpc: RpcTransport = (request) => {
    const { method } = request.payload as { readonly method: string };
    called.push(method);
    if (silent.includes(method)) return Promise.reject(new Error('The node is silent.'));
    return local(request);
  };
  return createSolanaChain({
    rpc,
    charger,
    network: 'devnet',
    ...untimed(() => world.net.now()),
    ...options,
  });
}

/** A world whose wallet has subscribed to four plans, and the orders of the second period of each. */
async function fourDue(kind = CLASSIC): Promise<readonly ChargeOrder[]> {
  world = await LocalWorld.open(kind);
  await world.setTokenAccount(wallet.address, { amount: 20n * PRICE });
  const receiverAccount = await world.tokenAccount(receiver.address);
  const orders: ChargeOrder[] = [];
  for (const number of [1, 2, 3, 4]) {
    if (number > 1) await world.publish();
    expect(await world.land(await world.firstPayment())).toMatchObject({ kind: 'landed' });
    orders.push({ ...world.target, amount: PRICE, receiverAccount });
  }
  world.net.advance({ seconds: HOUR });
  return orders;
}

function valueOf(result: ChainResult<readonly SignedPayment[]>): readonly SignedPayment[] {
  if (!result.ok) throw new Error(`The charges were not signed: ${JSON.stringify(result)}`);
  return result.value;
}

const transactionsOf = (charges: readonly SignedPayment[]) => [...new Set(charges.map(({ wire }) => wire))];

// attempts#shared-transaction
describe('charges that share a transaction', () => {
  // attempts#network-fee
  it('land together, with what each received and its share of the fee', async () => {
    const orders = await fourDue();
    const chain = chainWith({ computeUnitPrice: 15n });
    const charges = valueOf(await chain.signCharges(orders));
    expect(charges.map(({ paymentIndex }) => paymentIndex).toSorted()).toEqual([0, 1, 2, 3]);
    const before = world.net.getAccount(charger.address)?.lamports ?? 0n;
    expect(await chain.send(transactionsOf(charges))).toEqual([{ kind: 'sent' }]);
    const outcomes = await chain.resolve(charges);
    expect(outcomes).toMatchObject(charges.map(() => ({ kind: 'landed', received: PRICE })));
    // The fee is 5,003 lamports: the remainder falls on the first.
    const fees = outcomes.map((outcome) => (outcome.kind === 'landed' ? outcome.lamports : null));
    expect(fees).toEqual(charges.map(({ paymentIndex }) => (paymentIndex === 0 ? 1_253n : 1_250n)));
    expect(before - (world.net.getAccount(charger.address)?.lamports ?? 0n)).toBe(5_003n);
    expect(await world.balance(receiver.address)).toBe(8n * PRICE);
    expect(called.filter((method) => method === 'getTransaction')).toHaveLength(1);
  });

  // attempts#amount-received
  // alerts#charger
  it('cost each its share of the fee, by which the charger lasts for as many more', async () => {
    const orders = await fourDue();
    const chain = chainWith();
    const before = await chain.readCharger();
    const payments = valueOf(await chain.signCharges(orders));
    const shared = transactionsOf(payments).length;
    expect(shared).toBeLessThan(orders.length);
    const after = await chain.readCharger();
    if (!before.ok || !after.ok) throw new Error('The charger was not read.');
    expect(before.value.chargeFee).toBe(5_000n);
    expect(after.value.chargeFee).toBe((5_000n * BigInt(shared) + 3n) / 4n);
    expect(after.value.charges).toBe((before.value.charges * 5_000n) / after.value.chargeFee);
  });

  it('receive each its amount less the fee of the token', async () => {
    const orders = await fourDue(WITH_FEE);
    const charges = valueOf(await chainWith().signCharges(orders));
    expect(transactionsOf(charges)).toHaveLength(1);
    await world.chain.send(transactionsOf(charges));
    const outcomes = await world.chain.resolve(charges);
    expect(outcomes).toMatchObject(charges.map(() => ({ kind: 'landed', received: (PRICE * 99n) / 100n })));
  });

  it('are split in halves when the simulation fails, until the one at fault is alone', async () => {
    const orders = await fourDue();
    const [bad] = orders;
    if (bad === undefined) throw new Error('There is no order.');
    // More than the price: the program refuses it.
    const signed = valueOf(
      await chainWith().signCharges([{ ...bad, amount: PRICE + 1n }, ...orders.slice(1)]),
    );
    expect(transactionsOf(signed)).toHaveLength(3);
    const [first, ...others] = signed;
    expect(others.some(({ signature }) => signature === first?.signature)).toBe(false);
    await world.chain.send(transactionsOf(signed));
    expect(await world.chain.resolve(signed)).toMatchObject([
      { kind: 'failed', refusal: { kind: 'program', code: 400 } },
      ...others.map(() => ({ kind: 'landed', received: PRICE })),
    ]);
  });

  it('are undone by one that fails on chain, which alone is refused', async () => {
    const orders = await fourDue();
    const chain = chainWith();
    const charges = valueOf(await chain.signCharges(orders));
    expect(transactionsOf(charges)).toHaveLength(1);
    // The wallet can pay two of them only.
    await world.setTokenAccount(receiver.address);
    await world.changeSource((data) => new DataView(data.buffer).setBigUint64(64, 2n * PRICE, true));
    await chain.send(transactionsOf(charges));
    const outcomes = await chain.resolve(charges);
    expect(outcomes.filter(({ kind }) => kind === 'undone')).toHaveLength(3);
    expect(outcomes[charges.findIndex(({ paymentIndex }) => paymentIndex === 2)]).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'program', code: 1 },
      lamports: 1_250n,
    });
    expect(await world.balance(receiver.address)).toBe(0n);
  });

  it('are not: each has a transaction of its own without packing', async () => {
    const orders = await fourDue();
    const charges = valueOf(await chainWith({ packing: false }).signCharges(orders));
    expect(transactionsOf(charges)).toHaveLength(4);
    expect(called).not.toContain('simulateTransaction');
  });

  it('are not: each has a transaction of its own when no node simulates', async () => {
    const orders = await fourDue();
    silent = ['simulateTransaction'];
    const charges = valueOf(await chainWith().signCharges(orders));
    expect(transactionsOf(charges)).toHaveLength(4);
    await world.chain.send(transactionsOf(charges));
    expect(await world.chain.resolve(charges)).toMatchObject(charges.map(() => ({ kind: 'landed' })));
  });
});

// program#blockhash-lifetime. A block closes after each transaction, so 150 transactions land on a blockhash.
it('more charges than a blockhash has blocks land on one blockhash', async () => {
  world = await LocalWorld.open();
  const receiverAccount = await world.tokenAccount(receiver.address);
  const orders: ChargeOrder[] = [];
  for (let number = 0; number < 160; number += 1) {
    const target = await world.subscribe(await generateKeyPairSigner());
    orders.push({ ...target, amount: PRICE, receiverAccount });
  }
  world.net.advance({ seconds: HOUR });
  const charges = valueOf(await chainWith().signCharges(orders));
  expect(transactionsOf(charges)).toHaveLength(40);
  await world.chain.send(transactionsOf(charges));
  const outcomes = await world.chain.resolve(charges);
  expect(outcomes.filter(({ kind }) => kind === 'landed')).toHaveLength(160);
  expect(await world.balance(receiver.address)).toBe(320n * PRICE);
});
