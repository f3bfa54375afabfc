import {
  type Address,
  type ReadonlyUint8Array,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  type TransactionError,
  getBase58Encoder,
  getSignatureFromTransaction,
  isAddress,
  isSolanaError,
} from '@solana/kit';
import type { ChainResult, Receipt } from '@subrail/core/ports';
import { fromUnixSeconds } from '../program/unix-time.js';
import { findPayments } from '../transaction/find-payments.js';
import { type AnyMessage, type Message, decodeAnyVersion } from '../transaction/wire.js';
import {
  StaleResponse,
  MalformedResponse,
  amount,
  field,
  index,
  list,
  runtimeError,
  text,
  whole,
} from './response-fields.js';
import type { CallRpc } from './failover.js';

/** Balances of token accounts, by their index among the accounts of a transaction. */
type TokenBalances = ReadonlyMap<number, bigint>;

/** A transaction in a block, whether it succeeded or failed. */
export interface LandedTransaction {
  readonly slot: bigint;
  /** The time of its block, in Unix seconds. */
  readonly time: bigint;
  readonly error: TransactionError | null;
  /** The network fee in lamports; null when the node does not say. */
  readonly fee: bigint | null;
  /** The transaction, base64. */
  readonly wire: string;
  readonly message: Message;
  readonly before: TokenBalances;
  readonly after: TokenBalances;
}

/** An instruction of a transaction, or one that a program called in it. */
export interface LandedInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: ReadonlyUint8Array;
}

/** A transaction of anyone's that landed. */
export interface AnyLandedTransaction {
  /** Every instruction that ran in it. */
  readonly instructions: readonly LandedInstruction[];
  /** The time of its block, in Unix seconds. */
  readonly time: bigint;
  /** The transaction if its version is that of the service's own; else null. */
  readonly own: LandedTransaction | null;
}

/** Reads a transaction of the service that a node has reported in a confirmed block. */
export function readLanded(call: CallRpc, signature: Signature): Promise<ChainResult<LandedTransaction>> {
  return readTransaction(call, signature, (response, landed) => {
    const own = ownTransaction(response, landed);
    if (own === null) throw new MalformedResponse('transaction');
    return own;
  });
}

/** Reads anyone's transaction in a confirmed block, with all instructions that ran in it. */
export function readAnyLanded(
  call: CallRpc,
  signature: Signature,
): Promise<ChainResult<AnyLandedTransaction>> {
  return readTransaction(call, signature, (response, landed) => ({
    instructions: instructionsIn(field(response, 'meta'), landed.message),
    time: whole(field(response, 'blockTime'), 'block time'),
    own: ownTransaction(response, landed),
  }));
}

/** Reads whether a transaction succeeded, and by how much a wallet's accounts for a mint grew in it. */
export function readTokensReceived(
  call: CallRpc,
  signature: Signature,
  wallet: string,
  mint: string,
): Promise<ChainResult<Receipt>> {
  return readTransaction(call, signature, (response) => {
    const meta = field(response, 'meta');
    const owned = (name: string) =>
      list(field(meta, name), 'token balances')
        .filter((balance) => field(balance, 'mint') === mint && field(balance, 'owner') === wallet)
        .reduce<bigint>((sum, balance) => sum + tokensOf(balance), 0n);
    const growth = owned('postTokenBalances') - owned('preTokenBalances');
    return {
      time: fromUnixSeconds(whole(field(response, 'blockTime'), 'block time')),
      succeeded: runtimeError(field(meta, 'err')) === null,
      received: growth > 0n ? growth : 0n,
    };
  });
}

/** A transaction in a response, decoded. */
interface Decoded {
  readonly wire: string;
  readonly message: AnyMessage;
}

function readTransaction<T>(
  call: CallRpc,
  signature: Signature,
  read: (response: unknown, landed: Decoded) => T,
): Promise<ChainResult<T>> {
  return call({
    send: async (rpc, signal) => {
      const ask = (maxSupportedTransactionVersion: 0 | 1) =>
        rpc
          .getTransaction(signature, {
            encoding: 'base64',
            commitment: 'confirmed',
            maxSupportedTransactionVersion,
          })
          .send({ abortSignal: signal });
      try {
        return await ask(0);
      } catch (error) {
        // A node without newer versions may refuse to hear of one, so it is named only when there is one.
        if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION))
          return ask(1);
        throw error;
      }
    },
    read: (response) => {
      // This node is behind the node that reported the transaction.
      if (response === null) throw new StaleResponse();
      const [first] = list(field(response, 'transaction'), 'transaction');
      const wire = text(first, 'transaction');
      const decoded = decodeAnyVersion(wire);
      if (decoded === null || getSignatureFromTransaction(decoded.transaction) !== signature) {
        throw new MalformedResponse('transaction');
      }
      return read(response, { wire, message: decoded.message });
    },
  });
}

