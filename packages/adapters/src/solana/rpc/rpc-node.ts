import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  type TransactionError,
  type TransactionMessageBytesBase64,
  isBlockhash,
} from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import type { Lifetime } from '../transaction/message.js';
import {
  StaleResponse,
  MalformedResponse,
  field,
  flag,
  list,
  runtimeError,
  text,
  whole,
} from './response-fields.js';
import type { Cluster } from './cluster.js';
import type { Commitment, SlotFloor } from './slot-floor.js';

/** The number of blocks in which a transaction with a blockhash can land (program#blockhash-lifetime). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150n;

/** The slot and block height of the chain at a commitment. */
export interface Heights {
  readonly slot: bigint;
  readonly blockHeight: bigint;
}

/** The lifetime of a transaction that is built now. */
interface LatestLifetime extends Lifetime {
  /** The number of further blocks in which the transaction can land. */
  readonly blocksLeft: bigint;
}

/** The RPC methods but for accounts and outcomes of transactions. Lamports and heights are bigint. */
export interface RpcNode {
  heights(commitment: Commitment): Promise<ChainResult<Heights>>;
  /** A recent blockhash and the last block height at which a transaction with it can land. */
  latestLifetime(): Promise<ChainResult<LatestLifetime>>;
  /** The last block height of a blockhash at most; null when it can no longer land. */
  lifetimeOf(blockhash: Blockhash): Promise<ChainResult<bigint | null>>;
  /** The lamports that an account of this many bytes must hold. Cached for a minute. */
  rent(size: number): Promise<ChainResult<bigint>>;
  /** The fee of a compiled message in lamports, including the priority fee. */
  fee(message: TransactionMessageBytesBase64): Promise<ChainResult<bigint>>;
  /** The lowest compute unit price that landed in each recent slot with these accounts, in micro-lamports. */
  recentFees(accounts: readonly Address[]): Promise<ChainResult<readonly bigint[]>>;
  /** The lamports of an account. Every endpoint is asked, to know a silent one before it is needed. */
  balance(of: Address): Promise<ChainResult<bigint>>;
  /** Runs a transaction without sending it. Returns the runtime's error, or null when it would succeed. */
  simulate(wire: Base64EncodedWireTransaction): Promise<ChainResult<TransactionError | null>>;
}

const RENT_CACHE_MS = 60_000;

/** The fewest blocks that the latest blockhash has left: one about to expire is not the latest. */
const MIN_BLOCKS_LEFT = 100n;
/** The most blocks by which one node behind a provider may be ahead of another. */
const NODE_SKEW = 16n;

