import type { AttemptId, ProjectId } from './ids.js';

/**
 * What a transaction gave back of a charge, as an operator recorded it. Kept for ever, and never changed. One
 * transaction may give back several charges, and each once.
 */
export interface Refund {
  /** The transaction's signature, base58. */
  readonly signature: string;
  readonly projectId: ProjectId;
  /** The charge that it gives back, or a part of it. */
  readonly attemptId: AttemptId;
  /** What is for this charge of what arrived at the wallet, in the token's smallest unit. */
  readonly amount: bigint;
  /** The time of its block. */
  readonly landedAt: Date;
  readonly recordedAt: Date;
}

/** Returns what refunds leave of what was charged, or of what a transaction brought. */
export const leftAfter = (refunds: readonly Refund[], most: bigint): bigint =>
  refunds.reduce((left, { amount }) => left - amount, most);
