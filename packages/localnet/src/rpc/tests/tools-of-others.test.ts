import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferSolInstruction } from '@solana-program/system';
import { getCreateAssociatedTokenInstructionAsync } from '@solana-program/token-2022';
import { AccountRole, address, getAddressEncoder, getBase58Decoder, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, type Localnet } from '../../index.js';
import { dispatch } from '../dispatch.js';
import { LOOKUP_TABLE_PROGRAM, SLOT_HASHES, SYSTEM_PROGRAM } from '../../runtime/addresses.js';
import { findProgramAddress } from '../../runtime/derive-address.js';
import { TOKEN, TOKEN_2022, createMint } from '../../tests/token-mint.js';
import { SOL, signed, signer, writable, writableSigner } from '../../tests/transactions.js';
import { dispatchTo } from '../dispatch.js';
import { Session } from '../notifications.js';

// Each row is a call as another tool makes it, and what a node of a cluster answers.

const payer = await signer(1);
const other = await signer(2);
const mint = await signer(3);
const NOBODY = address('Nobody1111111111111111111111111111111111111');
let chain: Localnet;

beforeEach(() => {
  chain = createLocalnet();
  chain.airdrop(payer.address, 10n * SOL);
  chain.advance({ seconds: 60 });
});

const request = (method: string, params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
const call = (method: string, ...params: readonly unknown[]) => dispatch(chain, request(method, params));

/** The result of a call that a node answers. */
function read(method: string, ...params: readonly unknown[]): unknown {
  const response = call(method, ...params);
  if (response !== null && 'result' in response) return response.result;
  throw new Error(`${method} was refused.`);
}

interface Contextual<Value> {
  readonly context: { readonly slot: bigint };
  readonly value: Value;
}
/** An account with encoded data. */
interface Encoded {
  readonly data: readonly [string, string];
}

const wire = async (instructions: readonly Instruction[], blockhash?: string) =>
  Buffer.from(
    await signed(chain, payer, instructions, blockhash === undefined ? {} : { blockhash }),
  ).toString('base64');
const pay = () => getTransferSolInstruction({ source: payer, destination: other.address, amount: SOL });
const send = async (...instructions: readonly Instruction[]) =>
  read('sendTransaction', await wire(instructions), {
    encoding: 'base64',
    preflightCommitment: 'processed',
  }) as string;

describe('a wallet adapter sends with the slot of its blockhash', () => {
  // program#commitment-and-rpc-methods
  test.each(['processed', 'confirmed', 'finalized', undefined])(
    'at the commitment %s',
    async (commitment) => {
      const config = commitment === undefined ? {} : { commitment };
      const { context, value } = read('getLatestBlockhash', config) as Contextual<{ blockhash: string }>;
      const preflight = commitment === undefined ? {} : { preflightCommitment: commitment };
      const sent = call('sendTransaction', await wire([pay()], value.blockhash), {
        ...preflight,
        encoding: 'base64',
        minContextSlot: context.slot,
      });
      expect(sent).toMatchObject({ result: expect.any(String) as string });
    },
  );

  test('and any method with a context takes the slot of another at the same commitment', () => {
    for (const commitment of ['processed', 'confirmed', 'finalized']) {
      const { context } = read('getBalance', payer.address, { commitment }) as Contextual<bigint>;
      const minContextSlot = context.slot;
      expect(read('getSlot', { commitment })).toBe(minContextSlot);
      const config = { commitment, minContextSlot };
      for (const [method, ...params] of [
        ['getAccountInfo', payer.address, config],
        ['getMultipleAccounts', [payer.address], config],
        ['getBlockHeight', config],
        ['getEpochInfo', config],
        ['getProgramAccounts', TOKEN, { ...config, withContext: true }],
      ] as const) {
        expect(call(method, ...params), method).not.toHaveProperty('error');
      }
    }
  });

  test('a slot that is not reached is refused, also without preflight', async () => {
    const config = { encoding: 'base64', minContextSlot: chain.clock.slot + 1n };
    for (const skipPreflight of [false, true]) {
      expect(call('sendTransaction', await wire([pay()]), { ...config, skipPreflight })).toMatchObject({
        error: { code: -32016 },
      });
    }
  });
});

describe('a Rust client reads accounts in base64+zstd, its default', () => {
  /** The content of a frame whose blocks are not compressed, by RFC 8878. */
  function contentOf(frame: Uint8Array): Uint8Array {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    expect([view.getUint32(0, true), view.getUint8(4)]).toEqual([0xfd2fb528, 0b1010_0000]);
    const parts: Uint8Array[] = [];
    for (let at = 9, isLast = false; !isLast;) {
      const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      isLast = (header & 1) === 1;
      expect((header >> 1) & 3).toBe(0);
      expect(header >> 3).toBeLessThanOrEqual(131_072);
      parts.push(frame.subarray(at + 3, at + 3 + (header >> 3)));
      at += 3 + (header >> 3);
      if (isLast) expect(at).toBe(frame.length);
    }
    const content = Buffer.concat(parts);
    expect(view.getUint32(5, true)).toBe(content.length);
    return content;
  }

  test.each([0, 1, 255, 131_072, 131_073, 400_000])('of %i bytes', (size) => {
    const data = Uint8Array.from({ length: size }, (_, index) => index % 251);
    chain.setAccount(other.address, { lamports: 100n * SOL, data });
    const config = { encoding: 'base64+zstd' };
    const { data: encoded } = (read('getAccountInfo', other.address, config) as Contextual<Encoded>).value;
    expect(encoded[1]).toBe('base64+zstd');
    expect(Buffer.compare(contentOf(Buffer.from(encoded[0], 'base64')), data)).toBe(0);
  });

  test('in every method and of a slice', () => {
    const config = { encoding: 'base64+zstd', dataSlice: { offset: 1, length: 2 } };
    chain.setAccount(other.address, { lamports: SOL, data: Uint8Array.of(7, 8, 9, 10), owner: NOBODY });
    const { value } = read('getMultipleAccounts', [other.address], config) as Contextual<Encoded[]>;
    const listed = read('getProgramAccounts', NOBODY, config) as { account: Encoded }[];
    const found = [...value, ...listed.map(({ account }) => account)];
    expect(found).toHaveLength(2);
    for (const { data } of found) {
      expect([...contentOf(Buffer.from(data[0], 'base64'))]).toEqual([8, 9]);
    }
  });
});

describe('a client makes an address lookup table', () => {
  const u32 = (value: number) => [value, 0, 0, 0];
  const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];
  function tableAt(slot: bigint) {
    const seeds = [getAddressEncoder().encode(payer.address), Uint8Array.from(u64(slot))];
    const table = findProgramAddress(
      LOOKUP_TABLE_PROGRAM,
      seeds.map((seed) => Uint8Array.from(seed)),
    );
    const instruction = (data: number[], ...more: NonNullable<Instruction['accounts']>): Instruction => ({
      programAddress: LOOKUP_TABLE_PROGRAM,
      accounts: [writable(table.address), ...more],
      data: Uint8Array.from(data),
    });
    const system = { address: SYSTEM_PROGRAM, role: AccountRole.READONLY };
    const authority = { address: payer.address, role: AccountRole.READONLY };
    return {
      address: table.address,
      create: instruction([...u32(0), ...u64(slot), table.bump], authority, writableSigner(payer), system),
      extend: instruction(
        [...u32(2), ...u64(1n), ...getAddressEncoder().encode(NOBODY)],
        writableSigner(payer),
        writableSigner(payer),
        system,
      ),
      deactivate: instruction(u32(3), writableSigner(payer)),
      close: instruction(u32(4), writableSigner(payer), writable(other.address)),
    };
  }
  const result = async (instruction: Instruction) =>
    chain.send(await signed(chain, payer, [instruction])).error;

  test.each(['confirmed', 'finalized'])(
    'from the slot of getSlot at %s, extends and closes it',
    async (commitment) => {
      const table = tableAt(read('getSlot', { commitment }) as bigint);
      expect(await result(table.create)).toBeNull();
      expect(await result(table.extend)).toBeNull();
      const { data } = chain.getAccount(table.address) ?? {};
      expect(Buffer.from(data ?? []).subarray(-32)).toEqual(Buffer.from(getAddressEncoder().encode(NOBODY)));
      expect(await result(table.deactivate)).toBeNull();
      expect(await result(table.close)).not.toBeNull();
      chain.advance({ slots: 513 });
      expect(await result(table.close)).toBeNull();
      expect(chain.getAccount(table.address)).toBeNull();
    },
  );

  test('in the first slot of a new chain, and after a jump of a year', async () => {
    chain = createLocalnet({ closeBlocks: 'clock' });
    chain.airdrop(payer.address, SOL);
    expect(await result(tableAt(read('getSlot') as bigint).create)).toBeNull();
    chain.advance({ seconds: 365 * 86_400 });
    expect(await result(tableAt(read('getSlot') as bigint).create)).toBeNull();
  });

  test('and reads the recent slots from the sysvar, newest first', () => {
    const recent = () => {
      const account = chain.getAccount(SLOT_HASHES);
      const view = new DataView(Uint8Array.from(account?.data ?? []).buffer);
      return { count: view.getBigUint64(0, true), newest: view.getBigUint64(8, true) };
    };
    expect(recent()).toEqual({ count: chain.blockHeight, newest: chain.clock.slot - 1n });
    chain.advance({ slots: 1_000 });
    expect(recent()).toEqual({ count: 512n, newest: chain.clock.slot - 1n });
  });
});

