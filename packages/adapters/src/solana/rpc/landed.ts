import { type Signature, type TransactionError, getSignatureFromTransaction } from '@solana/kit';
import type { Answer } from '@subrail/core';
import { type Message, decodeWire } from '../wire.js';
import { LateAnswer, MalformedAnswer, amount, field, list, text, whole } from './answers.js';
import type { Ask } from './ask.js';
import { runtimeError } from './runtime-error.js';

/** What one token account held, under its owner's wallet. */
export interface TokenBalance {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
}

/** A transaction in a block, whether it worked or failed. */
export interface LandedTransaction {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  readonly error: TransactionError | null;
  readonly message: Message;
  readonly before: readonly TokenBalance[];
  readonly after: readonly TokenBalance[];
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
      if (answer === null) throw new LateAnswer();
      const meta = field(answer, 'meta');
      const [wire] = list(field(answer, 'transaction'), 'transaction');
      const decoded = decodeWire(text(wire, 'transaction'));
      if (decoded === null || getSignatureFromTransaction(decoded.transaction) !== signature) {
        throw new MalformedAnswer('transaction');
      }
      return {
        slot: whole(field(answer, 'slot'), 'slot'),
        time: whole(field(answer, 'blockTime'), 'block time'),
        error: runtimeError(field(meta, 'err')),
        message: decoded.message,
        before: list(field(meta, 'preTokenBalances'), 'token balances').map(balanceOf),
        after: list(field(meta, 'postTokenBalances'), 'token balances').map(balanceOf),
      };
    },
  });
}

function balanceOf(value: unknown): TokenBalance {
  return {
    mint: text(field(value, 'mint'), 'mint'),
    owner: text(field(value, 'owner'), 'owner'),
    amount: amount(field(field(value, 'uiTokenAmount'), 'amount'), 'token amount'),
  };
}
