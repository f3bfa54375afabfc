import { getTransferSolInstruction } from '@solana-program/system';
import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { createLocalnet, type Localnet } from '../../index.js';
import { MalformedTransaction } from '../wire-reader.js';
import { SOL, signed, signer } from '../../tests/transactions.js';

const payer = await signer(1);
const other = await signer(2);
const stranger = await signer(3);

function chainWithMoney(): Localnet {
  const chain = createLocalnet();
  chain.airdrop(payer.address, SOL);
  chain.airdrop(other.address, SOL);
  return chain;
}

const pay = (amount: bigint, source = payer) =>
  getTransferSolInstruction({ source, destination: other.address, amount });

const balance = (chain: Localnet, of = payer) => chain.getAccount(of.address)?.lamports ?? 0n;

describe('a transaction lands once', () => {
  // program#network-fee-and-compute-units
  test('legacy and version 0 transactions both land, pay 5,000 lamports for each signature and move the amount', async () => {
    for (const version of ['legacy', 0] as const) {
      const chain = chainWithMoney();
      const result = chain.send(await signed(chain, payer, [pay(7n)], { version }));
      expect(result).toMatchObject({ landed: true, error: null });
      expect(balance(chain)).toBe(SOL - 7n - 5_000n);
      expect(balance(chain, other)).toBe(SOL + 7n);
    }
  });

  // program#transaction-admission
  test('a transaction that is sent again is AlreadyProcessed and takes no fee', async () => {
    const chain = chainWithMoney();
    const wire = await signed(chain, payer, [pay(7n)]);
    chain.send(wire);
    expect(chain.send(wire)).toMatchObject({ landed: false, error: 'AlreadyProcessed' });
    expect(balance(chain)).toBe(SOL - 7n - 5_000n);
  });

  test('does not let a transaction land again that a small history would have dropped', async () => {
    const chain = createLocalnet({ historyLimit: 1 });
    chain.airdrop(payer.address, SOL);
    const wire = await signed(chain, payer, [pay(SOL / 10n)]);
    expect(chain.send(wire).landed).toBe(true);
    for (let more = 1n; more <= 3n; more++) chain.send(await signed(chain, payer, [pay(more * 1_000_000n)]));
    expect(chain.send(wire)).toMatchObject({ landed: false, error: 'AlreadyProcessed' });
  });

  test('does not let a landed failure land again', async () => {
    const chain = chainWithMoney();
    const wire = await signed(chain, payer, [pay(5n * SOL)]);
    expect(chain.send(wire)).toMatchObject({ landed: true, error: { InstructionError: [0, { Custom: 1 }] } });
    expect(chain.send(wire)).toMatchObject({ landed: false, error: 'AlreadyProcessed' });
    expect(balance(chain)).toBe(SOL - 5_000n);
  });
});

describe('a blockhash is valid for 150 blocks', () => {
  // program#blockhash-lifetime
  test('a transaction lands at its last valid height and not one block later', async () => {
    const chain = chainWithMoney();
    const { lastValidBlockHeight } = chain.latestBlockhash();
    const first = await signed(chain, payer, [pay(1n)]);
    const second = await signed(chain, payer, [pay(2n)]);
    chain.advance({ slots: 150 });
    expect(chain.blockHeight).toBe(lastValidBlockHeight);
    expect(chain.send(first).error).toBeNull();
    chain.advance({ slots: 1 });
    expect(chain.send(second)).toMatchObject({ landed: false, error: 'BlockhashNotFound' });
  });

  test('the blockhash of another chain is BlockhashNotFound', async () => {
    const chain = chainWithMoney();
    const blockhash = createLocalnet().latestBlockhash().blockhash;
    expect(chain.send(await signed(chain, payer, [pay(1n)], { blockhash })).error).toBe('BlockhashNotFound');
  });

  // program#transaction-admission
  test('an expired transaction that had landed is BlockhashNotFound, because that check comes first', async () => {
    const chain = chainWithMoney();
    const wire = await signed(chain, payer, [pay(1n)]);
    chain.send(wire);
    chain.advance({ slots: 151 });
    expect(chain.send(wire).error).toBe('BlockhashNotFound');
  });
});

