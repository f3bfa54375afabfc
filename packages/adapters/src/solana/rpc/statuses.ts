import type { Signature, TransactionError } from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import { StaleResponse, MalformedResponse, field, list, whole } from './response-fields.js';
import type { CallRpc } from './failover.js';
import { runtimeError } from './runtime-error.js';

/** The most signatures that one call may query. */
export const SIGNATURES_PER_CALL = 256;

/** The status of a transaction, as a node that found the transaction reports it. */
export interface Status {
  readonly confirmed: boolean;
  readonly error: TransactionError | null;
}

/**
 * The statuses of several signatures, and the slot of the node. A signature that was not found may be in a block
 * after that slot.
 */
export interface Statuses {
  readonly slot: bigint;
  /** In the order of the signatures; null for one that was not found. */
  readonly statuses: readonly (Status | null)[];
}

/**
 * Queries signatures on a node that has reached `minContextSlot`, because a node that is behind cannot find a newer
 * transaction. Nodes keep the latest 300 blocks in memory: for older transactions use `readOldStatus`.
 */
export function readStatuses(
  call: CallRpc,
  signatures: readonly Signature[],
  minContextSlot: bigint,
): Promise<ChainResult<Statuses>> {
  return call({
    send: (rpc, signal) =>
      rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send({ abortSignal: signal }),
    read: (response) => statusesIn(response, signatures.length, minContextSlot),
  });
}

/**
 * Queries one signature that may be older than the 300 blocks every node keeps, on a node whose ledger begins at or
 * below `sinceHeight`. A node whose ledger begins later does not find what landed before it begins.
 */
export function readOldStatus(
  call: CallRpc,
  signature: Signature,
  { sinceHeight, minContextSlot }: { readonly sinceHeight: bigint; readonly minContextSlot: bigint },
): Promise<ChainResult<Status | null>> {
  return call({
    send: async (rpc, signal) => {
      const firstSlot = await rpc.getFirstAvailableBlock().send({ abortSignal: signal });
      const options = {
        transactionDetails: 'none',
        rewards: false,
        maxSupportedTransactionVersion: 0,
      } as const;
      return {
        firstBlock: await rpc.getBlock(firstSlot, options).send({ abortSignal: signal }),
        statuses: await rpc
          .getSignatureStatuses([signature], { searchTransactionHistory: true })
          .send({ abortSignal: signal }),
      };
    },
    read: (response) => {
      const [status = null] = statusesIn(field(response, 'statuses'), 1, minContextSlot).statuses;
      const firstHeight = whole(field(field(response, 'firstBlock'), 'blockHeight'), 'block height');
      if (status === null && firstHeight > sinceHeight) throw new StaleResponse();
      return status;
    },
  });
}

function statusesIn(response: unknown, count: number, minContextSlot: bigint): Statuses {
  const slot = whole(field(field(response, 'context'), 'slot'), 'context slot');
  if (slot < minContextSlot) throw new StaleResponse();
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
