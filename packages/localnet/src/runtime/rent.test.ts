import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { describe, expect, test } from 'vitest';
import { createLocalnet, InstructionFailure } from '../index.js';
import { minimumBalance, rentViolation } from './rent.js';
import {
  SOL,
  TEST_PROGRAM,
  signed,
  testInstruction,
  withTestProgram,
  writable,
  writableSigner,
} from '../tests/transactions.js';
import {
  chainWith,
  lamports,
  other,
  pay,
  payer,
  third,
  testTransfer,
  transferring,
} from './tests/transfer-program.js';

describe('rent is due at the end of the transaction', () => {
  // program#rent-at-transaction-end
  test('an account may not end with less than its minimum', async () => {
    const chain = chainWith(transferring);
    const left = 128n * 6_960n - 1n;
    const native = await signed(chain, payer, [pay(SOL - 5_000n - left)]);
    expect(chain.send(native).error).toEqual({ InsufficientFundsForRent: { account_index: 0 } });
    expect(lamports(chain, payer.address)).toBe(SOL - 5_000n);
    const mixed = await signed(chain, payer, [testTransfer(1), pay(SOL - 10_001n - left)]);
    expect(chain.send(mixed).error).toEqual({ InsufficientFundsForRent: { account_index: 0 } });
  });

  // program#rent-at-transaction-end
  test('an account may be short of rent between instructions when a later one tops it up', async () => {
    const chain = createLocalnet(withTestProgram(transferring));
    chain.airdrop(payer.address, SOL);
    chain.airdrop(other.address, SOL);
    const back = getTransferSolInstruction({ source: other, destination: payer.address, amount: SOL / 2n });
    const left = 1_000n;
    const wire = await signed(chain, payer, [pay(SOL - 10_000n - left - 1n), testTransfer(1), back]);
    expect(chain.send(wire).error).toBeNull();
    expect(lamports(chain, payer.address)).toBe(left + SOL / 2n);
    expect(lamports(chain, other.address)).toBe(2n * SOL - 10_000n - left - SOL / 2n);
  });

  test('a new account may be short of rent between instructions', async () => {
    const chain = chainWith(transferring);
    const give = (amount: bigint) =>
      getTransferSolInstruction({ source: payer, destination: third.address, amount });
    const result = chain.send(await signed(chain, payer, [give(1n), testTransfer(1), give(SOL / 4n)]));
    expect(result.error).toBeNull();
    expect(lamports(chain, third.address)).toBe(SOL / 4n + 1n);
    expect(result.logs.length).toBe(2 + 5 + 2);
    expect(result.processed?.unitsUsed).toBe(150n + 4_150n + 150n);
  });

  test('a later failing instruction is reported instead of the shortage', async () => {
    const chain = chainWith(() => {
      throw new InstructionFailure({ Custom: 7 });
    });
    const result = chain.send(await signed(chain, payer, [pay(SOL - 6_000n), testInstruction([])]));
    expect(result.error).toEqual({ InstructionError: [1, { Custom: 7 }] });
  });

  // program#rent-at-transaction-end
  test('an account that was short before may stay short or lose lamports, but may neither gain lamports nor grow', () => {
    const short = { lamports: 1_000n, data: new Uint8Array(1), owner: TEST_PROGRAM, executable: false };
    const minimum = minimumBalance(1, 6_960n);
    const violates = (change: Partial<typeof short>) =>
      rentViolation(other.address, short, { ...short, ...change }, 6_960n);
    expect(violates({})).toBe(false);
    expect(violates({ lamports: 999n })).toBe(false);
    expect(violates({ lamports: 0n })).toBe(false);
    expect(violates({ lamports: 1_001n })).toBe(true);
    expect(violates({ lamports: minimum - 1n })).toBe(true);
    expect(violates({ lamports: minimum })).toBe(false);
    expect(violates({ data: new Uint8Array(2) })).toBe(true);
    expect(violates({ data: new Uint8Array() })).toBe(true);
  });

  test('a new account may not end with less than its minimum', async () => {
    const chain = chainWith(transferring);
    const instruction = testInstruction(
      [1],
      [writableSigner(payer), writable(third.address), SYSTEM_PROGRAM_ADDRESS],
    );
    expect(chain.send(await signed(chain, payer, [instruction])).error).toEqual({
      InsufficientFundsForRent: { account_index: 1 },
    });
  });
});