describe('transactions that are rejected without a trace', () => {
  // program#transaction-admission
  test('rejects a wrong signature before it checks the blockhash', async () => {
    const chain = chainWithMoney();
    const wire = await signed(chain, payer, [pay(1n)], {
      blockhash: createLocalnet().latestBlockhash().blockhash,
    });
    wire[1] = (wire[1] ?? 0) ^ 1;
    expect(chain.send(wire)).toMatchObject({ landed: false, error: 'SignatureFailure' });
  });

  // program#transaction-admission
  test('rejects a fee payer that does not exist', async () => {
    const chain = createLocalnet();
    expect(chain.send(await signed(chain, stranger, [])).error).toBe('AccountNotFound');
  });

  // program#transaction-admission
  test('rejects a fee payer that holds less than the fee', async () => {
    const chain = createLocalnet();
    chain.setAccount(payer.address, { lamports: 4_999n });
    expect(chain.send(await signed(chain, payer, [])).error).toBe('InsufficientFundsForFee');
  });

  test('rejects a fee payer that has data', async () => {
    const chain = chainWithMoney();
    chain.setAccount(payer.address, { data: new Uint8Array(8) });
    expect(chain.send(await signed(chain, payer, [])).error).toBe('InvalidAccountForFee');
  });

  // program#rent-at-transaction-end
  test('rejects a fee that would leave its payer short of rent', async () => {
    const chain = createLocalnet();
    chain.setAccount(payer.address, { lamports: 128n * 6_960n + 4_999n });
    expect(chain.send(await signed(chain, payer, [])).error).toEqual({
      InsufficientFundsForRent: { account_index: 0 },
    });
    chain.setAccount(payer.address, { lamports: 5_000n });
    expect(chain.send(await signed(chain, payer, [])).error).toBeNull();
    expect(chain.getAccount(payer.address)).toBeNull();
  });

  // program#transaction-admission
  test('rejects incomplete bytes, surplus bytes, too many bytes and address lookup tables, each with its own message', async () => {
    const chain = chainWithMoney();
    const wire = await signed(chain, payer, [pay(1n)]);
    expect(() => chain.send(wire.subarray(0, 100))).toThrow(MalformedTransaction);
    expect(() => chain.send(Uint8Array.of(...wire, 0))).toThrow('1 bytes follow');
    expect(() => chain.send(new Uint8Array(1233))).toThrow('too large: 1233 bytes (max: 1232 bytes)');
    const withTable = wire.slice();
    withTable[withTable.length - 1] = 1;
    expect(() => chain.send(withTable)).toThrow('address lookup tables are not supported');
  });

  test('rejects an account that is listed twice', async () => {
    const chain = chainWithMoney();
    const wire = await signed(chain, payer, [pay(1n)]);
    // The keys follow the signature, version, header and their count; the second becomes a copy of the first.
    wire.copyWithin(70 + 32, 70, 70 + 32);
    expect(chain.send(wire)).toMatchObject({ landed: false, error: 'AccountLoadedTwice' });
  });
});

describe('fees', () => {
  // program#network-fee-and-compute-units
  test('the fee includes the price of the requested units, rounded up', async () => {
    const chain = chainWithMoney();
    const cb = (data: number[]) => ({
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      data: Uint8Array.from(data),
    });
    const units = cb([2, 0x41, 0x42, 0x0f, 0]);
    const price = cb([3, 1, 0, 0, 0, 0, 0, 0, 0]);
    const result = chain.send(await signed(chain, payer, [units, price]));
    expect(result.processed?.fee).toBe(5_000n + 2n);
    expect(balance(chain)).toBe(SOL - 5_002n);
  });

  test('a repeated or malformed compute budget instruction is rejected with its index', async () => {
    const chain = chainWithMoney();
    const cb = (data: number[]) => ({
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      data: Uint8Array.from(data),
    });
    const limit = cb([2, 1, 0, 0, 0]);
    expect(chain.send(await signed(chain, payer, [limit, limit]))).toMatchObject({
      landed: false,
      error: { DuplicateInstruction: 1 },
    });
    expect(chain.send(await signed(chain, payer, [limit, cb([9])]))).toMatchObject({
      landed: false,
      error: { InstructionError: [1, 'InvalidInstructionData'] },
    });
  });
});
