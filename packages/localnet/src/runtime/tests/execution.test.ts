import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { getAddMemoInstruction } from '@solana-program/memo';
import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { InstructionFailure, type Localnet } from '../../index.js';
import { SOL, TEST_PROGRAM, signed, testInstruction } from '../../tests/transactions.js';
import {
  chainWith,
  lamports,
  other,
  pay,
  payer,
  third,
  testTransfer,
  transfer,
  transferring,
} from './transfer-program.js';

describe('a transaction is atomic except for its fee', () => {
  // program#atomicity
  test('a failing third instruction undoes earlier native and TypeScript writes and is reported as index 2', async () => {
    const chain = chainWith((context) => {
      if (context.data[0] === 99) throw new InstructionFailure({ Custom: 400 });
      transferring(context);
    });
    const result = chain.send(await signed(chain, payer, [pay(6n), testTransfer(7), testInstruction([99])]));
    expect(result).toMatchObject({ landed: true, error: { InstructionError: [2, { Custom: 400 }] } });
    expect(lamports(chain, payer.address)).toBe(SOL - 5_000n);
    expect(lamports(chain, other.address)).toBe(SOL);
  });

  // program#atomicity
  test('a failing native instruction undoes an earlier TypeScript one and keeps its own index', async () => {
    const chain = chainWith(transferring);
    const result = chain.send(await signed(chain, payer, [testTransfer(7), pay(1n), pay(2n * SOL)]));
    expect(result.error).toEqual({ InstructionError: [2, { Custom: 1 }] });
    expect(lamports(chain, other.address)).toBe(SOL);
    expect(chain.send(await signed(chain, payer, [pay(3n)])).error).toBeNull();
    expect(lamports(chain, payer.address)).toBe(SOL - 2n * 5_000n - 3n);
  });

  // program#failure-classification
  test('a failing invoked program fails the top-level instruction with its own code', async () => {
    const chain = chainWith((context) => {
      const [from, to] = context.accounts;
      if (from !== undefined && to !== undefined) transfer(context, from.address, to.address, 2 ** 40);
    });
    const result = chain.send(await signed(chain, payer, [pay(1n), testTransfer(0)]));
    expect(result.error).toEqual({ InstructionError: [1, { Custom: 1 }] });
  });

  test('a program that catches the failure of an invoked one still fails', async () => {
    const chain = chainWith((context) => {
      const [from, to] = context.accounts;
      try {
        if (from !== undefined && to !== undefined) transfer(context, from.address, to.address, 2 ** 40);
      } catch {
        context.log('never mind');
      }
    });
    expect(chain.send(await signed(chain, payer, [testTransfer(0)])).error).toEqual({
      InstructionError: [0, { Custom: 1 }],
    });
  });

  test('a bug in a program is thrown to the caller of send, and the chain is unchanged', async () => {
    const chain = chainWith((context) => {
      transferring(context);
      throw new TypeError('undefined is not a function');
    });
    const wire = await signed(chain, payer, [pay(6n), testTransfer(7)]);
    expect(() => chain.send(wire)).toThrow(TypeError);
    expect(() =>
      chain.simulate(wire, () => {
        throw new Error('unreached');
      }),
    ).toThrow(TypeError);
    expect([lamports(chain, payer.address), lamports(chain, other.address)]).toEqual([SOL, SOL]);
    expect(chain.send(await signed(chain, payer, [pay(6n)])).error).toBeNull();
  });

  // program#simulation-and-preflight
  test('a simulation changes nothing and has the result of sending', async () => {
    const chain = chainWith(transferring);
    const wire = await signed(chain, payer, [pay(6n), testTransfer(7)]);
    const simulated = chain.simulate(wire, (find) => {
      expect(find(other.address)?.lamports).toBe(SOL + 13n);
    });
    expect(simulated).toMatchObject({ landed: false, error: null });
    expect(lamports(chain, other.address)).toBe(SOL);
    const sent = chain.send(wire);
    expect(sent.processed).toEqual(simulated.processed);
    expect(sent.landed).toBe(true);
  });
});

