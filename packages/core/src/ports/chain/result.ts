import type { Network } from '../../contract/enums.js';

/**
 * Why the chain could not be read. `transport`: no response, or not in time. `rpc`: an error response with
 * its number. `chargerBalance`, in lamports: charges are not signed because it does not pay for them.
 */
export type ChainUnavailable =
  | { readonly kind: 'transport' }
  | { readonly kind: 'rpc'; readonly code: number; readonly chargerBalance?: bigint };

/** The chain's answer, or why it could not be read: a value and no exception, because it happens often. */
export type ChainResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly unavailable: ChainUnavailable };

/** The identity of a chain. */
export interface Genesis {
  /** The hash of the chain's first block, which no other chain has. */
  readonly hash: string;
  /** The network of the chain with this hash. A local chain counts as devnet. */
  readonly network: Network;
}

/** The chain's latest slot, block height and time. */
export interface ChainHead {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  /** The chain's own clock, in whole seconds. It decides what is due. */
  readonly time: Date;
}
