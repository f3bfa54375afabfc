import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferSolInstruction } from '@solana-program/system';
import { address, type Base64EncodedWireTransaction, type Instruction, type Signature } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, InstructionFailure, localnetRpc, type Localnet } from '../../index.js';
import { dispatch } from '../dispatch.js';
import {
  SOL,
  TEST_PROGRAM,
  signed,
  signer,
  testInstruction,
  withTestProgram,
} from '../../tests/transactions.js';

const payer = await signer(1);
const other = await signer(2);
let chain: Localnet;
let rpc: ReturnType<typeof localnetRpc>;

beforeEach(() => {
  chain = createLocalnet(
    withTestProgram((context) => {
      if (context.data[0] === 9) throw new InstructionFailure({ Custom: 400 });
      context.log('hello');
      if (context.data[0] === 1)
        context.invoke({ programAddress: TEST_PROGRAM, accounts: [], data: Uint8Array.of(0) }, []);
    }),
  );
  rpc = localnetRpc(chain);
  chain.airdrop(payer.address, SOL);
});

const pay = (amount: bigint) =>
  getTransferSolInstruction({ source: payer, destination: other.address, amount });
const wire = async (instructions: readonly Instruction[], options?: Parameters<typeof signed>[3]) =>
  Buffer.from(await signed(chain, payer, instructions, options)).toString(
    'base64',
  ) as Base64EncodedWireTransaction;
const BASE64 = { encoding: 'base64' } as const;

/** The JSON-RPC response, which may be an error. */
const raw = (method: string, params: readonly unknown[]) =>
  dispatch(chain, { jsonrpc: '2.0', id: 1, method, params }) as {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };

describe('sendTransaction', () => {
  test('returns the signature of the landed transaction', async () => {
    const signature = await rpc.sendTransaction(await wire([pay(SOL / 2n)]), BASE64).send();
    expect(chain.history.find(signature)?.processed.error).toBeNull();
  });

  // program#simulation-and-preflight, program#transaction-admission
  test('a failing preflight is -32002 with the simulation in its data, and nothing lands', async () => {
    const { error } = raw('sendTransaction', [await wire([pay(1n), testInstruction([9])]), BASE64]);
    expect(error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x190',
      data: { err: { InstructionError: [1, { Custom: 400 }] }, accounts: null, unitsConsumed: 3_150n },
    });
    expect((error?.data as { logs: string[] } | undefined)?.logs.at(-1)).toBe(
      `Program ${TEST_PROGRAM} failed: custom program error: 0x190`,
    );
    expect(chain.getAccount(payer.address)?.lamports).toBe(SOL);
  });

  // program#transaction-admission
  test('a wrong signature is -32003, an expired blockhash and a repeated transaction are -32002', async () => {
    const once = await wire([pay(SOL / 4n)]);
    const bytes = Buffer.from(once, 'base64');
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    expect(raw('sendTransaction', [bytes.toString('base64'), BASE64]).error?.code).toBe(-32003);
    raw('sendTransaction', [once, BASE64]);
    expect(raw('sendTransaction', [once, BASE64]).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed', logs: [] },
    });
    const late = await wire([pay(1n)]);
    chain.advance({ slots: 151 });
    expect(raw('sendTransaction', [late, BASE64]).error).toMatchObject({
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound' },
    });
  });

  // program#transaction-admission
  test('a fee payer without an account is AccountNotFound', async () => {
    const poor = Buffer.from(await signed(chain, other, [])).toString('base64');
    expect(raw('sendTransaction', [poor, BASE64]).error).toMatchObject({
      message:
        'Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.',
      data: { err: 'AccountNotFound' },
    });
  });

  // program#transaction-admission
  test('a failed preflight says why in words, not only by the name of the error', async () => {
    const noData = {
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      data: Uint8Array.of(4, 0, 0, 0, 0),
    };
    expect(raw('sendTransaction', [await wire([noData]), BASE64]).error).toMatchObject({
      message:
        'Transaction simulation failed: LoadedAccountsDataSizeLimit set for transaction must be greater than 0.',
      data: { err: 'InvalidLoadedAccountsDataSizeLimit' },
    });
  });

  // program#simulation-and-preflight, program#atomicity
  test('without preflight a failing transaction lands and pays, and one that cannot land is lost', async () => {
    const skip = { ...BASE64, skipPreflight: true } as const;
    const failing = await rpc.sendTransaction(await wire([testInstruction([9])]), skip).send();
    expect(chain.history.find(failing)?.processed.error).toEqual({ InstructionError: [0, { Custom: 400 }] });
    expect(chain.getAccount(payer.address)?.lamports).toBe(SOL - 5_000n);
    const late = await wire([pay(1n)]);
    chain.advance({ slots: 151 });
    const lost = await rpc.sendTransaction(late, skip).send();
    expect((await rpc.getSignatureStatuses([lost]).send()).value).toEqual([null]);
  });

  test('reads a transaction as base58 when no encoding is given', async () => {
    const bytes = await signed(chain, payer, [pay(SOL / 4n)]);
    const { encodeBase58 } = await import('../../runtime/base58.js');
    expect(raw('sendTransaction', [encodeBase58(bytes)]).result).toBe(
      chain.history.newestFirst()[0]?.transaction.signature,
    );
  });
});

