import { type Signature, type TransactionError, getSignatureFromTransaction } from '@solana/kit';
import type { Answer } from '@subrail/core/ports';
import { type Message, decodeWire } from '../wire.js';
import {
  StaleResponse,
  MalformedResponse,
  amount,
  field,
  index,
  list,
  text,
  whole,
} from './response-fields.js';
import type { Ask } from './failover.js';
import { runtimeError } from './runtime-error.js';

/** What the transaction's token accounts held, by their index among its accounts. */
export type TokenBalances = ReadonlyMap<number, bigint>;

/** A transaction in a block, whether it worked or failed. */
export interface LandedTransaction {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  readonly error: TransactionError | null;
  readonly message: Message;
  readonly before: TokenBalances;
  readonly after: TokenBalances;
}

/** Reads a transaction that is known to be in a confirmed block. */
export function readLanded(ask: Ask, signature: Signature): Promise<Answer<LandedTransaction>> {
  return ask({
    put: (rpc, signal) =>
      rpc
        .getTransaction(signature, {
          encoding: 'base64',
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 0,
        })
        .send({ abortSignal: signal }),
    read: (answer) => {
      // The node has not come as far as the one that told of it.
      if (answer === null) throw new StaleResponse();
      const meta = field(answer, 'meta');
      const [wire] = list(field(answer, 'transaction'), 'transaction');
      const decoded = decodeWire(text(wire, 'transaction'));
      if (decoded === null || getSignatureFromTransaction(decoded.transaction) !== signature) {
        throw new MalformedResponse('transaction');
      }
      return {
        slot: whole(field(answer, 'slot'), 'slot'),
        time: whole(field(answer, 'blockTime'), 'block time'),
        error: runtimeError(field(meta, 'err')),
        message: decoded.message,
        before: balancesOf(field(meta, 'preTokenBalances')),
        after: balancesOf(field(meta, 'postTokenBalances')),
      };
    },
  });
}

function balancesOf(value: unknown): TokenBalances {
  const entries = list(value, 'token balances').map((balance): [number, bigint] => [
    index(field(balance, 'accountIndex'), 'account index'),
    amount(field(field(balance, 'uiTokenAmount'), 'amount'), 'token amount'),
  ]);
  return new Map(entries);
}
