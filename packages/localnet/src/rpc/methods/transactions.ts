import { isUtf8 } from 'node:buffer';
import type { Address } from '@solana/kit';
import type { LandedTransaction } from '../../history.js';
import type { Localnet } from '../../localnet.js';
import type { TransactionResult } from '../../transaction-result.js';
import type { AccountStore } from '../../runtime/account-store.js';
import { MEMO_PROGRAMS } from '../../runtime/addresses.js';
import { signatureError } from '../../runtime/signatures.js';
import { withBlockhash, type Transaction } from '../../runtime/transaction.js';
import { transactionErrorText } from '../../runtime/transaction-error.js';
import {
  API_VERSION,
  COMMITMENTS,
  assertReached,
  commitmentOf,
  context,
  hasReached,
  readCommitment,
} from '../commitment.js';
import { encodeAccount, readAccountEncoding } from '../encoding/account.js';
import {
  TRANSACTION_ENCODINGS,
  encodeEffects,
  encodeInner,
  encodeLanded,
  encodeOutcome,
  encodeReturnData,
} from '../encoding/transaction.js';
import type { Methods, Param } from '../params.js';
import { RpcError, invalidLimit } from '../rpc-error.js';
import { readMaxVersion, readTransaction } from './transaction-params.js';

const STATUSES_LIMIT = 256;
const SIGNATURES_LIMIT = 1_000n;
/** `getSignatureStatuses` finds older transactions only with `searchTransactionHistory`. */
const RECENT_SLOTS = 300n;

/** Methods that simulate, send and find transactions. */
export const transactionMethods: Methods = {
  sendTransaction: (chain, params) => {
    const config = params.at(1, 'config');
    const transaction = readTransaction(params.at(0, 'transaction'), config);
    const skip = config.member('skipPreflight').flag();
    assertReached(chain, config, skip ? 'processed' : readCommitment(config, 'preflightCommitment'));
    if (skip) {
      // A transaction that cannot land is lost silently, as when a node only forwards it.
      return chain.send(transaction).signature;
    }
    assertSigned(transaction);
    const result = chain.sendChecked(transaction);
    if (result.error === null) return result.signature;
    throw new RpcError(
      'preflightFailure',
      `Transaction simulation failed: ${transactionErrorText(result.error)}`,
      encodeSimulation(transaction, result, null, false),
    );
  },
  simulateTransaction: (chain, params) => {
    const config = params.at(1, 'config');
    const sent = readTransaction(params.at(0, 'transaction'), config);
    const sigVerify = config.member('sigVerify').flag();
    const replace = config.member('replaceRecentBlockhash').flag();
    if (sigVerify && replace) {
      throw new RpcError('invalidParams', 'sigVerify may not be used with replaceRecentBlockhash');
    }
    if (sigVerify) assertSigned(sent);
    const replacement = replace ? chain.latestBlockhash() : null;
    const transaction = replacement === null ? sent : withBlockhash(sent, replacement.blockhash);
    const requested = readRequestedAccounts(config.member('accounts'), transaction);
    let accounts: unknown = null;
    const result = chain.simulate(transaction, (find) => (accounts = requested?.({ find }) ?? null));
    if (result.error !== null) accounts = requested?.({ find: () => undefined }) ?? null;
    return {
      context: context(chain, config),
      value: {
        ...encodeSimulation(transaction, result, accounts, config.member('innerInstructions').flag()),
        ...(replacement !== null && { replacementBlockhash: replacement }),
      },
    };
  },
  getSignatureStatuses: (chain, params) => {
    const config = params.at(1, 'config');
    const search = config.member('searchTransactionHistory').flag();
    const signatures = params
      .at(0, 'signatures')
      .list(STATUSES_LIMIT)
      .map((param) => param.signature());
    const recent = chain.clock.slot - RECENT_SLOTS;
    return {
      context: { slot: chain.clock.slot, apiVersion: API_VERSION },
      value: signatures.map((signature) => {
        const landed = chain.history.find(signature);
        return landed === undefined || (!search && landed.slot < recent) ? null : encodeStatus(chain, landed);
      }),
    };
  },
  getSignaturesForAddress: (chain, params) => {
    const address = params.at(0, 'address').address();
    const config = params.at(1, 'config');
    assertReached(chain, config, readHistoryCommitment(config));
    return signaturesFor(chain, address, config);
  },
  getTransaction: (chain, params) => {
    const config = params.at(1, 'config');
    const encodingParam =
      config.given && typeof config.value === 'string' ? config : config.member('encoding');
    const encoding = encodingParam.or('json', (param) => param.oneOf(TRANSACTION_ENCODINGS));
    const options = config === encodingParam ? params.at(2, 'config') : config;
    const commitment = readHistoryCommitment(options);
    const landed = chain.history.find(params.at(0, 'signature').signature());
    if (landed === undefined || !hasReached(chain, landed.slot, commitment)) return null;
    return {
      ...readMaxVersion(options)(landed.transaction),
      slot: landed.slot,
      blockTime: landed.blockTime,
      ...encodeLanded(landed, encoding),
    };
  },
};

