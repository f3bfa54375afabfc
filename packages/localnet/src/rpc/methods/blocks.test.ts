import { getTransferSolInstruction } from '@solana-program/system';
import { compileTransaction, createTransactionMessage, pipe } from '@solana/kit';
import * as kit from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, localnetRpc, type Localnet } from '../../index.js';
import { dispatch } from '../dispatch.js';
import { SOL, signed, signer } from '../../tests/transactions.js';

const payer = await signer(1);
const other = await signer(2);
let chain: Localnet;
let rpc: ReturnType<typeof localnetRpc>;

beforeEach(() => {
  chain = createLocalnet({ unixTime: 1_800_000_000n, historyLimit: 3 });
  rpc = localnetRpc(chain);
  chain.airdrop(payer.address, SOL);
});

const raw = (method: string, params: readonly unknown[] = []) =>
  dispatch(chain, { jsonrpc: '2.0', id: 1, method, params }) as {
    result?: unknown;
    error?: { code: number };
  };

describe('blockhashes', () => {
  // program#blockhash-lifetime
  test('the newest blockhash at a commitment is valid for 150 blocks', async () => {
    chain.advance({ slots: 100 });
    const { value: confirmed } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const { value: finalized } = await rpc.getLatestBlockhash({ commitment: 'finalized' }).send();
    const height = chain.blockHeight;
    expect([confirmed.lastValidBlockHeight, finalized.lastValidBlockHeight]).toEqual([
      height - 1n + 150n,
      height - 31n + 150n,
    ]);
    expect(confirmed.blockhash).not.toBe(finalized.blockhash);
    chain.advance({ slots: 120 });
    expect((await rpc.isBlockhashValid(confirmed.blockhash).send()).value).toBe(true);
    expect((await rpc.isBlockhashValid(finalized.blockhash).send()).value).toBe(false);
  });
});

describe('fees', () => {
  test('getFeeForMessage is null once the blockhash has expired', async () => {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (message) => kit.setTransactionMessageFeePayer(payer.address, message),
      (message) =>
        kit.setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: chain.latestBlockhash().blockhash as kit.Blockhash, lastValidBlockHeight: 0n },
          message,
        ),
      (message) =>
        kit.appendTransactionMessageInstructions(
          [getTransferSolInstruction({ source: other, destination: payer.address, amount: 1n })],
          message,
        ),
    );
    const bytes = kit.getBase64Decoder().decode(compileTransaction(message).messageBytes);
    const request = () => rpc.getFeeForMessage(bytes as kit.TransactionMessageBytesBase64).send();
    expect((await request()).value).toBe(10_000n);
    chain.advance({ slots: 151 });
    expect((await request()).value).toBeNull();
  });

  test('recent fees are the lowest price in each recent confirmed slot, or zero', async () => {
    chain = createLocalnet({ closeBlocks: 'clock' });
    rpc = localnetRpc(chain);
    chain.airdrop(payer.address, SOL);
    const priced = async (price: number) => {
      const cb = { programAddress: kit.address('ComputeBudget111111111111111111111111111111') };
      chain.send(await signed(chain, payer, [{ ...cb, data: Uint8Array.of(3, price, 0, 0, 0, 0, 0, 0, 0) }]));
    };
    chain.advance({ slots: 1 });
    await priced(7);
    chain.advance({ slots: 1 });
    await priced(9);
    await priced(5);
    chain.advance({ slots: 1 });
    await priced(11);
    const fees = await rpc.getRecentPrioritizationFees([payer.address]).send();
    expect(fees.map(({ prioritizationFee }) => prioritizationFee)).toEqual([0n, 7n, 5n]);
    const others = await rpc.getRecentPrioritizationFees([other.address]).send();
    expect(others.map(({ prioritizationFee }) => prioritizationFee)).toEqual([0n, 0n, 0n]);
  });
});

describe('blocks', () => {
  test('a block has the transactions of its slot and names its parent', async () => {
    chain.advance({ slots: 4 });
    const { slot } = chain.clock;
    const height = chain.blockHeight;
    const { blockhash } = chain.latestBlockhash();
    const signature = chain.airdrop(other.address, SOL);
    const block = (config: object) => raw('getBlock', [slot, { commitment: 'confirmed', ...config }]).result;
    expect(block({ transactionDetails: 'signatures' })).toMatchObject({
      blockHeight: height,
      blockTime: 1_800_000_001n,
      parentSlot: slot - 1n,
      blockhash,
      signatures: [signature],
    });
    expect(block({ transactionDetails: 'none' })).not.toHaveProperty('transactions');
    expect(block({})).toMatchObject({ transactions: [{ meta: { err: null } }] });
    expect(raw('getBlock', [slot]).result).toBeNull();
  });

  test('a future slot has no block, and a slot with dropped transactions is cleaned up', async () => {
    expect(raw('getBlock', [chain.clock.slot + 1n]).error?.code).toBe(-32004);
    expect(raw('getBlockTime', [chain.clock.slot + 1n]).error?.code).toBe(-32004);
    const first = chain.clock.slot - 1n;
    for (let airdrops = 0; airdrops < 3; airdrops++) {
      chain.advance({ slots: 151 });
      chain.airdrop(other.address, SOL);
    }
    expect(raw('getBlock', [first]).error?.code).toBe(-32001);
    expect(await rpc.getFirstAvailableBlock().send()).toBe(first + 1n);
  });

  test('ranges of slots end at the newest at a commitment', async () => {
    const first = chain.firstSlot;
    chain.advance({ slots: Number(first + 35n - chain.clock.slot) });
    expect(raw('getBlocks', [first + 2n, first + 3n]).result).toEqual([first + 2n, first + 3n]);
    expect(raw('getBlocks', [first + 3n]).result).toEqual([first + 3n, first + 4n]);
    expect(raw('getBlocks', [first + 33n, { commitment: 'confirmed' }]).result).toEqual([
      first + 33n,
      first + 34n,
    ]);
    expect(raw('getBlocksWithLimit', [first, 2]).result).toEqual([first, first + 1n]);
    expect(await rpc.getBlockTime(first + 6n).send()).toBe(1_800_000_002n);
  });
});