describe('an explorer shows the chain', () => {
  test.each<[string, readonly unknown[], unknown]>([
    ['getInflationRate', [], { total: 0, validator: 0, foundation: 0, epoch: expect.any(BigInt) as bigint }],
    ['getInflationGovernor', [], expect.objectContaining({ initial: 0 })],
    ['getInflationReward', [[payer.address]], [null]],
    ['getStakeMinimumDelegation', [], expect.objectContaining({ value: 1n })],
    ['getBlockCommitment', [1], { commitment: null, totalStake: 0n }],
    ['getMaxShredInsertSlot', [], expect.any(BigInt)],
    ['getMaxRetransmitSlot', [], expect.any(BigInt)],
    ['getSlotLeaders', [1, 2], [expect.any(String), expect.any(String)]],
  ])('%s', (method, params, expected) => {
    expect(read(method, ...params)).toEqual(expected);
  });

  test('getSupply and getLargestAccounts know what was created', () => {
    chain.airdrop(other.address, 15n * SOL);
    const { value } = read('getSupply') as Contextual<object>;
    expect(value).toEqual({
      total: 25n * SOL,
      circulating: 25n * SOL,
      nonCirculating: 0n,
      nonCirculatingAccounts: [],
    });
    const largest = (read('getLargestAccounts') as Contextual<object[]>).value;
    expect(largest.slice(0, 2)).toEqual([
      { address: other.address, lamports: 15n * SOL },
      { address: payer.address, lamports: 10n * SOL },
    ]);
  });

  test('getRecentPerformanceSamples has each whole minute, newest first', async () => {
    chain = createLocalnet({ closeBlocks: 'clock' });
    expect(read('getRecentPerformanceSamples')).toEqual([]);
    chain.airdrop(payer.address, SOL);
    chain.advance({ seconds: 60 });
    await send(getAddMemoInstruction({ memo: 'a' }));
    await send(getAddMemoInstruction({ memo: 'b' }));
    chain.advance({ seconds: 60 });
    const sample = { numSlots: 150n, samplePeriodSecs: 60 };
    expect(read('getRecentPerformanceSamples')).toEqual([
      { ...sample, slot: chain.firstSlot + 299n, numTransactions: 2n, numNonVoteTransactions: 2n },
      { ...sample, slot: chain.firstSlot + 149n, numTransactions: 1n, numNonVoteTransactions: 1n },
    ]);
    expect(read('getRecentPerformanceSamples', 1)).toHaveLength(1);
    expect(call('getRecentPerformanceSamples', 721)).toMatchObject({ error: { code: -32602 } });
  });

  test('getBlock with accounts has the accounts and what became of their balances', async () => {
    const { slot } = chain.clock;
    const signature = await send(pay());
    chain.advance({ slots: 1 });
    const config = { commitment: 'confirmed', transactionDetails: 'accounts' };
    expect(call('getBlock', slot, config)).toMatchObject({ error: { code: -32015 } });
    const { transactions } = read('getBlock', slot, {
      ...config,
      maxSupportedTransactionVersion: 0,
    }) as { transactions: object[] };
    expect(transactions).toEqual([
      {
        version: 0,
        transaction: {
          signatures: [signature],
          accountKeys: [
            { pubkey: payer.address, signer: true, writable: true, source: 'transaction' },
            { pubkey: other.address, signer: false, writable: true, source: 'transaction' },
            { pubkey: SYSTEM_PROGRAM, signer: false, writable: false, source: 'transaction' },
          ],
        },
        meta: {
          err: null,
          status: { Ok: null },
          fee: 5_000n,
          preBalances: [10n * SOL, 0n, 1n],
          postBalances: [9n * SOL - 5_000n, SOL, 1n],
          preTokenBalances: [],
          postTokenBalances: [],
        },
      },
    ]);
  });
});

