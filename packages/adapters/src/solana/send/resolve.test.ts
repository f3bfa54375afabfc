import { blockhash, getBase58Decoder } from '@solana/kit';
import type { SignatureQuery } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { chargeAccountsOf } from '../read/charge-accounts.js';
import { compile } from '../transaction/message.js';
import { createAddresses } from '../program/addresses.js';
import { paymentInstruction } from '../build/transaction-kinds.js';
import { signAll } from '../sign/sign.js';
import { decodeWire } from '../transaction/wire.js';
import { type Methods, chainOn, charger, nodeWith } from '../tests/chain-on.js';
import { FakeRpcError } from '../tests/fake-rpc.js';
import { PLAN, WALLET, key } from '../tests/charge-view.js';

const LAST_VALID = 1_000n;

async function chargeOf(amount: bigint) {
  const target = { plan: PLAN, wallet: WALLET };
  const accounts = await chargeAccountsOf(target, createAddresses());
  const instruction = paymentInstruction(target, accounts, {
    amount,
    receiver: key(5),
    charger: charger.address,
  });
  const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: LAST_VALID };
  const compiled = compile(charger.address, [instruction], lifetime, { unitLimit: 200_000, unitPrice: 0n });
  const [signed] = await signAll([compiled], LAST_VALID, charger);
  if (signed === undefined) throw new Error('not signed');
  return signed;
}

const { signature, wire } = await chargeOf(10n);
const other = await chargeOf(11n);
/** The text of a signature that differs for each number. */
const signatureOf = (number: number) =>
  getBase58Decoder().decode(Uint8Array.from({ length: 64 }, (_, index) => (number >> (index * 4)) % 16));
const query: SignatureQuery = { signature, lastValidBlockHeight: LAST_VALID };

const epochInfo = (absoluteSlot: bigint, blockHeight: bigint) => () => ({ absoluteSlot, blockHeight });
const statuses =
  (slot: bigint, ...value: unknown[]) =>
  () => ({ context: { slot }, value });
const status = (confirmationStatus: string, err: unknown = null) => ({
  slot: 4_990n,
  confirmations: 1n,
  err,
  confirmationStatus,
});
/** The accounts that are paid and that pay, by their index in the message. */
const message = decodeWire(wire)?.message;
const indexOf = (account: string) => message?.staticAccounts.findIndex((one) => one === account);
const PAID = indexOf(key(5));
const PAYING = indexOf((await chargeAccountsOf({ plan: PLAN, wallet: WALLET }, createAddresses())).source);
const balance = (accountIndex: number | undefined, amount: string) => ({
  accountIndex,
  uiTokenAmount: { amount, decimals: 6 },
});
const landed =
  (changed: object = {}, meta: object = {}) =>
  () => ({
    slot: 4_990n,
    blockTime: 1_770_000_000n,
    transaction: [wire, 'base64'],
    meta: {
      err: null,
      preTokenBalances: [balance(PAYING, '100'), balance(PAID, '5')],
      postTokenBalances: [balance(PAYING, '90'), balance(PAID, '14')],
      ...meta,
    },
    ...changed,
  });

const latest = (slot: bigint, lastValidBlockHeight: bigint) => () => ({
  context: { slot },
  value: { blockhash: key(9), lastValidBlockHeight },
});

/** A node whose first block has this slot and height. It has no other block that is asked for. */
const ledgerFrom = (slot: bigint, blockHeight: bigint | null): Methods => ({
  getFirstAvailableBlock: () => slot,
  getBlock: ([asked]) => (asked === Number(slot) && blockHeight !== null ? { blockHeight } : null),
  getLatestBlockhash: latest(9_000n, 9_150n),
});
/** The first height at which the transaction could land. */
const SENT_AT = LAST_VALID - 150n;
const FULL_HISTORY = ledgerFrom(0n, null);

const BEFORE_EXPIRY = epochInfo(5_000n, LAST_VALID);
const PAST_EXPIRY = epochInfo(5_000n, LAST_VALID + 1n);
const CONFIRMED = statuses(5_000n, status('confirmed'));

async function outcomeOf(methods: Methods) {
  const [outcome] = await chainOn({ ...FULL_HISTORY, ...methods }).chain.resolve([query]);
  return outcome;
}