describe('simulateTransaction', () => {
  // program#simulation-and-preflight
  test('returns logs, units, fee, inner instructions and accounts, and changes nothing', async () => {
    const { value } = await rpc
      .simulateTransaction(await wire([pay(SOL / 4n), testInstruction([1])]), {
        ...BASE64,
        innerInstructions: true,
        accounts: { encoding: 'base64', addresses: [other.address] },
      })
      .send();
    expect(value).toMatchObject({
      err: null,
      unitsConsumed: 150n + 3_000n + 1_000n + 500n,
      fee: 5_000n,
      accounts: [{ lamports: SOL / 4n }],
      preBalances: [SOL, 0n, 1n, expect.anything()],
      innerInstructions: [
        { index: 1, instructions: [{ programId: TEST_PROGRAM, accounts: [], data: '1', stackHeight: 2 }] },
      ],
    });
    expect(value.logs).toContain('Program log: hello');
    expect(chain.getAccount(other.address)).toBeNull();
  });

  // program#simulation-and-preflight
  test('replaceRecentBlockhash runs an expired unsigned transaction and returns the replacement', async () => {
    const old = await wire([pay(SOL / 4n)]);
    chain.advance({ slots: 500 });
    expect((await rpc.simulateTransaction(old, BASE64).send()).value.err).toBe('BlockhashNotFound');
    const unsigned = Buffer.from(old, 'base64')
      .fill(0, 1, 65)
      .toString('base64') as Base64EncodedWireTransaction;
    const { value } = await rpc
      .simulateTransaction(unsigned, { ...BASE64, replaceRecentBlockhash: true })
      .send();
    expect(value.err).toBeNull();
    expect(value.replacementBlockhash).toEqual(chain.latestBlockhash());
  });

  // program#simulation-and-preflight
  test('sigVerify checks signatures and excludes replaceRecentBlockhash', async () => {
    const unsigned = Buffer.from(await wire([pay(1n)]), 'base64')
      .fill(0, 1, 65)
      .toString('base64');
    expect(raw('simulateTransaction', [unsigned, { ...BASE64, sigVerify: true }]).error?.code).toBe(-32003);
    expect(
      raw('simulateTransaction', [unsigned, { ...BASE64, sigVerify: true, replaceRecentBlockhash: true }])
        .error?.code,
    ).toBe(-32602);
  });

  // program#simulation-and-preflight
  test('a failure is in the value and not an RPC error', async () => {
    const { value } = await rpc
      .simulateTransaction(await wire([testInstruction([9])]), {
        ...BASE64,
        accounts: { encoding: 'base64', addresses: [payer.address] },
      })
      .send();
    expect(value).toMatchObject({ err: { InstructionError: [0n, { Custom: 400n }] }, accounts: [null] });
  });
});