describe('a wallet shows what a transaction did, in jsonParsed', () => {
  interface Shown {
    readonly transaction: { readonly message: { readonly instructions: readonly object[] } };
    readonly meta: { readonly innerInstructions: readonly object[] };
  }
  const CONFIG = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const transfer = (lamports: bigint) => ({
    program: 'system',
    programId: SYSTEM_PROGRAM,
    parsed: {
      type: 'transfer',
      info: { source: payer.address, destination: other.address, lamports },
    },
  });

  test('as an instruction, as an inner one, and in a block', async () => {
    await createMint(chain, payer, mint);
    const create = await getCreateAssociatedTokenInstructionAsync({
      payer,
      owner: other.address,
      mint: mint.address,
      tokenProgram: TOKEN,
    });
    const { slot } = chain.clock;
    const signature = await send(pay(), create, getAddMemoInstruction({ memo: 'thanks' }));
    chain.advance({ slots: 1 });
    const { transaction, meta } = read('getTransaction', signature, CONFIG) as Shown;
    const { instructions } = transaction.message;
    expect(instructions).toMatchObject([
      transfer(SOL),
      {
        program: 'spl-associated-token-account',
        parsed: { type: 'create', info: { wallet: other.address } },
      },
      { program: 'spl-memo', parsed: 'thanks' },
    ]);
    expect(meta.innerInstructions).toMatchObject([
      {
        index: 1,
        instructions: [
          { program: 'spl-token', parsed: { type: 'getAccountDataSize', info: { mint: mint.address } } },
          {
            program: 'system',
            parsed: { type: 'createAccount', info: { source: payer.address, owner: TOKEN } },
          },
          { program: 'spl-token', parsed: { type: 'initializeImmutableOwner' } },
          {
            program: 'spl-token',
            parsed: { type: 'initializeAccount3', info: { mint: mint.address, owner: other.address } },
          },
        ],
      },
    ]);
    const block = read('getBlock', slot, CONFIG) as { readonly transactions: readonly Shown[] };
    expect(block.transactions[0]?.transaction.message.instructions).toEqual(instructions);
  });

  test('the associated token program asks Token-2022 for the size with the extensions', async () => {
    await createMint(chain, payer, mint, TOKEN_2022);
    const create = await getCreateAssociatedTokenInstructionAsync({
      payer,
      owner: other.address,
      mint: mint.address,
      tokenProgram: TOKEN_2022,
    });
    const signature = await send(create);
    chain.advance({ slots: 1 });
    const { meta } = read('getTransaction', signature, CONFIG) as Shown;
    const info = { mint: mint.address, extensionTypes: ['immutableOwner'] };
    const [inner] = meta.innerInstructions as { readonly instructions: readonly object[] }[];
    expect(inner?.instructions[0]).toMatchObject({
      program: 'spl-token',
      programId: TOKEN_2022,
      parsed: { type: 'getAccountDataSize', info },
    });
  });
});

