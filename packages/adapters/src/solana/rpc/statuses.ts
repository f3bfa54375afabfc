import type { Signature, TransactionError } from '@solana/kit';
import type { Answer } from '@subrail/core/ports';
import { StaleResponse, MalformedResponse, field, list, whole } from './response-fields.js';
import type { Ask } from './failover.js';
import { runtimeError } from './runtime-error.js';

/** The most signatures one call looks up. */
export const SIGNATURES_PER_CALL = 256;

/** What a node knows of a signature; null when it knows nothing. */
export interface Status {
  readonly confirmed: boolean;
  readonly error: TransactionError | null;
}

/** What a node knows of signatures, and the slot it stood at: "not found" speaks of the blocks before that one. */
export interface Statuses {
  readonly slot: bigint;
  /** In the order asked. */
  readonly statuses: readonly (Status | null)[];
}

/**
 * Looks signatures up on a node that has seen at least `slot`: from one that has not, "not found" would mean nothing.
 * It means something only of the latest 300 blocks, which every node remembers; see `readOldStatus`.
 */
export function readStatuses(
  ask: Ask,
  signatures: readonly Signature[],
  slot: bigint,
): Promise<Answer<Statuses>> {
  return ask({
    put: (rpc, signal) =>
      rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send({ abortSignal: signal }),
    read: (answer) => statusesIn(answer, signatures.length, slot),
  });
}

/**
 * Looks up one signature that may be older than what every node remembers, on a node whose ledger begins at or before
 * the block height named. One set up anew after an outage would say "not found" of all that landed before.
 */
export function readOldStatus(
  ask: Ask,
  signature: Signature,
  { sinceHeight, slot }: { readonly sinceHeight: bigint; readonly slot: bigint },
): Promise<Answer<Status | null>> {
  return ask({
    put: async (rpc, signal) => {
      const first = await rpc.getFirstAvailableBlock().send({ abortSignal: signal });
      const options = {
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      } as const;
      return {
        first: await rpc.getBlock(first, options).send({ abortSignal: signal }),
        statuses: await rpc
          .getSignatureStatuses([signature], { searchTransactionHistory: true })
          .send({ abortSignal: signal }),
      };
    },
    read: (answer) => {
      const [status = null] = statusesIn(field(answer, 'statuses'), 1, slot).statuses;
      const begins = whole(field(field(answer, 'first'), 'blockHeight'), 'block height');
      if (status === null && begins > sinceHeight) throw new StaleResponse();
      return status;
    },
  });
}

function statusesIn(answer: unknown, count: number, reached: bigint): Statuses {
  const slot = whole(field(field(answer, 'context'), 'slot'), 'context slot');
  if (slot < reached) throw new StaleResponse();
  const statuses = list(field(answer, 'value'), 'value').map(statusOf);
  if (statuses.length !== count) throw new MalformedResponse('number of statuses');
  return { slot, statuses };
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