describe('finding landed transactions', () => {
  const send = async (...instructions: Instruction[]): Promise<Signature> =>
    chain.send(await signed(chain, payer, instructions)).signature as Signature;

  // program#commitment-and-rpc-methods
  test('statuses have the slot, the error and the commitment', async () => {
    const { slot } = chain.clock;
    const good = await send(pay(SOL / 4n));
    const bad = await send(testInstruction([9]));
    chain.advance({ slots: 28 });
    expect((await rpc.getSignatureStatuses([good, bad]).send()).value).toEqual([
      { slot, confirmations: 30n, confirmationStatus: 'confirmed', err: null, status: { Ok: null } },
      {
        slot: slot + 1n,
        confirmations: 29n,
        confirmationStatus: 'confirmed',
        err: { InstructionError: [0n, { Custom: 400n }] },
        status: { Err: { InstructionError: [0n, { Custom: 400n }] } },
      },
    ]);
    chain.advance({ slots: 1 });
    const { value } = await rpc.getSignatureStatuses([good]).send();
    expect(value[0]).toMatchObject({ confirmationStatus: 'finalized', confirmations: null });
  });

  // program#commitment-and-rpc-methods
  test('a status older than 300 slots is found only with searchTransactionHistory', async () => {
    const old = await send(pay(SOL / 4n));
    chain.advance({ slots: 301 });
    expect((await rpc.getSignatureStatuses([old]).send()).value).toEqual([null]);
    const { value } = await rpc.getSignatureStatuses([old], { searchTransactionHistory: true }).send();
    expect(value[0]?.confirmationStatus).toBe('finalized');
  });

  test('getSignaturesForAddress returns signatures in pages, the newest first', async () => {
    const signatures: Signature[] = [];
    for (let amount = 1n; amount <= 5n; amount++) signatures.unshift(await send(pay(SOL / 10n + amount)));
    const page = async (config: object) =>
      (await rpc.getSignaturesForAddress(other.address, { commitment: 'confirmed', ...config }).send()).map(
        ({ signature }) => signature,
      );
    expect(await page({})).toEqual(signatures);
    expect(await page({ limit: 2 })).toEqual(signatures.slice(0, 2));
    expect(await page({ limit: 2, before: signatures[1] })).toEqual(signatures.slice(2, 4));
    expect(await page({ before: signatures[1], until: signatures[4] })).toEqual(signatures.slice(2, 4));
    expect(await page({ commitment: 'finalized' })).toEqual([]);
    await expect(page({ limit: 1001 })).rejects.toThrow('Invalid limit; max 1000');
    await expect(page({ commitment: 'processed' })).rejects.toThrow('below `confirmed`');
  });

  test('getSignaturesForAddress includes the memo', async () => {
    await send(getAddMemoInstruction({ memo: 'order 7' }), pay(SOL / 4n));
    const [found] = await rpc.getSignaturesForAddress(other.address, { commitment: 'confirmed' }).send();
    expect(found?.memo).toBe('[7] order 7');
  });

  test('getTransaction returns a transaction in json, jsonParsed and base64', async () => {
    const { slot } = chain.clock;
    const { blockhash } = chain.latestBlockhash();
    const signature = await send(pay(SOL / 4n), testInstruction([1]));
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const json = await rpc.getTransaction(signature, { ...options, encoding: 'json' }).send();
    expect(json).toMatchObject({
      slot,
      blockTime: chain.clock.unixTimestamp,
      meta: {
        err: null,
        fee: 5_000n,
        computeUnitsConsumed: 4_650n,
        preBalances: [SOL, 0n, 1n, expect.anything()],
        postBalances: [SOL - SOL / 4n - 5_000n, SOL / 4n, 1n, expect.anything()],
        innerInstructions: [
          { index: 1, instructions: [{ programIdIndex: 3, accounts: [], data: '1', stackHeight: 2 }] },
        ],
      },
      transaction: {
        signatures: [signature],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 2 },
          recentBlockhash: blockhash,
        },
      },
    });
    const parsed = await rpc.getTransaction(signature, { ...options, encoding: 'jsonParsed' }).send();
    expect(parsed?.transaction.message.accountKeys[0]).toEqual({
      pubkey: payer.address,
      signer: true,
      writable: true,
      source: 'transaction',
    });
    const base64 = await rpc.getTransaction(signature, { ...options, encoding: 'base64' }).send();
    expect(base64?.transaction).toEqual([
      Buffer.from(chain.history.find(signature)?.transaction.wire ?? []).toString('base64'),
      'base64',
    ]);
  });

  test('a version 0 transaction is an error for a client that names no maximum version', async () => {
    const signature = await send(pay(SOL / 4n));
    expect(raw('getTransaction', [signature, { commitment: 'confirmed' }]).error).toMatchObject({
      code: -32015,
      message: expect.stringContaining('"maxSupportedTransactionVersion": 0') as string,
    });
    const legacy = chain.send(await signed(chain, payer, [pay(SOL / 5n)], { version: 'legacy' })).signature;
    expect(raw('getTransaction', [legacy, { commitment: 'confirmed' }]).result).not.toHaveProperty('version');
  });

  test('an unknown transaction, or one below the commitment, is null', async () => {
    const signature = await send(pay(SOL / 4n));
    expect(raw('getTransaction', [signature]).result).toBeNull();
    expect(raw('getTransaction', ['1'.repeat(64), { commitment: 'confirmed' }]).result).toBeNull();
  });
});
