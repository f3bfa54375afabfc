import type { Signature, TransactionError } from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import { StaleResponse, MalformedResponse, field, list, whole } from './response-fields.js';
import type { CallRpc } from './failover.js';
import { runtimeError } from './runtime-error.js';

/** The most signatures that one call may query. */
export const SIGNATURES_PER_CALL = 256;

/** The status of a transaction that a node found. */
export interface Status {
  readonly confirmed: boolean;
  readonly error: TransactionError | null;
}

/**
 * The statuses of several signatures, and the slot of the node. "Not found" is true of the blocks up to that slot only.
 */
export interface Statuses {
  readonly slot: bigint;
  /** In the order of the signatures; null for one that was not found. */
  readonly statuses: readonly (Status | null)[];
}

/**
 * Queries signatures on a node that has reached `slot`; "not found" from a node that has not would mean nothing. Nodes
 * keep the latest 300 blocks in memory, so for older transactions use `readOldStatus`.
 */
export function readStatuses(
  call: CallRpc,
  signatures: readonly Signature[],
  slot: bigint,
): Promise<ChainResult<Statuses>> {
  return call({
    send: (rpc, signal) =>
      rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send({ abortSignal: signal }),
    read: (response) => statusesIn(response, signatures.length, slot),
  });
}

/**
 * Queries one signature that may be older than the 300 blocks every node keeps, on a node whose ledger begins at or
 * below `sinceHeight`. A node set up after an outage would report "not found" for everything that landed before.
 */
export function readOldStatus(
  call: CallRpc,
  signature: Signature,
  { sinceHeight, slot }: { readonly sinceHeight: bigint; readonly slot: bigint },
): Promise<ChainResult<Status | null>> {
  return call({
    send: async (rpc, signal) => {
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
    read: (response) => {
      const [status = null] = statusesIn(field(response, 'statuses'), 1, slot).statuses;
      const begins = whole(field(field(response, 'first'), 'blockHeight'), 'block height');
      if (status === null && begins > sinceHeight) throw new StaleResponse();
      return status;
    },
  });
}

function statusesIn(response: unknown, count: number, reached: bigint): Statuses {
  const slot = whole(field(field(response, 'context'), 'slot'), 'context slot');
  if (slot < reached) throw new StaleResponse();
  const statuses = list(field(response, 'value'), 'value').map(statusOf);
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
