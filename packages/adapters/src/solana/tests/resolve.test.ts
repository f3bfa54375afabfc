import { blockhash } from '@solana/kit';
import type { SignatureQuery } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { chargeAccountsOf } from '../charge-accounts.js';
import { compile } from '../message.js';
import { createAddresses } from '../program/addresses.js';
import { payment } from '../transaction-kinds.js';
import { signAll } from '../sign.js';
import { decodeWire } from '../wire.js';
import { type Methods, chainOn, charger } from './chain-on.js';
import { FakeRpcError } from './fake-rpc.js';
import { PLAN, WALLET, key } from './charge-view.js';

const LAST_VALID = 1_000n;

async function chargeOf(amount: bigint) {
  const ask = { plan: PLAN, wallet: WALLET };
  const where = await chargeAccountsOf(ask, createAddresses());
  const instruction = payment(ask, where, { amount, receiver: key(5), charger: charger.address });
  const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: LAST_VALID };
  const compiled = compile(charger.address, [instruction], lifetime, { unitLimit: 200_000, unitPrice: 0n });
  const [signed] = await signAll([compiled], LAST_VALID, charger);
  if (signed === undefined) throw new Error('not signed');
  return signed;
}

const { signature, wire } = await chargeOf(10n);
const other = await chargeOf(11n);
const ask: SignatureQuery = { signature, lastValidBlockHeight: LAST_VALID };

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
/** Accounts of the charge by their place in its message: who is paid, and who pays. */
const message = decodeWire(wire)?.message;
const placeOf = (account: string) => message?.staticAccounts.findIndex((one) => one === account);
const PAID = placeOf(key(5));
const PAYING = placeOf((await chargeAccountsOf({ plan: PLAN, wallet: WALLET }, createAddresses())).source);
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

async function fateOf(methods: Methods) {
  const [fate] = await chainOn(methods).chain.resolve([ask]);
  return fate;
}

describe('attempts#results-of-a-sent-transaction: a transaction in a confirmed block', () => {
  const world = { getEpochInfo: BEFORE_EXPIRY, getSignatureStatuses: CONFIRMED };

  it("landed, at the block's time, and the receiver got what its balance grew by", async () => {
    expect(await fateOf({ ...world, getTransaction: landed() })).toEqual({
      kind: 'landed',
      slot: 4_990n,
      time: new Date(1_770_000_000_000),
      received: 9n,
    });
  });

  it('landed just as well when it is finalized, and when its height passed long ago', async () => {
    const getSignatureStatuses = statuses(5_000n, status('finalized'));
    const fate = await fateOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses, getTransaction: landed() });
    expect(fate).toMatchObject({ kind: 'landed' });
  });

  it.each([
    ['all of it, by an account that held nothing', [balance(PAID, '0')], [balance(PAID, '10')], 10n],
    ['nothing of a transfer to oneself', [balance(PAID, '9')], [balance(PAID, '9')], 0n],
    ['less than was asked, where the token takes a fee', [balance(PAID, '1')], [balance(PAID, '10')], 9n],
    [
      'all of it, by an account that holds more than a number does',
      [balance(PAID, '18446744073709551605')],
      [balance(PAID, '18446744073709551615')],
      10n,
    ],
    ['no one can say what, of balances that leave it out', [], [balance(PAYING, '9')], null],
    ['no one can say what, of what it held before left out', [], [balance(PAID, '9')], null],
    ['no one can say what, of what it holds now left out', [balance(PAID, '9')], [], null],
    ['no one can say what, of a balance that fell', [balance(PAID, '10')], [balance(PAID, '9')], null],
    ['no one can say what, of more than was sent', [balance(PAID, '1')], [balance(PAID, '12')], null],
  ])('received: %s', async (_, preTokenBalances, postTokenBalances, received) => {
    const getTransaction = landed({}, { preTokenBalances, postTokenBalances });
    expect(await fateOf({ ...world, getTransaction })).toMatchObject({ kind: 'landed', received });
  });

  it('failed, classified by the instruction that failed', async () => {
    const err = { InstructionError: [2n, { Custom: 1n }] };
    const failing = {
      ...world,
      getSignatureStatuses: statuses(5_000n, status('confirmed', err)),
      getTransaction: landed({}, { err }),
    };
    expect(await fateOf(failing)).toEqual({
      kind: 'failed',
      slot: 4_990n,
      refusal: { kind: 'program', code: 1 },
    });
  });

  it('failed by a built-in error', async () => {
    const getTransaction = landed({}, { err: { InstructionError: [2n, 'InvalidAccountOwner'] } });
    expect(await fateOf({ ...world, getTransaction })).toMatchObject({
      kind: 'failed',
      refusal: { kind: 'chain', code: 4615047 },
    });
  });

  it.each([
    ['is not told', () => null],
    ['has no time', landed({ blockTime: null })],
    ['has no meta', landed({ meta: null })],
    ['is another one', landed({ transaction: [other.wire, 'base64'] })],
    ['is garbage', landed({ transaction: ['AAAA', 'base64'] })],
    ['has an error of no known shape', landed({}, { err: { InstructionError: 'all' } })],
    ['has balances without an amount', landed({}, { postTokenBalances: [{ accountIndex: PAID }] })],
    ['has balances of no account', landed({}, { postTokenBalances: [balance(undefined, '1')] })],
  ])('is untold while its record %s', async (_, getTransaction) => {
    expect(await fateOf({ ...world, getTransaction })).toEqual({ kind: 'unknown' });
  });
});

