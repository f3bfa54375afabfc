import type { Network } from '../contract/enums.js';

/** The chain of everything in a store, written at first use and never changed. */
export interface ChainIdentity {
  /** The hash of the chain's first block, which no other chain has. */
  readonly genesisHash: string;
  readonly network: Network;
  /** The charger at first use. */
  readonly charger: string;
}
