import type { TierName } from '../contract/enums.js';
import type { ApiKeyId, ProjectId } from './ids.js';

/** One integrator's world. Every call is scoped to the project its key belongs to. */
export interface Project {
  readonly id: ProjectId;
  readonly name: string;
  readonly tier: TierName;
  readonly logoUrl: string | null;
  /** Where a subscriber cancels, printed in the terms (terms#lines-of-the-terms); null for the host's own address. */
  readonly cancelUrl: string | null;
  /** Seats allowed in place of the tier's (seats-and-tiers#what-a-seat-is), or null. */
  readonly subscriberLimit: number | null;
  readonly createdAt: Date;
}

/** A key as stored: never the key itself (requests#api-key-format). */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly projectId: ProjectId;
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}