describe('attempts#results-of-a-sent-transaction: a transaction not found', () => {
  it('waits while it may still land', async () => {
    const getSignatureStatuses = statuses(5_000n, null);
    expect(await fateOf({ getEpochInfo: BEFORE_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'waiting' });
  });

  it('is absent once its height has passed at finalized', async () => {
    const getSignatureStatuses = statuses(5_000n, null);
    expect(await fateOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'not_found' });
  });

  it('is not absent by the word of a node that is behind the height', async () => {
    const getSignatureStatuses = statuses(4_999n, null);
    expect(await fateOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'unknown' });
  });

  it('asks for the height first, at finalized, and searches the whole ledger after it', async () => {
    const seen: unknown[] = [];
    const { chain, asked } = chainOn({
      getEpochInfo: (params) => {
        seen.push(params);
        return PAST_EXPIRY();
      },
      getSignatureStatuses: (params) => {
        seen.push(params);
        return statuses(5_000n, null)();
      },
    });
    await chain.resolve([ask]);
    expect(asked).toEqual(['getEpochInfo', 'getSignatureStatuses']);
    // Without a word of commitment a node answers at `finalized`.
    expect(seen).toEqual([[], [[signature], { searchTransactionHistory: true }]]);
  });

  it('waits while a fork that may not stay holds it', async () => {
    const getSignatureStatuses = statuses(5_000n, status('processed'));
    expect(await fateOf({ getEpochInfo: PAST_EXPIRY, getSignatureStatuses })).toEqual({ kind: 'waiting' });
  });
});