describe('a client watches what it sent', () => {
  test.each([
    [{ commitment: 'processed', enableReceivedNotification: true }, ['receivedSignature', { err: null }]],
    [{ commitment: 'confirmed', enableReceivedNotification: true }, ['receivedSignature', { err: null }]],
    [{ commitment: 'confirmed', enableReceivedNotification: false }, [{ err: null }]],
    [{ commitment: 'confirmed' }, [{ err: null }]],
  ])('signatureSubscribe with %j', async (config, expected) => {
    const seen: unknown[] = [];
    const session = new Session(chain, ({ params }) =>
      seen.push((params.result as { value: unknown }).value),
    );
    const transaction = await wire([pay()]);
    const signature = chain.simulate(transaction).signature;
    dispatchTo(
      (method, params) => session.call(method, params),
      request('signatureSubscribe', [signature, config]),
    );
    chain.send(transaction);
    chain.advance({ slots: 40 });
    session.close();
    expect(seen).toEqual(expected);
  });
});

describe('a client searches accounts and history', () => {
  beforeEach(() =>
    chain.setAccount(other.address, { lamports: SOL, data: Uint8Array.of(7, 8, 9), owner: NOBODY }),
  );

  test.each<[string, object, number]>([
    ['bytes in base58', { memcmp: { offset: 1, bytes: '9' } }, 1],
    ['bytes in base64', { memcmp: { offset: 1, bytes: 'CAk=', encoding: 'base64' } }, 1],
    ['bytes in a list, as Rust clients write them', { memcmp: { offset: 1, bytes: [8, 9] } }, 1],
    ['other bytes in a list', { memcmp: { offset: 1, bytes: [8, 10] } }, 0],
    ['a size', { dataSize: 3 }, 1],
  ])('by %s', (_, filter, count) => {
    expect(read('getProgramAccounts', NOBODY, { encoding: 'base64', filters: [filter] })).toHaveLength(count);
  });

  test.each([
    { memcmp: { offset: 0, bytes: [256] } },
    { memcmp: { offset: 0, bytes: Array(129).fill(0) } },
    { datasize: 3 },
    'dataSize',
  ])('and a filter that is malformed is refused, never left out: %j', (filter) => {
    expect(call('getProgramAccounts', NOBODY, { encoding: 'base64', filters: [filter] })).toMatchObject({
      error: { code: -32602 },
    });
  });

  test('for token accounts only', async () => {
    await createMint(chain, payer, mint);
    chain.setTokenAccount(other.address, mint.address, { amount: 5n });
    const config = { encoding: 'base64', filters: ['tokenAccountState'] };
    expect(read('getProgramAccounts', TOKEN, config)).toHaveLength(1);
  });

  test('between two signatures, each excluded, and after one that nobody knows', async () => {
    const [first, second] = [await send(pay()), await send(getAddMemoInstruction({ memo: 'x' }))];
    chain.advance({ slots: 1 });
    const commitment = 'confirmed';
    const found = (config: object) =>
      (
        read('getSignaturesForAddress', payer.address, { commitment, ...config }) as { signature: string }[]
      ).map(({ signature }) => signature);
    expect(found({ before: second, until: first })).toEqual([]);
    expect(found({ until: first })).toEqual([second]);
    expect(found({ before: '1'.repeat(64) })).toEqual([]);
  });

  test('in an encoding of earlier clients, and with a commitment that nodes no longer know', () => {
    const { value } = read('getAccountInfo', other.address, {
      encoding: 'binary',
    }) as Contextual<{ data: string }>;
    expect(value.data).toBe(getBase58Decoder().decode(Uint8Array.of(7, 8, 9)));
    for (const commitment of ['recent', 'single', 'singleGossip', 'root', 'max']) {
      expect(call('getBalance', payer.address, { commitment })).toMatchObject({ error: { code: -32602 } });
    }
  });

  test('and an answer has a result or an error, never an error that is null', () => {
    expect(Object.keys(call('getHealth') ?? {})).toEqual(['jsonrpc', 'id', 'result']);
    expect(Object.keys(call('getNothing') ?? {})).toEqual(['jsonrpc', 'id', 'error']);
  });
});

