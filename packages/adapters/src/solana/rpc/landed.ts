import { type Signature, type TransactionError, getSignatureFromTransaction } from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import { type Message, decodeWire } from '../transaction/wire.js';
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
import type { CallRpc } from './failover.js';
import { runtimeError } from './runtime-error.js';

/** Balances of token accounts, by their index among the accounts of a transaction. */
export type TokenBalances = ReadonlyMap<number, bigint>;

/** A transaction in a block, whether it succeeded or failed. */
export interface LandedTransaction {
  readonly slot: bigint;
  /** The time of its block, in Unix seconds. */
  readonly time: bigint;
  readonly error: TransactionError | null;
  /** The network fee in lamports; null when the node does not say. */
  readonly fee: bigint | null;
  readonly message: Message;
  readonly before: TokenBalances;
  readonly after: TokenBalances;
}

/** Reads a transaction that a node has reported in a confirmed block. */
export function readLanded(call: CallRpc, signature: Signature): Promise<ChainResult<LandedTransaction>> {
  return call({
    send: (rpc, signal) =>
      rpc
        .getTransaction(signature, {
          encoding: 'base64',
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 0,
        })
        .send({ abortSignal: signal }),
    read: (response) => {
      // This node is behind the node that reported the transaction.
      if (response === null) throw new StaleResponse();
      const meta = field(response, 'meta');
      const [wire] = list(field(response, 'transaction'), 'transaction');
      const decoded = decodeWire(text(wire, 'transaction'));
      if (decoded === null || getSignatureFromTransaction(decoded.transaction) !== signature) {
        throw new MalformedResponse('transaction');
      }
      return {
        slot: whole(field(response, 'slot'), 'slot'),
        time: whole(field(response, 'blockTime'), 'block time'),
        error: runtimeError(field(meta, 'err')),
        fee: feeIn(meta),
        message: decoded.message,
        before: balancesOf(field(meta, 'preTokenBalances')),
        after: balancesOf(field(meta, 'postTokenBalances')),
      };
    },
  });
}

function feeIn(meta: unknown): bigint | null {
  const fee = typeof meta === 'object' && meta !== null && 'fee' in meta ? meta.fee : null;
  return fee === null ? null : whole(fee, 'fee');
}

function balancesOf(value: unknown): TokenBalances {
  const entries = list(value, 'token balances').map((balance): [number, bigint] => [
    index(field(balance, 'accountIndex'), 'account index'),
    amount(field(field(balance, 'uiTokenAmount'), 'amount'), 'token amount'),
  ]);
  return new Map(entries);
}
