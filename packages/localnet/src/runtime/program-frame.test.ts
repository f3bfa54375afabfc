import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { AccountRole, address, type AccountMeta, type AccountSignerMeta } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import type { Program } from '../index.js';
import type { InvokeContext } from './program.js';
import {
  SOL,
  TEST_PROGRAM,
  signed,
  testInstruction,
  writable,
  writableSigner,
} from '../tests/transactions.js';
import {
  chainWith,
  lamports,
  other,
  payer,
  third,
  testTransfer,
  transfer,
} from './tests/transfer-program.js';

const TEST_DATA_ACCOUNT = address('ToyData111111111111111111111111111111111111');

describe('privileges', () => {
  const failure = async (program: Program, instruction = testTransfer(1)) => {
    const chain = chainWith(program);
    const result = chain.send(await signed(chain, payer, [instruction]));
    return typeof result.error === 'object' && result.error !== null && 'InstructionError' in result.error
      ? result.error.InstructionError[1]
      : result.error;
  };

  test('a read-only account cannot be written', async () => {
    const program: Program = (context) => {
      context.write(other.address, { ...context.read(other.address), lamports: 1n });
    };
    expect(await failure(program, testInstruction([], [other.address]))).toBe('ReadonlyDataModified');
  });

  // program#cpi-privileges
  test('an invoked program gains neither a signature nor the right to write', async () => {
    const program: Program = (context) => transfer(context, other.address, payer.address, 1);
    const from = (meta: AccountMeta | AccountSignerMeta) =>
      testInstruction([], [meta, writable(payer.address), SYSTEM_PROGRAM_ADDRESS]);
    const readonlySigner = {
      address: other.address,
      role: AccountRole.READONLY_SIGNER,
      signer: other,
    } as const;
    expect(await failure(program, from(readonlySigner))).toBe('PrivilegeEscalation');
    expect(await failure(program, from(writable(other.address)))).toBe('PrivilegeEscalation');
  });

  // program#cpi-privileges
  test('a program signs for its derived addresses', async () => {
    const chain = chainWith((context) => {
      context.invoke(
        {
          programAddress: SYSTEM_PROGRAM_ADDRESS,
          accounts: [
            { address: third.address, isSigner: true, isWritable: true },
            { address: other.address, isSigner: false, isWritable: true },
          ],
          data: Uint8Array.of(2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0),
        },
        [third.address],
      );
    });
    chain.airdrop(third.address, SOL);
    const instruction = testInstruction(
      [],
      [writable(third.address), writable(other.address), SYSTEM_PROGRAM_ADDRESS],
    );
    expect(chain.send(await signed(chain, payer, [instruction])).error).toBeNull();
    expect(lamports(chain, third.address)).toBe(SOL - 5n);
  });

  test('an account or program that the instruction does not name cannot be used', async () => {
    const program: Program = (context) => transfer(context, payer.address, other.address, 1);
    expect(await failure(program, testInstruction([], [writableSigner(payer), SYSTEM_PROGRAM_ADDRESS]))).toBe(
      'MissingAccount',
    );
    expect(
      await failure(program, testInstruction([], [writableSigner(payer), writable(other.address)])),
    ).toBe('MissingAccount');
  });

  test('a program changes only its own accounts and creates no lamports', async () => {
    const write = (change: (context: InvokeContext) => void) =>
      failure(change, testInstruction([], [writable(other.address), writable(TEST_DATA_ACCOUNT)]));
    expect(await write((c) => c.write(other.address, { ...c.read(other.address), lamports: 1n }))).toBe(
      'ExternalAccountLamportSpend',
    );
    expect(
      await write((c) => c.write(other.address, { ...c.read(other.address), data: Uint8Array.of(1) })),
    ).toBe('ExternalAccountDataModified');
    expect(
      await write((c) => c.write(other.address, { ...c.read(other.address), owner: TEST_PROGRAM })),
    ).toBe('ModifiedProgramId');
    expect(
      await write((c) => c.write(TEST_DATA_ACCOUNT, { ...c.read(TEST_DATA_ACCOUNT), lamports: 1n })),
    ).toBe('UnbalancedInstruction');
  });

  // program#cpi-privileges
  test('a program may invoke itself up to the maximum depth', async () => {
    const recursive: Program = (context) => {
      context.invoke({ programAddress: TEST_PROGRAM, accounts: [], data: new Uint8Array() }, []);
    };
    expect(await failure(recursive, testInstruction([]))).toBe('CallDepth');
  });

  test('a program reads a copy of an account', async () => {
    const chain = chainWith((context) => {
      context.read(TEST_DATA_ACCOUNT).data[0] = 9;
    });
    chain.setAccount(TEST_DATA_ACCOUNT, { lamports: SOL, owner: TEST_PROGRAM, data: Uint8Array.of(1, 2) });
    await signed(chain, payer, [testInstruction([], [writable(TEST_DATA_ACCOUNT)])]).then((wire) =>
      chain.send(wire),
    );
    expect(chain.getAccount(TEST_DATA_ACCOUNT)?.data).toEqual(Uint8Array.of(1, 2));
  });
});