describe('attempts#results-of-a-sent-transaction: a transaction older than what every node remembers', () => {
  /** Found anew by a host that was down for long: it could land from height 850 to 1,000. */
  const LONG_PAST = epochInfo(9_000n, LAST_VALID - 150n + 281n);
  const ledgerFrom = (blockHeight: bigint | null): Methods => ({
    getEpochInfo: LONG_PAST,
    getSignatureStatuses: statuses(9_000n, null),
    getFirstAvailableBlock: () => 33n,
    getBlock: ([slot]) => (slot === 33 ? { blockHeight } : null),
  });

  it('is absent by the word of a ledger that reaches back to when it was signed', async () => {
    expect(await fateOf(ledgerFrom(850n))).toEqual({ kind: 'not_found' });
  });

  it.each([851n, null])('is untold by one that begins later (%s)', async (height) => {
    expect(await fateOf(ledgerFrom(height))).toEqual({ kind: 'unknown' });
  });

  it('is untold by one that does not say where it begins', async () => {
    const { getFirstAvailableBlock: _, ...methods } = ledgerFrom(850n);
    expect(await fateOf(methods)).toEqual({ kind: 'unknown' });
  });

  it('needs no such word a block earlier', async () => {
    const getEpochInfo = epochInfo(9_000n, LAST_VALID - 150n + 280n);
    expect(await fateOf({ getEpochInfo, getSignatureStatuses: statuses(9_000n, null) })).toEqual({
      kind: 'not_found',
    });
  });

  it('needs it of a node far enough ahead of the one that told the height', async () => {
    const getEpochInfo = epochInfo(9_000n, LAST_VALID + 30n);
    const remembering = statuses(9_100n, null);
    expect(await fateOf({ getEpochInfo, getSignatureStatuses: remembering })).toEqual({ kind: 'not_found' });
    const forgetful = statuses(9_101n, null);
    expect(await fateOf({ getEpochInfo, getSignatureStatuses: forgetful })).toEqual({ kind: 'unknown' });
    const asked = { ...ledgerFrom(850n), getEpochInfo, getSignatureStatuses: forgetful };
    expect(await fateOf(asked)).toEqual({ kind: 'not_found' });
  });

  it('landed, when the second look finds it', async () => {
    const answers = [null, status('finalized')];
    const getSignatureStatuses = () => statuses(9_000n, answers.shift() ?? null)();
    const methods = { ...ledgerFrom(900n), getSignatureStatuses, getTransaction: landed() };
    expect(await fateOf(methods)).toMatchObject({ kind: 'landed' });
  });
});

describe('attempts#results-of-a-sent-transaction: a chain that cannot say', () => {
  const silent = () => {
    throw new FakeRpcError(-32601);
  };

  it.each([
    ['the height', { getEpochInfo: silent, getSignatureStatuses: statuses(5_000n, null) }],
    ['the status', { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: silent }],
    [
      'a height below its slot',
      { getEpochInfo: epochInfo(5n, 6n), getSignatureStatuses: statuses(5_000n, null) },
    ],
    ['as many statuses as asked', { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: statuses(5_000n) }],
    [
      'how far it is confirmed',
      { getEpochInfo: PAST_EXPIRY, getSignatureStatuses: statuses(5_000n, { err: null }) },
    ],
    [
      'the past, which it does not keep',
      {
        getEpochInfo: PAST_EXPIRY,
        getSignatureStatuses: () => {
          throw new FakeRpcError(-32011);
        },
      },
    ],
  ])('%s: untold', async (_, methods) => {
    expect(await fateOf(methods)).toEqual({ kind: 'unknown' });
  });

  it('the height is not needed for what it knows', async () => {
    const methods = { getEpochInfo: silent, getSignatureStatuses: CONFIRMED, getTransaction: landed() };
    expect(await fateOf(methods)).toMatchObject({ kind: 'landed' });
  });
});

describe('many transactions', () => {
  it('are looked up 256 at a time and answered in the order asked', async () => {
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
    const asks = Array.from({ length: 600 }, (_, index) => ({
      ...ask,
      signature: index === 300 ? signature : other.signature,
    }));
    const fates = await chain.resolve(asks);
    expect(calls).toEqual([256, 256, 88]);
    expect(fates.map(({ kind }) => kind).indexOf('landed')).toBe(300);
    expect(fates.filter(({ kind }) => kind === 'not_found')).toHaveLength(599);
  });

  it('none is still an answer', async () => {
    const { chain } = chainOn({ getEpochInfo: PAST_EXPIRY });
    expect(await chain.resolve([])).toEqual([]);
  });
});