// attempts#results-of-a-sent-transaction
describe('the outcome of a transaction in a confirmed block', () => {
  const world = { getEpochInfo: BEFORE_EXPIRY, getSignatureStatuses: CONFIRMED };

  it('is landed at the block’s time, and the receiver got what its balance grew by', async () => {
    expect(await outcomeOf({ ...world, getTransaction: landed() })).toEqual({
      kind: 'landed',
      slot: 4_990n,
      time: new Date(1_770_000_000_000),
      received: 9n,
    });
  });

  it('is landed when it is finalized and its height passed long ago', async () => {
    const getSignatureStatuses = statuses(5_000n, status('finalized'));
    const outcome = await outcomeOf({
      getEpochInfo: PAST_EXPIRY,
      getSignatureStatuses,
      getTransaction: landed(),
    });
    expect(outcome).toMatchObject({ kind: 'landed' });
  });

  // attempts#amount-received
  it.each([
    ['the whole amount, by an account that was empty', [balance(PAID, '0')], [balance(PAID, '10')], 10n],
    ['nothing, by a transfer to the same account', [balance(PAID, '9')], [balance(PAID, '9')], 0n],
    [
      'less than was sent, when the token has a transfer fee',
      [balance(PAID, '1')],
      [balance(PAID, '10')],
      9n,
    ],
    [
      'the whole amount, by an account that holds more than a number can',
      [balance(PAID, '18446744073709551605')],
      [balance(PAID, '18446744073709551615')],
      10n,
    ],
    ['unknown, when the balances leave the account out', [], [balance(PAYING, '9')], null],
    ['unknown, when its balance before is missing', [], [balance(PAID, '9')], null],
    ['unknown, when its balance after is missing', [balance(PAID, '9')], [], null],
    ['unknown, when its balance fell', [balance(PAID, '10')], [balance(PAID, '9')], null],
    [
      'unknown, when its balance grew by more than was sent',
      [balance(PAID, '1')],
      [balance(PAID, '12')],
      null,
    ],
  ])('has the amount received: %s', async (_, preTokenBalances, postTokenBalances, received) => {
    const getTransaction = landed({}, { preTokenBalances, postTokenBalances });
    expect(await outcomeOf({ ...world, getTransaction })).toMatchObject({ kind: 'landed', received });
  });

  it('is failed, classified by the instruction that failed', async () => {
    const err = { InstructionError: [2n, { Custom: 1n }] };
    const failing = {
      ...world,
      getSignatureStatuses: statuses(5_000n, status('confirmed', err)),
      getTransaction: landed({}, { err }),
    };
    expect(await outcomeOf(failing)).toEqual({
      kind: 'failed',
      slot: 4_990n,
      refusal: { kind: 'program', code: 1 },
    });
  });

  it('is failed by a built-in error, with its number', async () => {
    const getTransaction = landed({}, { err: { InstructionError: [2n, 'InvalidAccountOwner'] } });
    expect(await outcomeOf({ ...world, getTransaction })).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'chain', code: 4615047 },
    });
  });

  it.each([
    ['is missing', () => null],
    ['has no time', landed({ blockTime: null })],
    ['has no meta', landed({ meta: null })],
    ['is that of another transaction', landed({ transaction: [other.wire, 'base64'] })],
    ['is garbage', landed({ transaction: ['AAAA', 'base64'] })],
    ['has an error of no known shape', landed({}, { err: { InstructionError: 'all' } })],
    ['has balances without an amount', landed({}, { postTokenBalances: [{ accountIndex: PAID }] })],
    ['has balances of no account', landed({}, { postTokenBalances: [balance(undefined, '1')] })],
  ])('is unknown while its record %s', async (_, getTransaction) => {
    expect(await outcomeOf({ ...world, getTransaction })).toEqual({ kind: 'unknown' });
  });
});

// attempts#results-of-a-sent-transaction
describe('the outcome of a transaction that was not found', () => {
  it('is waiting while it can still land', async () => {
    const getSignatureStatuses = statuses(5_000n, null);
    expect(await outcomeOf({ getEpochInfo: BEFORE_EXPIRY, getSignatureStatuses })).toEqual({
      kind: 'waiting',
    });
  });

  // attempts#lost-transaction
  it('is not found once its height has passed at finalized', async () => {
    const getSignatureStatuses = statuses(5_000n, null);
    expect(await outcomeOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({
      kind: 'not_found',
    });
  });

  // attempts#lost-transaction
  it('is unknown when the node is behind that height', async () => {
    const getSignatureStatuses = statuses(4_999n, null);
    expect(await outcomeOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'unknown' });
  });

  // attempts#read-commitment
  it('reads the finalized height first, and then searches the whole ledger', async () => {
    const seen: unknown[] = [];
    const { chain, called } = chainOn({
      ...FULL_HISTORY,
      getEpochInfo: (params) => {
        seen.push(params);
        return PAST_EXPIRY();
      },
      getSignatureStatuses: (params) => {
        seen.push(params);
        return statuses(5_000n, null)();
      },
    });
    await chain.resolve([query]);
    const proof = ['getEpochInfo', 'getLatestBlockhash', 'getSignatureStatuses', 'getFirstAvailableBlock'];
    expect(called).toEqual(['getEpochInfo', 'getSignatureStatuses', ...proof]);
    // Without a commitment a node reads at `finalized`.
    const looked = [[], [[signature], { searchTransactionHistory: true }]];
    expect(seen).toEqual([...looked, ...looked]);
  });

  it('is waiting while only a fork that may be dropped has it', async () => {
    const getSignatureStatuses = statuses(5_000n, status('processed'));
    expect(await outcomeOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'waiting' });
  });
});

