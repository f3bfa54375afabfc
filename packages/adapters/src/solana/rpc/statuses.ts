import type { Signature, TransactionError } from '@solana/kit';
import type { Answer } from '@subrail/core';
import { LateAnswer, MalformedAnswer, field, list, whole } from './answers.js';
import type { Ask } from './ask.js';
import { runtimeError } from './runtime-error.js';

/** The most signatures one call looks up. */
export const SIGNATURES_PER_CALL = 256;

/** What a node knows of a signature; null when it knows nothing. */
export interface Status {
  readonly confirmed: boolean;
  readonly error: TransactionError | null;
}

/**
 * Looks signatures up, also in the ledger's past, on a node that has seen at least `slot`: from one that has not,
 * "not found" would mean nothing.
 */
export function readStatuses(
  ask: Ask,
  signatures: readonly Signature[],
  slot: bigint,
): Promise<Answer<readonly (Status | null)[]>> {
  return ask({
    put: (rpc, signal) =>
      rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send({ abortSignal: signal }),
    read: (answer) => {
      if (whole(field(field(answer, 'context'), 'slot'), 'context slot') < slot) throw new LateAnswer();
      const statuses = list(field(answer, 'value'), 'value').map(statusOf);
      if (statuses.length !== signatures.length) throw new MalformedAnswer('number of statuses');
      return statuses;
    },
  });
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
      throw new MalformedAnswer('confirmation status');
  }
}
