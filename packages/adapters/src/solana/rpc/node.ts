import {
  type Address,
  type Base64EncodedWireTransaction,
  type TransactionError,
  type TransactionMessageBytesBase64,
  isBlockhash,
} from '@solana/kit';
import type { Answer, Clock } from '@subrail/core/ports';
import type { Lifetime } from '../message.js';
import { StaleResponse, MalformedResponse, field, text, whole } from './response-fields.js';
import type { Ask } from './failover.js';
import { runtimeError } from './runtime-error.js';
import type { Commitment, SlotFloor } from './slot-floor.js';

/** Where the chain stands at a commitment. */
export interface Heights {
  readonly slot: bigint;
  readonly blockHeight: bigint;
}

/** What is asked of the chain besides accounts and the fate of transactions. Lamports and heights are bigint. */
export interface Node {
  heights(commitment: Commitment): Promise<Answer<Heights>>;
  latestLifetime(): Promise<Answer<Lifetime>>;
  /** Lamports an account of this many bytes must hold; remembered for a minute. */
  rent(size: number): Promise<Answer<bigint>>;
  /** Fee of a compiled message in lamports, its priority part included. */
  fee(message: TransactionMessageBytesBase64): Promise<Answer<bigint>>;
  balance(of: Address): Promise<Answer<bigint>>;
  /** The error the runtime would answer with, or null when there would be none. */
  simulate(wire: Base64EncodedWireTransaction): Promise<Answer<TransactionError | null>>;
}

const RENT_STANDS_MS = 60_000;

/** Blocks a blockhash is good for, counted from the one it names (program#transaction-admission). */
const LIFETIME = 150n;
/** The fewest blocks a blockhash called the latest has left: one about to expire is not. */
const FEWEST_LEFT = 100n;
/** Blocks the node telling the lifetime may be ahead of the one telling the height, of the many behind a provider. */
const AHEAD = 16n;

export function createNode(ask: Ask, floor: SlotFloor, clock: Clock): Node {
  const rents = new Map<number, { lamports: bigint; at: number }>();
  const confirmed = () => ({ commitment: 'confirmed', ...floor.at('confirmed') }) as const;
  /** The value of an answer that names its slot, which must not be from before what was seen. */
  const current = (answer: unknown): unknown => {
    const slot = whole(field(field(answer, 'context'), 'slot'), 'context slot');
    const value = field(answer, 'value');
    floor.admit('confirmed', slot);
    return value;
  };

  return {
    heights: (commitment) =>
      ask({
        put: (rpc, signal) => rpc.getEpochInfo({ commitment }).send({ abortSignal: signal }),
        read: heightsIn,
      }),

    latestLifetime: () =>
      ask({
        put: async (rpc, signal) => {
          const [latest, epoch] = await Promise.all([
            rpc.getLatestBlockhash(confirmed()).send({ abortSignal: signal }),
            rpc.getEpochInfo(confirmed()).send({ abortSignal: signal }),
          ]);
          return { latest, epoch };
        },
        read: (answer) => {
          const value = current(field(answer, 'latest'));
          const blockhash = text(field(value, 'blockhash'), 'blockhash');
          if (!isBlockhash(blockhash)) throw new MalformedResponse('blockhash');
          // Too low a height would have a payment that can still land called absent, and made again; too high a one would
          // have it waited for without end. So it is held against where the chain stands.
          const lastValidBlockHeight = whole(field(value, 'lastValidBlockHeight'), 'last valid block height');
          const left = lastValidBlockHeight - heightsIn(field(answer, 'epoch')).blockHeight;
          if (left < FEWEST_LEFT || left > LIFETIME + AHEAD)
            throw new MalformedResponse('last valid block height');
          return { blockhash, lastValidBlockHeight };
        },
      }),

    rent: async (size) => {
      const now = clock.now().getTime();
      const known = rents.get(size);
      if (known !== undefined && now - known.at < RENT_STANDS_MS) return { ok: true, value: known.lamports };
      const answer = await ask({
        put: (rpc, signal) =>
          rpc
            .getMinimumBalanceForRentExemption(BigInt(size), { commitment: 'confirmed' })
            .send({ abortSignal: signal }),
        read: (lamports) => whole(lamports, 'rent'),
      });
      if (answer.ok) rents.set(size, { lamports: answer.value, at: now });
      return answer;
    },

    fee: (message) =>
      ask({
        put: (rpc, signal) => rpc.getFeeForMessage(message, confirmed()).send({ abortSignal: signal }),
        read: (answer) => {
          const value = current(answer);
          // A node that does not know the blockhash yet has no fee to tell.
          if (value === null) throw new StaleResponse();
          return whole(value, 'fee');
        },
      }),

    balance: (of) =>
      ask({
        put: (rpc, signal) => rpc.getBalance(of, confirmed()).send({ abortSignal: signal }),
        read: (answer) => whole(current(answer), 'balance'),
      }),

    simulate: (wire) =>
      ask({
        put: (rpc, signal) =>
          rpc
            .simulateTransaction(wire, {
              encoding: 'base64',
              // Today's blockhash stands in for the transaction's own, so that only the accounts decide. The signatures
              // were checked before, and a node that lags behind the blockhash would refuse what the chain would take.
              replaceRecentBlockhash: true,
              ...confirmed(),
            })
            .send({ abortSignal: signal }),
        read: (answer) => runtimeError(field(current(answer), 'err')),
      }),
  };
}

function heightsIn(answer: unknown): Heights {
  const slot = whole(field(answer, 'absoluteSlot'), 'slot');
  const blockHeight = whole(field(answer, 'blockHeight'), 'block height');
  if (blockHeight > slot) throw new MalformedResponse('block height');
  return { slot, blockHeight };
}
