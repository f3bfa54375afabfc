import type { TierName } from '../contract/enums.js';
import type { ApiKeyId, ProjectId } from './ids.js';

/** An integrator. Every API call sees only the records of the project that its key belongs to. */
export interface Project {
  readonly id: ProjectId;
  readonly name: string;
  readonly tier: TierName;
  readonly logoUrl: string | null;
  /** Where a subscriber cancels, as printed in the terms; null for the host's own address. */
  readonly cancelUrl: string | null;
  /** The project's own limit of seats; null when its tier's limit applies. */
  readonly subscriberLimit: number | null;
  /** The project's own limit of published plans; null when its tier's limit applies. */
  readonly publishedPlansLimit: number | null;
  readonly createdAt: Date;
}

/** An API key as stored. The key itself is not stored, only its hash. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly projectId: ProjectId;
  /** Who or what the key is for, as its maker wrote. */
  readonly name: string | null;
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** When it ends because another key took its place; null while none did. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}
