import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import type { CallRpc } from './failover.js';
import { isRefusal } from './failure.js';
import { CannotTell, MalformedResponse, field, list, text, whole } from './response-fields.js';

/** The most signatures that a node lists in one response. */
const PAGE = 1_000;

/** A transaction in the history of an account. */
export interface HistoryEntry {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly succeeded: boolean;
}

/** The page of an account's history that is asked for. */
export interface HistoryRange {
  /** Unix seconds. Older transactions are left out. */
  readonly since: bigint;
  /** Transactions up to this slot are left out; null leaves out none. */
  readonly above: bigint | null;
  /** A node that has not reached this slot is not asked. */
  readonly slot: bigint;
  /** The page continues behind this entry; null for the first page. */
  readonly before: HistoryEntry | null;
}

/** A page of an account's history, newest first. */
export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Whether nothing of the range is left behind this page. */
  readonly isLast: boolean;
}

/**
 * Lists one page of an account's transactions (attempts#history-of-the-account), from a node that has all of
 * them.
 */
export function readHistoryPage(
  call: CallRpc,
  account: Address,
  { since, above, slot, before }: HistoryRange,
): Promise<ChainResult<HistoryPage>> {
  const isOutside = (entry: unknown) => isOlder(entry, since) || (above !== null && slotOf(entry) <= above);
  return call({
    send: async (rpc, abortSignal) => {
      const listed: readonly unknown[] = await rpc
        .getSignaturesForAddress(account, {
          commitment: 'confirmed',
          limit: PAGE,
          // A node that does not know the entry to continue behind would answer that nothing is left.
          minContextSlot: before !== null && before.slot > slot ? before.slot : slot,
          ...(before === null ? {} : { before: before.signature }),
        })
        .send({ abortSignal });
      const isPast = list(listed, 'history').some(isOutside);
      const isLast = isPast || listed.length < PAGE;
      const isWhole = isPast || !isLast || (await reachesBack(rpc, since, abortSignal));
      return { listed, isLast, isWhole };
    },
    read: (response) => {
      if (field(response, 'isWhole') !== true) throw new CannotTell();
      const entries = list(field(response, 'listed'), 'history')
        .filter((entry) => !isOutside(entry))
        .map(entryOf);
      // A node that repeats the page before would be asked for ever.
      if (entries.some((entry) => before !== null && entry.slot > before.slot))
        throw new MalformedResponse('history');
      return { entries, isLast: field(response, 'isLast') === true };
    },
  });
}

function entryOf(entry: unknown): HistoryEntry {
  return {
    signature: text(field(entry, 'signature'), 'signature') as Signature,
    slot: slotOf(entry),
    succeeded: field(entry, 'err') === null,
  };
}

function slotOf(entry: unknown): bigint {
  return whole(field(entry, 'slot'), 'slot');
}

function isOlder(entry: unknown, since: bigint): boolean {
  const time = field(entry, 'blockTime');
  return time !== null && whole(time, 'block time') < since;
}

/** Whether the node has every block from an instant on. */
async function reachesBack(
  rpc: Rpc<SolanaRpcApi>,
  since: bigint,
  abortSignal: AbortSignal,
): Promise<boolean> {
  const first = await rpc.getFirstAvailableBlock().send({ abortSignal });
  if (first === 0n) return true;
  try {
    const block = await rpc
      .getBlock(first, { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 })
      .send({ abortSignal });
    if (block === null) return false;
    const time = field(block, 'blockTime');
    // A chain's first block has the height 0, whatever its slot.
    return block.blockHeight === 0n || (time !== null && whole(time, 'block time') <= since);
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
