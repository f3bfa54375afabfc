import { encodeBase64 } from '../../base64.js';
import type { LandedTransaction } from '../../history.js';
import { encodeBase58 } from '../../runtime/base58.js';
import type { Processed } from '../../runtime/ledger.js';
import type { InnerInstruction, ReturnData } from '../../runtime/native-runtime.js';
import type { Balances } from '../../runtime/balances.js';
import type { Transaction } from '../../runtime/transaction.js';
import { parseInstruction, type CalledInstruction } from './parsed-instruction.js';
import { tokenAmount } from './token-amount.js';

export const TRANSACTION_ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58'] as const;
export type TransactionEncoding = (typeof TRANSACTION_ENCODINGS)[number];

const NO_LOOKUPS = { writable: [], readonly: [] };

/**
 * Encodes a transaction as a node does. `jsonParsed` shows the content of well-known programs' instructions.
 */
function encodeTransaction(transaction: Transaction, encoding: TransactionEncoding): unknown {
  switch (encoding) {
    case 'base64':
      return [encodeBase64(transaction.wire), 'base64'];
    case 'base58':
      return [encodeBase58(transaction.wire), 'base58'];
    case 'json':
      return { signatures: transaction.signatures.map(encodeBase58), message: compiledMessage(transaction) };
    case 'jsonParsed':
      return { signatures: transaction.signatures.map(encodeBase58), message: resolvedMessage(transaction) };
  }
}

/** Encodes a landed transaction and its effects, as `getTransaction` and `getBlock` show them. */
export function encodeLanded(landed: LandedTransaction, encoding: TransactionEncoding): object {
  return {
    transaction: encodeTransaction(landed.transaction, encoding),
    meta: encodeMeta(landed, encoding),
  };
}

function encodeMeta({ transaction, processed }: LandedTransaction, encoding: TransactionEncoding): unknown {
  return {
    ...encodeOutcome(processed),
    ...encodeEffects(processed),
    innerInstructions: encodeInner(transaction, processed, encoding),
    logMessages: processed.logs,
    rewards: [],
    computeUnitsConsumed: processed.unitsUsed,
    ...(processed.returnData !== null && { returnData: encodeReturnData(processed.returnData) }),
  };
}

/** Encodes a landed transaction by its accounts and their balances, as `getBlock` does with `accounts`. */
export function encodeAccountsOnly({ transaction, processed }: LandedTransaction): object {
  const { loadedAddresses: _, ...effects } = encodeEffects(processed);
  return {
    transaction: {
      signatures: transaction.signatures.map(encodeBase58),
      accountKeys: accountKeys(transaction),
    },
    meta: { ...encodeOutcome(processed), ...effects },
  };
}

/** Encodes whether a transaction failed, also in the form of earlier clients. */
export function encodeOutcome({ error }: Processed) {
  return { err: error, status: error === null ? { Ok: null } : { Err: error } };
}

/** Encodes fee, balances and loaded addresses, which landed and simulated transactions both have. */
export function encodeEffects({ fee, before, after }: Processed) {
  return {
    fee,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: encodeTokens(before),
    postTokenBalances: encodeTokens(after),
    loadedAddresses: NO_LOOKUPS,
  };
}

/** Encodes the inner instructions of a transaction. */
export function encodeInner(
  transaction: Transaction,
  { innerInstructions }: Processed,
  encoding: TransactionEncoding,
): unknown {
  const indexOf = new Map(transaction.accounts.map(({ address }, index) => [address, index]));
  const encode = (inner: InnerInstruction): unknown =>
    encoding === 'jsonParsed'
      ? resolved(inner, inner.stackHeight)
      : {
          programIdIndex: indexOf.get(inner.programAddress),
          accounts: inner.accounts.map((address) => indexOf.get(address)),
          data: encodeBase58(inner.data),
          stackHeight: inner.stackHeight,
        };
  return [...innerInstructions].map(([index, list]) => ({ index, instructions: list.map(encode) }));
}

export function encodeReturnData({ programAddress, data }: ReturnData): unknown {
  return { programId: programAddress, data: [encodeBase64(data), 'base64'] };
}

function compiledMessage(transaction: Transaction): object {
  return {
    header: transaction.header,
    accountKeys: transaction.accounts.map(({ address }) => address),
    recentBlockhash: transaction.blockhash,
    instructions: transaction.compiled.map(({ programIndex, accountIndexes, data }) => ({
      programIdIndex: programIndex,
      accounts: accountIndexes,
      data: encodeBase58(data),
      stackHeight: 1,
    })),
    ...(transaction.version === 0 && { addressTableLookups: [] }),
  };
}

function resolvedMessage(transaction: Transaction): object {
  return {
    accountKeys: accountKeys(transaction),
    recentBlockhash: transaction.blockhash,
    instructions: transaction.instructions.map(({ programAddress, accounts, data }) =>
      resolved({ programAddress, accounts: accounts.map(({ address }) => address), data }, 1),
    ),
    ...(transaction.version === 0 && { addressTableLookups: [] }),
  };
}

function accountKeys({ accounts }: Transaction): readonly object[] {
  return accounts.map(({ address, isSigner, isWritable }) => ({
    pubkey: address,
    signer: isSigner,
    writable: isWritable,
    source: 'transaction',
  }));
}

function resolved(called: CalledInstruction, stackHeight: number): object {
  const { programAddress, accounts, data } = called;
  const parsed = parseInstruction(called);
  if (parsed !== null) return { ...parsed, programId: programAddress, stackHeight };
  return { programId: programAddress, accounts, data: encodeBase58(data), stackHeight };
}

function encodeTokens({ tokens }: Balances): readonly unknown[] {
  return tokens.map(({ accountIndex, mint, owner, tokenProgram, amount, decimals }) => ({
    accountIndex,
    mint,
    owner,
    programId: tokenProgram,
    uiTokenAmount: tokenAmount(amount, decimals),
  }));
}