function ownTransaction(response: unknown, { wire, message }: Decoded): LandedTransaction | null {
  if (message.version !== 0) return null;
  const meta = field(response, 'meta');
  return {
    slot: whole(field(response, 'slot'), 'slot'),
    time: whole(field(response, 'blockTime'), 'block time'),
    error: runtimeError(field(meta, 'err')),
    fee: feeIn(meta),
    wire,
    message,
    before: balancesOf(field(meta, 'preTokenBalances')),
    after: balancesOf(field(meta, 'postTokenBalances')),
  };
}

/** The instructions of a transaction, and those that programs called in it. */
function instructionsIn(meta: unknown, message: AnyMessage): readonly LandedInstruction[] {
  const accounts = [...message.staticAccounts, ...loadedAccounts(meta, message)];
  const accountAt = (place: number): Address => {
    const found = accounts[place];
    if (found === undefined) throw new MalformedResponse('account of an instruction');
    return found;
  };
  const own = compiledInstructions(message).map(({ program, places, data }) => ({
    program: accountAt(program),
    accounts: places.map(accountAt),
    data,
  }));
  const called = list(field(meta, 'innerInstructions'), 'inner instructions')
    .flatMap((inner) => list(field(inner, 'instructions'), 'inner instructions'))
    .map((inner) => ({
      program: accountAt(index(field(inner, 'programIdIndex'), 'program index')),
      accounts: list(field(inner, 'accounts'), 'accounts').map((place) =>
        accountAt(index(place, 'account index')),
      ),
      data: getBase58Encoder().encode(text(field(inner, 'data'), 'instruction data')),
    }));
  return [...own, ...called];
}

/** The instructions of a message, whose accounts are places among those of the transaction. */
function compiledInstructions(message: AnyMessage) {
  if (message.version !== 1)
    return message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      program: programAddressIndex,
      places: accountIndices ?? [],
      data: data ?? new Uint8Array(),
    }));
  return message.instructionPayloads.map(({ instructionAccountIndices, instructionData }, place) => ({
    program: message.instructionHeaders[place]?.programAccountIndex ?? -1,
    places: instructionAccountIndices,
    data: instructionData,
  }));
}

/** The accounts that lookup tables added, which version 1 does without. */
function loadedAccounts(meta: unknown, { version }: AnyMessage): readonly Address[] {
  if (version === 1) return [];
  const loaded = field(meta, 'loadedAddresses');
  return [...addressesIn(field(loaded, 'writable')), ...addressesIn(field(loaded, 'readonly'))];
}

function addressesIn(value: unknown): readonly Address[] {
  return list(value, 'loaded addresses').map((loaded) => {
    if (typeof loaded !== 'string' || !isAddress(loaded)) throw new MalformedResponse('loaded address');
    return loaded;
  });
}

function balancesOf(value: unknown): TokenBalances {
  const entries = list(value, 'token balances').map((balance): [number, bigint] => [
    index(field(balance, 'accountIndex'), 'account index'),
    tokensOf(balance),
  ]);
  return new Map(entries);
}

function tokensOf(balance: unknown): bigint {
  return amount(field(field(balance, 'uiTokenAmount'), 'amount'), 'token amount');
}

function feeIn(meta: unknown): bigint | null {
  const fee = typeof meta === 'object' && meta !== null && 'fee' in meta ? meta.fee : null;
  return fee === null ? null : whole(fee, 'fee');
}

/** The lamports of the fee that fall on one payment (attempts#network-fee). */
export function feeShare(
  { fee, message }: LandedTransaction,
  paymentIndex: number,
): { readonly lamports?: bigint } {
  if (fee === null) return {};
  const payments = BigInt(Math.max(1, findPayments(message).length));
  return { lamports: fee / payments + (paymentIndex === 0 ? fee % payments : 0n) };
}

/**
 * The growth of the receiving token account by one payment; null when the response does not show it
 * (attempts#amount-received). The account existed before, so a missing entry is not zero. A growth below zero
 * or above the amount is null too.
 *
 * Payments to one account are told apart only when the token took no fee, or all have one amount and so one
 * fee.
 */
export function amountReceived(
  { message, before, after }: LandedTransaction,
  paymentIndex: number,
): bigint | null {
  const payments = findPayments(message);
  const payment = payments[paymentIndex];
  const balanceBefore = payment === undefined ? undefined : before.get(payment.receiver);
  const balanceAfter = payment === undefined ? undefined : after.get(payment.receiver);
  if (payment === undefined || balanceBefore === undefined || balanceAfter === undefined) return null;
  const toReceiver = payments.filter(({ receiver }) => receiver === payment.receiver);
  const sent = toReceiver.reduce((sum, { amount }) => sum + amount, 0n);
  const growth = balanceAfter - balanceBefore;
  if (growth < 0n || growth > sent) return null;
  if (growth === sent) return payment.amount;
  const count = BigInt(toReceiver.length);
  const alike = toReceiver.every(({ amount }) => amount === payment.amount) && growth % count === 0n;
  return alike ? growth / count : null;
}