// attempts#proof-of-never-landed
describe('that a transaction never landed', () => {
  /** So long after that no node has the statuses in memory, as after a long outage of the host. */
  const LONG_PAST = LAST_VALID + 500n;
  const searched: Methods = {
    getEpochInfo: epochInfo(9_000n, LONG_PAST),
    getSignatureStatuses: statuses(9_000n, null),
    getLatestBlockhash: latest(9_000n, LONG_PAST + 150n),
  };
  const refuses = () => {
    throw new FakeRpcError(-32601);
  };
  const skipped = () => {
    throw new FakeRpcError(-32009);
  };

  it.each([
    ['its first slot is at or below the transfer’s height', ledgerFrom(SENT_AT, null)],
    ['its first block has the transfer’s height', ledgerFrom(4_000n, SENT_AT)],
    [
      'it has the block of the slot with the number of that height',
      { ...ledgerFrom(4_000n, null), getBlock: ([slot]) => (slot === Number(SENT_AT) ? {} : null) },
    ],
    [
      'it has that block and does not say where its ledger begins',
      { getFirstAvailableBlock: refuses, getBlock: ([slot]) => (slot === Number(SENT_AT) ? {} : null) },
    ],
    [
      'its archive has no block at that slot nor in the leader’s turn before it, as both were skipped',
      {
        getFirstAvailableBlock: refuses,
        getBlock: ([slot]) => (Number(slot) > Number(SENT_AT) - 8 ? skipped() : {}),
      },
    ],
  ] satisfies [string, Methods][])('is proved by a node when %s', async (_, history) => {
    expect(await outcomeOf({ ...searched, ...history })).toEqual({ kind: 'not_found' });
    const soon = { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: statuses(5_000n, null) };
    expect(await outcomeOf({ ...soon, ...history })).toEqual({ kind: 'not_found' });
  });

  it('is told of each query by the height that it gives, though another has the same signature', async () => {
    const noHeight = { signature, lastValidBlockHeight: 2n ** 63n - 1n };
    const { chain } = chainOn({
      ...FULL_HISTORY,
      getEpochInfo: PAST_EXPIRY,
      getSignatureStatuses: ([asked]) => ({
        context: { slot: 5_000n },
        value: (asked as readonly string[]).map(() => null),
      }),
    });
    const [never, waits] = [{ kind: 'not_found' }, { kind: 'waiting' }];
    expect(await chain.resolve([query, noHeight])).toEqual([never, waits]);
    expect(await chain.resolve([noHeight, query])).toEqual([waits, never]);
  });

  it.each([
    ['begins one block later', ledgerFrom(4_000n, SENT_AT + 1n)],
    ['has no height for its first block', ledgerFrom(4_000n, null)],
    ['does not say where it begins', { getFirstAvailableBlock: refuses, getBlock: refuses }],
    ['has lost its first block meanwhile', { getFirstAvailableBlock: () => 4_000n, getBlock: refuses }],
  ] satisfies [string, Methods][])('is unknown, at once, when the ledger %s', async (_, history) => {
    const { chain, called } = chainOn({ ...searched, ...history });
    expect(await chain.resolve([query])).toEqual([{ kind: 'unknown' }]);
    expect(called.filter((method) => method === 'getFirstAvailableBlock')).toHaveLength(1);
    // The endpoint is not broken: the next call is answered as well.
    expect(await chain.resolve([{ ...query, lastValidBlockHeight: LONG_PAST }])).toEqual([
      { kind: 'waiting' },
    ]);
  });

  it('is proved by the next endpoint when the first cannot tell', async () => {
    const nodes = [
      { ...searched, ...ledgerFrom(4_000n, null) },
      { ...searched, ...FULL_HISTORY },
    ].map((methods) => nodeWith(methods));
    const rpc = nodes.map(({ transport }) => transport);
    expect(await chainOn({}, { rpc }).chain.resolve([query])).toEqual([{ kind: 'not_found' }]);
    // Whoever proves it has looked for the height and the signature too.
    expect(nodes[1]?.methods).toEqual([
      'getGenesisHash',
      'getEpochInfo',
      'getLatestBlockhash',
      'getSignatureStatuses',
      'getFirstAvailableBlock',
    ]);
  });

  it('is unknown while the node that has the history has not reached the height', async () => {
    const answers = [PAST_EXPIRY(), BEFORE_EXPIRY()];
    const getEpochInfo = () => answers.shift() ?? BEFORE_EXPIRY();
    expect(await outcomeOf({ ...searched, getEpochInfo })).toEqual({ kind: 'unknown' });
  });

  // A gateway in front of several providers, of which one takes the slot for the height.
  it('is not told by a node that reports its slot as its height', async () => {
    const mixedUp = { ...searched, ...FULL_HISTORY, getEpochInfo: epochInfo(9_000n, 9_000n) };
    const before = { getLatestBlockhash: latest(9_000n, LAST_VALID - 10n + 150n) };
    expect(await outcomeOf({ ...mixedUp, ...before })).toEqual({ kind: 'unknown' });
    const honest = { ...searched, ...before, getEpochInfo: epochInfo(9_000n, LAST_VALID - 10n) };
    for (const nodes of [
      [mixedUp, honest],
      [honest, mixedUp],
    ]) {
      const rpc = nodes.map((methods) => nodeWith({ ...methods, ...before }).transport);
      const [outcome] = await chainOn({}, { rpc }).chain.resolve([query]);
      expect(outcome?.kind).toMatch(/^(unknown|waiting)$/);
    }
  });

  it('does not keep a newer one from being proved', async () => {
    const newer = { signature: other.signature, lastValidBlockHeight: LAST_VALID + 500n };
    const { chain } = chainOn({
      ...ledgerFrom(4_000n, SENT_AT + 500n),
      getEpochInfo: epochInfo(5_000n, LAST_VALID + 501n),
      getSignatureStatuses: ([asked]) => statuses(5_000n, ...(asked as unknown[]).map(() => null))(),
    });
    expect(await chain.resolve([query, newer])).toEqual([{ kind: 'unknown' }, { kind: 'not_found' }]);
  });

  it('is refuted when the second query finds it', async () => {
    const answers = [null, status('finalized')];
    const getSignatureStatuses = () => statuses(9_000n, answers.shift() ?? null)();
    const methods = { ...searched, ...ledgerFrom(4_000n, null), getSignatureStatuses };
    expect(await outcomeOf({ ...methods, getTransaction: landed() })).toMatchObject({ kind: 'landed' });
  });
});

