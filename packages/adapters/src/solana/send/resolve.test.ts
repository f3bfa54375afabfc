import { blockhash } from '@solana/kit';
import type { SignatureQuery } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { chargeAccountsOf } from '../read/charge-accounts.js';
import { compile } from '../transaction/message.js';
import { createAddresses } from '../program/addresses.js';
import { paymentInstruction } from '../build/transaction-kinds.js';
import { signAll } from '../sign/sign.js';
import { decodeWire } from '../transaction/wire.js';
import { type Methods, chainOn, charger } from '../tests/chain-on.js';
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

const BEFORE_EXPIRY = epochInfo(5_000n, LAST_VALID);
const PAST_EXPIRY = epochInfo(5_000n, LAST_VALID + 1n);
const CONFIRMED = statuses(5_000n, status('confirmed'));

async function outcomeOf(methods: Methods) {
  const [outcome] = await chainOn(methods).chain.resolve([query]);
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
    expect(called).toEqual(['getEpochInfo', 'getSignatureStatuses']);
    // Without a commitment a node reads at `finalized`.
    expect(seen).toEqual([[], [[signature], { searchTransactionHistory: true }]]);
  });

  it('is waiting while only a fork that may be dropped has it', async () => {
    const getSignatureStatuses = statuses(5_000n, status('processed'));
    expect(await outcomeOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'waiting' });
  });
});

// attempts#results-of-a-sent-transaction
describe('the outcome of a transaction older than what every node keeps', () => {
  /** A height long after the transaction could land, from 850 to 1,000, as after a long outage of the host. */
  const LONG_PAST = epochInfo(9_000n, LAST_VALID - 150n + 281n);
  const ledgerFrom = (blockHeight: bigint | null): Methods => ({
    getEpochInfo: LONG_PAST,
    getSignatureStatuses: statuses(9_000n, null),
    getFirstAvailableBlock: () => 33n,
    getBlock: ([slot]) => (slot === 33 ? { blockHeight } : null),
  });

  it('is not found when the node’s ledger reaches back to its signing', async () => {
    expect(await outcomeOf(ledgerFrom(850n))).toEqual({ kind: 'not_found' });
  });

  it.each([851n, null])('is unknown when the ledger begins later (%s)', async (height) => {
    expect(await outcomeOf(ledgerFrom(height))).toEqual({ kind: 'unknown' });
  });

  it('is unknown when the node does not report where its ledger begins', async () => {
    const { getFirstAvailableBlock: _, ...methods } = ledgerFrom(850n);
    expect(await outcomeOf(methods)).toEqual({ kind: 'unknown' });
  });

  it('does not need the ledger’s beginning one block earlier', async () => {
    const getEpochInfo = epochInfo(9_000n, LAST_VALID - 150n + 280n);
    expect(await outcomeOf({ getEpochInfo, getSignatureStatuses: statuses(9_000n, null) })).toEqual({
      kind: 'not_found',
    });
  });

  it('needs the ledger’s beginning when the node is far ahead of the one that gave the height', async () => {
    const getEpochInfo = epochInfo(9_000n, LAST_VALID + 30n);
    const remembering = statuses(9_100n, null);
    expect(await outcomeOf({ getEpochInfo, getSignatureStatuses: remembering })).toEqual({
      kind: 'not_found',
    });
    const forgetful = statuses(9_101n, null);
    expect(await outcomeOf({ getEpochInfo, getSignatureStatuses: forgetful })).toEqual({ kind: 'unknown' });
    const withLedger = { ...ledgerFrom(850n), getEpochInfo, getSignatureStatuses: forgetful };
    expect(await outcomeOf(withLedger)).toEqual({ kind: 'not_found' });
  });

  it('is landed when the second query finds it', async () => {
    const answers = [null, status('finalized')];
    const getSignatureStatuses = () => statuses(9_000n, answers.shift() ?? null)();
    const methods = { ...ledgerFrom(900n), getSignatureStatuses, getTransaction: landed() };
    expect(await outcomeOf(methods)).toMatchObject({ kind: 'landed' });
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
      signature: index === 300 ? signature : other.signature,
    }));
    const outcomes = await chain.resolve(queries);
    expect(calls).toEqual([256, 256, 88]);
    expect(outcomes.map(({ kind }) => kind).indexOf('landed')).toBe(300);
    expect(outcomes.filter(({ kind }) => kind === 'not_found')).toHaveLength(599);
  });

  it('are none for no query', async () => {
    const { chain } = chainOn({ getEpochInfo: PAST_EXPIRY });
    expect(await chain.resolve([])).toEqual([]);
  });
});
