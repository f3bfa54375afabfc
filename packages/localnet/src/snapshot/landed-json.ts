import type { Address } from '@solana/kit';
import { decodeBase64, encodeBase64 } from '../base64.js';
import type { LandedTransaction } from '../history.js';
import { writeJson } from '../json.js';
import type { Balances, TokenBalance } from '../runtime/balances.js';
import type { InnerInstruction, ReturnData } from '../runtime/native-runtime.js';
import { decodeTransaction } from '../runtime/transaction.js';
import type { TransactionError } from '../runtime/transaction-error.js';

/** An integer as `parseJson` returns it: a number when small, else a bigint. */
type Integer = number | bigint;

interface BalancesJson {
  readonly lamports: readonly Integer[];
  readonly tokens: readonly (Omit<TokenBalance, 'amount'> & { readonly amount: Integer })[];
}

/** A landed transaction as JSON. */
export interface LandedJson {
  readonly wire: string;
  readonly slot: Integer;
  readonly blockTime: Integer;
  readonly error: TransactionError | null;
  readonly fee: Integer;
  readonly logs: readonly string[];
  readonly units: Integer;
  readonly inner: readonly (readonly [
    number,
    readonly (Omit<InnerInstruction, 'data'> & { readonly data: string })[],
  ])[];
  readonly returned: { readonly programAddress: Address; readonly data: string } | null;
  readonly before: BalancesJson;
  readonly after: BalancesJson;
}

// A chain is saved often and a landed transaction does not change, so each is encoded only once.
const encoded = new WeakMap<LandedTransaction, string>();

/** A landed transaction as JSON text. */
export function writeLanded(landed: LandedTransaction): string {
  const cached = encoded.get(landed);
  if (cached !== undefined) return cached;
  const { transaction, processed, slot, blockTime } = landed;
  const json: LandedJson = {
    wire: encodeBase64(transaction.wire),
    slot,
    blockTime,
    error: processed.error,
    fee: processed.fee,
    logs: processed.logs,
    units: processed.unitsUsed,
    inner: [...processed.innerInstructions].map(([index, list]) => [
      index,
      list.map((inner) => ({ ...inner, data: encodeBase64(inner.data) })),
    ]),
    returned: processed.returnData && {
      ...processed.returnData,
      data: encodeBase64(processed.returnData.data),
    },
    before: processed.before,
    after: processed.after,
  };
  const text = writeJson(json);
  encoded.set(landed, text);
  return text;
}

/** Reads what `writeLanded` wrote. */
export function readLanded(json: LandedJson): LandedTransaction {
  return {
    transaction: decodeTransaction(decodeBase64(json.wire)),
    slot: BigInt(json.slot),
    blockTime: BigInt(json.blockTime),
    processed: {
      landed: true,
      error: json.error,
      fee: BigInt(json.fee),
      logs: json.logs,
      unitsUsed: BigInt(json.units),
      innerInstructions: new Map(
        json.inner.map(([index, list]) => [
          index,
          list.map((inner) => ({ ...inner, data: decodeBase64(inner.data) })),
        ]),
      ),
      returnData: json.returned && readReturned(json.returned),
      before: readBalances(json.before),
      after: readBalances(json.after),
    },
  };
}

function readReturned({ programAddress, data }: NonNullable<LandedJson['returned']>): ReturnData {
  return { programAddress, data: decodeBase64(data) };
}

function readBalances({ lamports, tokens }: BalancesJson): Balances {
  return {
    lamports: lamports.map(BigInt),
    tokens: tokens.map((token) => ({ ...token, amount: BigInt(token.amount) })),
  };
}