describe('native and TypeScript instructions in one transaction', () => {
  test('each sees the writes of earlier ones', async () => {
    const seen: bigint[] = [];
    const chain = chainWith((context) => {
      seen.push(context.read(other.address).lamports);
      transferring(context);
    });
    const result = chain.send(
      await signed(chain, payer, [pay(6n), testTransfer(7), pay(8n), testTransfer(9)]),
    );
    expect(result.error).toBeNull();
    expect(seen).toEqual([SOL + 6n, SOL + 21n]);
    expect(lamports(chain, other.address)).toBe(SOL + 30n);
    expect(lamports(chain, payer.address)).toBe(SOL - 30n - 5_000n);
  });

  // program#transaction-logs
  test("logs have a validator's lines, with invoked programs one level deeper", async () => {
    const chain = chainWith((context) => {
      context.log('paying');
      transferring(context);
    });
    const { logs } = chain.send(await signed(chain, payer, [pay(6n), testTransfer(7)]));
    expect(logs).toEqual([
      `Program ${SYSTEM_PROGRAM_ADDRESS} invoke [1]`,
      `Program ${SYSTEM_PROGRAM_ADDRESS} success`,
      `Program ${TEST_PROGRAM} invoke [1]`,
      'Program log: paying',
      `Program ${SYSTEM_PROGRAM_ADDRESS} invoke [2]`,
      `Program ${SYSTEM_PROGRAM_ADDRESS} success`,
      `Program ${TEST_PROGRAM} consumed 4150 of 202850 compute units`,
      `Program ${TEST_PROGRAM} success`,
    ]);
  });

  // program#transaction-logs
  test('a failure is logged for every program on the call stack, in hexadecimal or in words', async () => {
    const chain = chainWith((context) => {
      if (context.data[0] === 1) throw new InstructionFailure('InvalidAccountOwner');
      const [from, to] = context.accounts;
      if (from !== undefined && to !== undefined) transfer(context, from.address, to.address, 2 ** 40);
    });
    const invoked = chain.send(await signed(chain, payer, [testTransfer(0)])).logs;
    expect(invoked.filter((line) => line.includes('failed'))).toEqual([
      `Program ${SYSTEM_PROGRAM_ADDRESS} failed: custom program error: 0x1`,
      `Program ${TEST_PROGRAM} failed: custom program error: 0x1`,
    ]);
    expect(chain.send(await signed(chain, payer, [testInstruction([1])])).logs.at(-1)).toBe(
      `Program ${TEST_PROGRAM} failed: Invalid account owner`,
    );
  });

  test('inner instructions are recorded under the top-level index with their stack height', async () => {
    const chain = chainWith((context) => {
      if (context.data[0] === 0) return;
      context.invoke({ programAddress: TEST_PROGRAM, accounts: [], data: Uint8Array.of(0) }, []);
      transferring(context);
    });
    const result = chain.send(await signed(chain, payer, [pay(1n), testTransfer(7)]));
    const [index, inner] = [...(result.processed?.innerInstructions ?? [])][0] ?? [];
    expect(index).toBe(1);
    expect(inner?.map(({ programAddress, stackHeight }) => ({ programAddress, stackHeight }))).toEqual([
      { programAddress: TEST_PROGRAM, stackHeight: 2 },
      { programAddress: SYSTEM_PROGRAM_ADDRESS, stackHeight: 2 },
    ]);
  });

  test('inner instructions of native programs are recorded, also between TypeScript instructions', async () => {
    const chain = chainWith(transferring);
    const { createAta } = await ataInstruction(chain);
    const whole = chain.simulate(await signed(chain, payer, [createAta]));
    const mixed = chain.simulate(await signed(chain, payer, [testTransfer(1), createAta]));
    expect(whole.error).toBeNull();
    expect(mixed.error).toBeNull();
    expect(mixed.processed?.innerInstructions.get(1)).toEqual(whole.processed?.innerInstructions.get(0));
    expect(whole.processed?.innerInstructions.get(0)?.length).toBeGreaterThan(0);
    expect(mixed.logs.slice(-whole.logs.length + 1, -2)).toEqual(
      expect.arrayContaining([`Program ${SYSTEM_PROGRAM_ADDRESS} invoke [2]`]),
    );
  });

  test('the compute units of native and TypeScript instructions add up', async () => {
    const chain = chainWith(transferring);
    const memo = getAddMemoInstruction({ memo: 'hi' });
    const alone = chain.simulate(await signed(chain, payer, [memo, memo])).processed?.unitsUsed ?? 0n;
    const mixed = chain.simulate(await signed(chain, payer, [memo, memo, testTransfer(1)])).processed;
    expect(alone).toBeGreaterThan(0n);
    expect(mixed?.unitsUsed).toBe(alone + 3_000n + 1_000n + 150n);
  });

  test('the instruction that exceeds the compute limit fails with ComputationalBudgetExceeded', async () => {
    const chain = chainWith(transferring);
    const limit = {
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      data: Uint8Array.of(2, 0xd0, 7, 0, 0),
    };
    const result = chain.send(await signed(chain, payer, [limit, testTransfer(1)]));
    expect(result.error).toEqual({ InstructionError: [1, 'ComputationalBudgetExceeded'] });
    expect(result.processed?.unitsUsed).toBe(2_000n);
  });
});

describe('programs', () => {
  test('a transaction fails and pays its fee when a program does not exist or is not executable', async () => {
    const chain = chainWith(transferring);
    const missing = { programAddress: third.address, data: new Uint8Array() };
    expect(chain.send(await signed(chain, payer, [missing]))).toMatchObject({
      landed: true,
      error: 'ProgramAccountNotFound',
    });
    const wallet = { programAddress: other.address, data: new Uint8Array() };
    expect(chain.send(await signed(chain, payer, [wallet])).error).toBe('InvalidProgramForExecution');
    expect(lamports(chain, payer.address)).toBe(SOL - 10_000n);
  });

  // program#program-addresses
  test('a new chain has the programs at their addresses', () => {
    const chain = chainWith(transferring);
    for (const program of [
      '11111111111111111111111111111111',
      'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
      'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
      'ComputeBudget111111111111111111111111111111',
    ]) {
      expect(chain.getAccount(address(program))).toMatchObject({ executable: true });
    }
  });

  test('a program in TypeScript has an executable account of the upgradeable loader', () => {
    const chain = chainWith(transferring);
    const account = chain.getAccount(TEST_PROGRAM);
    expect(account).toMatchObject({
      executable: true,
      owner: 'BPFLoaderUpgradeab1e11111111111111111111111',
      lamports: (128n + 36n) * 6_960n,
    });
    expect(account?.data.length).toBe(36);
  });
});

/** Creates the wrapped-SOL token account of a wallet: an instruction that itself invokes others. */
async function ataInstruction(chain: Localnet) {
  const { findAssociatedTokenPda, getCreateAssociatedTokenIdempotentInstruction } =
    await import('@solana-program/token-2022');
  const mint = address('So11111111111111111111111111111111111111112');
  const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  expect(chain.getAccount(mint)).not.toBeNull();
  const [ata] = await findAssociatedTokenPda({ owner: third.address, mint, tokenProgram });
  const createAta = getCreateAssociatedTokenIdempotentInstruction({
    payer,
    ata,
    owner: third.address,
    mint,
    tokenProgram,
  });
  return { createAta, ata };
}
