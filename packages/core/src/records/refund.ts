import type { AttemptId, ProjectId } from './ids.js';

/** A transaction that gave back a charge, as an operator recorded it. Kept for ever, and never changed. */
export interface Refund {
  /** The transaction's signature, base58. One transaction is one refund. */
  readonly signature: string;
  readonly projectId: ProjectId;
  /** The charge that it gives back, or a part of it. */
  readonly attemptId: AttemptId;
  /** What arrived at the wallet, in the token's smallest unit. */
  readonly amount: bigint;
  /** The time of its block. */
  readonly landedAt: Date;
  readonly recordedAt: Date;
}
