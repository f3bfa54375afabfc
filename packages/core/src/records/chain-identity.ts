import type { Network } from '../contract/enums.js';

/** The chain that everything in a store belongs to. It is written at first use and never changes. */
export interface ChainIdentity {
  /** The hash of the chain's first block, which no other chain has. */
  readonly genesisHash: string;
  readonly network: Network;
  /** The charger at first use. */
  readonly charger: string;
}
