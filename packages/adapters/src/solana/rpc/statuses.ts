import { type Rpc, type Signature, type SolanaRpcApi, type TransactionError, signature } from '@solana/kit';
import type { ChainResult, SignatureQuery } from '@subrail/core/ports';
import {
  CannotTell,
  StaleResponse,
  MalformedResponse,
  field,
  list,
  runtimeError,
  whole,
} from './response-fields.js';
import type { CallRpc } from './failover.js';
import { isRefusal } from './failure.js';
import { BLOCKHASH_LIFETIME_BLOCKS, heightsIn } from './rpc-node.js';

/** The most signatures that one call may query. */
export const SIGNATURES_PER_CALL = 256;

/** The slots that a leader has in a row, and the turns in which a block is looked for. */
const SLOTS_OF_A_TURN = 4n;
const TURNS_TRIED = 4n;

/** The status of a transaction, as a node that found the transaction reports it. */
export interface Status {
  readonly confirmed: boolean;
  readonly error: TransactionError | null;
}

/**
 * Queries signatures on a node that has reached `minContextSlot`. A missing one proves nothing: see
 * `readFinalStatuses`.
 */
export function readStatuses(
  call: CallRpc,
  signatures: readonly Signature[],
  minContextSlot: bigint,
): Promise<ChainResult<readonly (Status | null)[]>> {
  return call({
    send: (rpc, signal) =>
      rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send({ abortSignal: signal }),
    read: (response) => statusesIn(response, signatures.length, minContextSlot),
  });
}

/** A node's report on a signature whose height has passed; `unknown` when the node cannot tell. */
export type FinalStatus = Status | 'never_landed' | 'unknown';

/**
 * Queries signatures whose heights have passed at `finalized`, and the reach of the history, on one node
 * (attempts#proof-of-never-landed), in the order of the queries. A node that can tell of none is left for
 * another.
 *
 * The height is read before the statuses, and the reach after them: a transaction could land before the
 * height has passed, and a history loses its oldest blocks at any time.
 */
export function readFinalStatuses(
  call: CallRpc,
  queries: readonly SignatureQuery[],
): Promise<ChainResult<readonly FinalStatus[]>> {
  const since = queries.map((query) => firstPossibleHeight(query));
  const oldest = since.reduce((one, other) => (one < other ? one : other));
  const signatures = queries.map((query) => signature(query.signature));
  return call({
    send: async (rpc, abortSignal) => {
      const [epoch, latest] = await Promise.all([
        rpc.getEpochInfo({ commitment: 'finalized' }).send({ abortSignal }),
        rpc.getLatestBlockhash({ commitment: 'finalized' }).send({ abortSignal }),
      ]);
      const statuses = await rpc
        .getSignatureStatuses(signatures, { searchTransactionHistory: true })
        .send({ abortSignal });
      return { epoch, latest, statuses, reach: await reachOf(rpc, oldest, abortSignal) };
    },
    read: (response) => {
      const { slot, blockHeight } = heightsIn(field(response, 'epoch'));
      const latest = field(field(response, 'latest'), 'value');
      // A node that takes its slot for its height is far ahead of transactions that may still land.
      if (whole(field(latest, 'lastValidBlockHeight'), 'last valid block height') < blockHeight)
        throw new MalformedResponse('block height');
      if (queries.some((query) => blockHeight <= query.lastValidBlockHeight)) throw new StaleResponse();
      const statuses = statusesIn(field(response, 'statuses'), queries.length, slot);
      const reach = field(response, 'reach');
      const results = since.map((height, index): FinalStatus => {
        const reaches = typeof reach === 'bigint' && reach <= height;
        return statuses[index] ?? (reaches ? 'never_landed' : 'unknown');
      });
      if (results.every((result) => result === 'unknown')) throw new CannotTell();
      return results;
    },
  });
}

/** The height below which a transaction cannot have landed. */
function firstPossibleHeight({ lastValidBlockHeight }: SignatureQuery): bigint {
  const height = lastValidBlockHeight - BLOCKHASH_LIFETIME_BLOCKS;
  return height > 0n ? height : 0n;
}

/**
 * The lowest height from which on a node has every block, as far as `oldest`; null when it does not say. A
 * slot is never below its height, so a history from slot n on has every block from height n on.
 */
async function reachOf(
  rpc: Rpc<SolanaRpcApi>,
  oldest: bigint,
  abortSignal: AbortSignal,
): Promise<bigint | null> {
  const firstSlot = await unlessRefused(rpc.getFirstAvailableBlock().send({ abortSignal }));
  if (isHeight(firstSlot) && firstSlot <= oldest) return firstSlot;
  const blockAt = (slot: bigint) =>
    unlessRefused<unknown>(
      rpc
        .getBlock(slot, { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 })
        .send({ abortSignal }),
    );
  const firstHeight = isHeight(firstSlot) ? heightOf(await blockAt(firstSlot)) : null;
  if (firstHeight !== null && firstHeight <= oldest) return firstHeight;
  // An archive may have more than the node says. Slots of one leader are often skipped together.
  for (let turn = 0n; turn < TURNS_TRIED && turn * SLOTS_OF_A_TURN <= oldest; turn++)
    if ((await blockAt(oldest - turn * SLOTS_OF_A_TURN)) !== null) return oldest;
  return firstHeight ?? firstSlot;
}

/** The answer of a node, or null for a refusal. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

function heightOf(block: unknown): bigint | null {
  if (typeof block !== 'object' || block === null || !('blockHeight' in block)) return null;
  return isHeight(block.blockHeight) ? block.blockHeight : null;
}

function isHeight(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 0n;
}

/** In the order of the signatures; null for one that was not found. */
function statusesIn(response: unknown, count: number, minContextSlot: bigint): readonly (Status | null)[] {
  const slot = whole(field(field(response, 'context'), 'slot'), 'context slot');
  if (slot < minContextSlot) throw new StaleResponse();
  const statuses = list(field(response, 'value'), 'value').map(statusOf);
  if (statuses.length !== count) throw new MalformedResponse('number of statuses');
  return statuses;
}

function statusOf(value: unknown): Status | null {
  if (value === null) return null;
  const error = runtimeError(field(value, 'err'));
  const level = field(value, 'confirmationStatus');
  switch (level) {
    case 'processed':
      return { confirmed: false, error };
    case 'confirmed':
    case 'finalized':
      return { confirmed: true, error };
    default:
      throw new MalformedResponse('confirmation status');
  }
}
