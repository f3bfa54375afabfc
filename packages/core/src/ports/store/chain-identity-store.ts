import type { ChainIdentity } from '../../records/index.js';

/** Stores which chain all other records belong to. */
export interface ChainIdentityStore {
  /**
   * Stores the identity of the chain when none is stored, and returns the stored one. Of N callers at first
   * use exactly one's identity is stored, and every caller gets it.
   */
  claimChainIdentity(identity: ChainIdentity): Promise<ChainIdentity>;
}