function assertSigned(transaction: Transaction): void {
  if (signatureError(transaction) === 'SignatureFailure') {
    throw new RpcError('signatureVerificationFailure', 'Transaction signature verification failure');
  }
}

/** Reads the commitment of a method about history, which is not available below `confirmed`. */
function readHistoryCommitment(config: Param): 'confirmed' | 'finalized' {
  const param = config.member('commitment');
  if (!param.given) return 'finalized';
  const commitment = param.oneOf(COMMITMENTS);
  if (commitment === 'processed') {
    throw new RpcError('invalidParams', 'Method does not support commitment below `confirmed`');
  }
  return commitment;
}

/** Encodes the accounts that a simulation was asked for; null for each that does not exist. */
type RequestedAccounts = (accounts: Pick<AccountStore, 'find'>) => readonly unknown[];

function readRequestedAccounts(config: Param, transaction: Transaction): RequestedAccounts | null {
  if (!config.given) return null;
  const requested = readAccountEncoding(config);
  if (requested.encoding === 'base58') {
    throw new RpcError('invalidParams', 'base58 encoding not supported');
  }
  const encoding =
    requested.encoding === 'binary' ? { ...requested, encoding: 'base64' as const } : requested;
  const params = config.member('addresses').list(transaction.accounts.length, 'accounts');
  const addresses = params.map((param) => param.address());
  return (accounts) =>
    addresses.map((address) => {
      const account = accounts.find(address);
      return account === undefined ? null : encodeAccount(account, encoding, accounts);
    });
}

function encodeSimulation(
  transaction: Transaction,
  { error, logs, processed }: TransactionResult,
  accounts: unknown,
  withInner: boolean,
): object {
  return {
    err: error,
    logs,
    accounts,
    unitsConsumed: processed?.unitsUsed ?? 0n,
    returnData: processed?.returnData ? encodeReturnData(processed.returnData) : null,
    innerInstructions:
      withInner && processed !== null ? encodeInner(transaction, processed, 'jsonParsed') : null,
    ...(processed?.landed === true ? encodeEffects(processed) : NO_EFFECTS),
  };
}

const NO_EFFECTS = {
  fee: null,
  preBalances: null,
  postBalances: null,
  preTokenBalances: null,
  postTokenBalances: null,
  loadedAddresses: null,
};

function encodeStatus(chain: Localnet, { slot, processed }: LandedTransaction): unknown {
  const confirmationStatus = commitmentOf(chain, slot);
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : chain.clock.slot - slot,
    ...encodeOutcome(processed),
    confirmationStatus,
  };
}

/** Transactions of an address, newest first, between `before` and `until`, both excluded. */
function signaturesFor(chain: Localnet, address: Address, config: Param): unknown[] {
  const [before, until] = ['before', 'until'].map((name) =>
    config.member(name).or(null, (param) => param.signature()),
  );
  const limit = config.member('limit').or(SIGNATURES_LIMIT, (param) => param.u64());
  if (limit < 1n || limit > SIGNATURES_LIMIT) throw invalidLimit(SIGNATURES_LIMIT);
  const commitment = readHistoryCommitment(config);
  const found: unknown[] = [];
  let isPastBefore = before === null;
  for (const landed of chain.history.newestFirst()) {
    const { transaction, slot, blockTime, processed } = landed;
    if (transaction.signature === until || BigInt(found.length) === limit) break;
    const matches =
      isPastBefore &&
      hasReached(chain, slot, commitment) &&
      transaction.accounts.some((meta) => meta.address === address);
    isPastBefore ||= transaction.signature === before;
    if (!matches) continue;
    found.push({
      signature: transaction.signature,
      slot,
      err: processed.error,
      memo: memoOf(transaction),
      blockTime,
      confirmationStatus: commitmentOf(chain, slot),
    });
  }
  return found;
}

/** The memos of a transaction, each after its length in bytes, as `getSignaturesForAddress` shows them. */
function memoOf({ instructions }: Transaction): string | null {
  const memos = instructions.filter(({ programAddress }) => MEMO_PROGRAMS.has(programAddress));
  if (memos.length === 0) return null;
  return memos
    .map(
      ({ data }) => `[${data.length}] ${isUtf8(data) ? Buffer.from(data).toString('utf8') : '(unparseable)'}`,
    )
    .join('; ');
}