describe('a wallet lists tokens', () => {
  test('of one of the token programs', () => {
    const filter = { programId: TOKEN };
    expect(call('getTokenAccountsByOwner', payer.address, filter)).toMatchObject({ result: { value: [] } });
  });

  test('and finds none of a mint of which the wallet has none', async () => {
    await createMint(chain, payer, mint);
    const filter = { mint: mint.address };
    expect(call('getTokenAccountsByOwner', payer.address, filter)).toMatchObject({ result: { value: [] } });
  });
});

// Version 4 of the program has an address of its own.
test.each([
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
])('a wallet adds a memo to %s', async (program) => {
  const memo = { ...getAddMemoInstruction({ memo: 'thanks' }), programAddress: address(program) };
  await send(pay(), memo);
  const [latest] = read('getSignaturesForAddress', other.address, { commitment: 'confirmed' }) as object[];
  expect(latest).toMatchObject({ err: null, memo: '[6] thanks' });
});

test('and of one that is not UTF-8 nothing is shown but its length', async () => {
  const memo = { ...getAddMemoInstruction({ memo: '' }), data: Uint8Array.of(104, 255) };
  chain.send(await signed(chain, payer, [pay(), memo]));
  const [latest] = read('getSignaturesForAddress', other.address, { commitment: 'confirmed' }) as object[];
  expect(latest).toMatchObject({ memo: '[2] (unparseable)' });
});