// attempts#results-of-a-sent-transaction
describe('the outcome when a response is missing or malformed', () => {
  const unavailable = () => {
    throw new FakeRpcError(-32601);
  };

  it.each([
    ['the block height', { getEpochInfo: unavailable, getSignatureStatuses: statuses(5_000n, null) }],
    ['the status', { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: unavailable }],
    [
      'a height that is possible for its slot',
      { getEpochInfo: epochInfo(5n, 6n), getSignatureStatuses: statuses(5_000n, null) },
    ],
    ['a status for each signature', { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: statuses(5_000n) }],
    [
      'a confirmation status',
      { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: statuses(5_000n, { err: null }) },
    ],
    [
      'the history of the ledger',
      {
        getEpochInfo: PAST_EXPIRY,
        getSignatureStatuses: () => {
          throw new FakeRpcError(-32011);
        },
      },
    ],
  ])('is unknown without %s', async (_, methods) => {
    expect(await outcomeOf(methods)).toEqual({ kind: 'unknown' });
  });

  it('is landed without a block height', async () => {
    const methods = { getEpochInfo: unavailable, getSignatureStatuses: CONFIRMED, getTransaction: landed() };
    expect(await outcomeOf(methods)).toMatchObject({ kind: 'landed' });
  });
});

describe('the outcomes of many transactions', () => {
  it('are queried 256 at a time and returned in the order of the queries', async () => {
    const calls: number[] = [];
    const { chain } = chainOn({
      ...FULL_HISTORY,
      getEpochInfo: PAST_EXPIRY,
      getSignatureStatuses: ([signatures]) => {
        const wanted = signatures as string[];
        calls.push(wanted.length);
        const value = wanted.map((one) => (one === signature ? status('confirmed') : null));
        return { context: { slot: 5_000n }, value };
      },
      getTransaction: landed(),
    });
    const queries = Array.from({ length: 600 }, (_, index) => ({
      ...query,
      signature: index === 300 ? signature : signatureOf(index),
    }));
    const outcomes = await chain.resolve(queries);
    // Then the 599 that were not found are looked for once more.
    expect(calls).toEqual([256, 256, 88, 256, 256, 87]);
    expect(outcomes.map(({ kind }) => kind).indexOf('landed')).toBe(300);
    expect(outcomes.filter(({ kind }) => kind === 'not_found')).toHaveLength(599);
  });

  it('are none for no query', async () => {
    const { chain } = chainOn({ getEpochInfo: PAST_EXPIRY });
    expect(await chain.resolve([])).toEqual([]);
  });
});