/** Creates the methods. `elapsed` gives milliseconds of a clock that is never set. */
export function createRpcNode(
  { call, callEvery }: Pick<Cluster, 'call' | 'callEvery'>,
  floor: SlotFloor,
  elapsed: () => number,
): RpcNode {
  const rents = new Map<number, { lamports: bigint; at: number }>();
  const confirmed = () => ({ commitment: 'confirmed', ...floor.at('confirmed') }) as const;
  /** The value of a response with a slot. Throws StaleResponse for a slot below the floor. */
  const current = (response: unknown): unknown => {
    const slot = whole(field(field(response, 'context'), 'slot'), 'context slot');
    const value = field(response, 'value');
    floor.admit('confirmed', slot);
    return value;
  };

  return {
    heights: (commitment) =>
      call({
        send: (rpc, signal) => rpc.getEpochInfo({ commitment }).send({ abortSignal: signal }),
        read: heightsIn,
      }),

    latestLifetime: () =>
      call({
        send: async (rpc, signal) => {
          const [latest, epoch] = await Promise.all([
            rpc.getLatestBlockhash(confirmed()).send({ abortSignal: signal }),
            rpc.getEpochInfo(confirmed()).send({ abortSignal: signal }),
          ]);
          return { latest, epoch };
        },
        read: (response) => {
          const value = current(field(response, 'latest'));
          const blockhash = text(field(value, 'blockhash'), 'blockhash');
          if (!isBlockhash(blockhash)) throw new MalformedResponse('blockhash');
          return { blockhash, ...lifeOf(value, heightsIn(field(response, 'epoch'))) };
        },
      }),

    lifetimeOf: (blockhash) =>
      call({
        send: async (rpc, signal) => {
          // A wallet may have read its blockhash a moment ago, at any commitment.
          const commitment = 'processed';
          const valid = await rpc
            .isBlockhashValid(blockhash, { ...confirmed(), commitment })
            .send({ abortSignal: signal });
          // The height must not be of an earlier slot.
          const minContextSlot = whole(field(field(valid, 'context'), 'slot'), 'context slot');
          const [latest, epoch] = await Promise.all([
            rpc.getLatestBlockhash({ commitment, minContextSlot }).send({ abortSignal: signal }),
            rpc.getEpochInfo({ commitment, minContextSlot }).send({ abortSignal: signal }),
          ]);
          return { valid, latest, epoch, minContextSlot };
        },
        read: ({ valid, latest, epoch, minContextSlot }) => {
          const heights = heightsIn(epoch);
          const slot = whole(field(field(latest, 'context'), 'slot'), 'context slot');
          if (heights.slot < minContextSlot || slot < minContextSlot) throw new StaleResponse();
          // No blockhash that is valid can land for longer than the latest one.
          const { lastValidBlockHeight } = lifeOf(field(latest, 'value'), heights);
          return flag(field(valid, 'value'), 'validity') ? lastValidBlockHeight : null;
        },
      }),

    rent: async (size) => {
      const now = elapsed();
      const cached = rents.get(size);
      if (cached !== undefined && now - cached.at < RENT_CACHE_MS)
        return { ok: true, value: cached.lamports };
      const result = await call({
        send: (rpc, signal) =>
          rpc
            .getMinimumBalanceForRentExemption(BigInt(size), { commitment: 'confirmed' })
            .send({ abortSignal: signal }),
        read: (lamports) => whole(lamports, 'rent'),
      });
      if (result.ok) rents.set(size, { lamports: result.value, at: now });
      return result;
    },

    fee: (message) =>
      call({
        send: (rpc, signal) => rpc.getFeeForMessage(message, confirmed()).send({ abortSignal: signal }),
        read: (response) => {
          const value = current(response);
          // A node that does not know the blockhash yet has no fee for the message.
          if (value === null) throw new StaleResponse();
          return whole(value, 'fee');
        },
      }),

    recentFees: (accounts) =>
      call({
        send: (rpc, signal) => rpc.getRecentPrioritizationFees(accounts).send({ abortSignal: signal }),
        read: (response) =>
          list(response, 'recent fees').map((fee) => whole(field(fee, 'prioritizationFee'), 'recent fee')),
      }),

    balance: (account) =>
      callEvery({
        send: (rpc, signal) => rpc.getBalance(account, confirmed()).send({ abortSignal: signal }),
        read: (response) => whole(current(response), 'balance'),
      }),

    simulate: (wire) =>
      call({
        send: (rpc, signal) =>
          rpc
            .simulateTransaction(wire, {
              encoding: 'base64',
              // With a recent blockhash only the accounts decide: signatures were checked before, and a node
              // that is behind would refuse a blockhash that the chain accepts.
              replaceRecentBlockhash: true,
              ...confirmed(),
            })
            .send({ abortSignal: signal }),
        read: (response) => runtimeError(field(current(response), 'err')),
      }),
  };
}

/**
 * The last height of the latest blockhash, limited by the chain's height, which a node may mistake for its
 * slot. Too low a height would charge a period again for a payment that can still land; too high a one would
 * wait without end.
 */
function lifeOf(latest: unknown, { blockHeight }: Heights): Omit<LatestLifetime, 'blockhash'> {
  const lastValidBlockHeight = whole(field(latest, 'lastValidBlockHeight'), 'last valid block height');
  const blocksLeft = lastValidBlockHeight - blockHeight;
  if (blocksLeft < MIN_BLOCKS_LEFT || blocksLeft > BLOCKHASH_LIFETIME_BLOCKS + NODE_SKEW)
    throw new MalformedResponse('last valid block height');
  return { lastValidBlockHeight, blocksLeft };
}

/** The slot and block height in a response to `getEpochInfo`. */
export function heightsIn(response: unknown): Heights {
  const slot = whole(field(response, 'absoluteSlot'), 'slot');
  const blockHeight = whole(field(response, 'blockHeight'), 'block height');
  if (blockHeight > slot) throw new MalformedResponse('block height');
  return { slot, blockHeight };
}
