import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import type { CallRpc } from './failover.js';
import { isRefusal } from './failure.js';
import { CannotTell, field, list, text, whole } from './response-fields.js';

/** The most signatures that a node lists in one response, and the most responses that one call reads. */
const PAGE = 1_000;
const MAX_PAGES = 5;

/** The part of an account's history that is asked for. */
export interface HistoryRange {
  /** Unix seconds. Older transactions are left out. */
  readonly since: bigint;
  /** A node that has not reached this slot is not asked. */
  readonly slot: bigint;
}

/**
 * Lists the signatures of the transactions that name an account and succeeded, newest first
 * (attempts#history-of-the-account). A node that may not have all of them is not believed.
 */
export function readAccountHistory(
  call: CallRpc,
  account: Address,
  { since, slot }: HistoryRange,
): Promise<ChainResult<readonly Signature[]>> {
  return call({
    send: async (rpc, abortSignal) => {
      const entries: unknown[] = [];
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const before = pages === 0 ? {} : { before: signatureIn(entries.at(-1)) };
        const page: readonly unknown[] = await rpc
          .getSignaturesForAddress(account, {
            commitment: 'confirmed',
            limit: PAGE,
            minContextSlot: slot,
            ...before,
          })
          .send({ abortSignal });
        entries.push(...page);
        if (entries.some((entry) => isOlder(entry, since))) return { entries, complete: true };
        if (page.length < PAGE) return { entries, complete: await reachesBack(rpc, since, abortSignal) };
      }
      return { entries, complete: false };
    },
    read: (response) => {
      const entries = list(field(response, 'entries'), 'history');
      if (field(response, 'complete') !== true) throw new CannotTell();
      return entries
        .filter((entry) => field(entry, 'err') === null && !isOlder(entry, since))
        .map((entry) => signatureIn(entry));
    },
  });
}

function signatureIn(entry: unknown): Signature {
  return text(field(entry, 'signature'), 'signature') as Signature;
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
