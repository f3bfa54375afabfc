/**
 * Why the chain could not be read. `transport`: no response, or not in time. `rpc`: an error response with its number.
 */
export type ChainUnavailable =
  { readonly kind: 'transport' } | { readonly kind: 'rpc'; readonly code: number };

/** What the chain answered, or why it could not be read. This is returned and not thrown, because it happens often. */
export type ChainResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly unavailable: ChainUnavailable };

/** The chain's latest slot, block height and time. */
export interface ChainHead {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  /** The chain's own clock, in whole seconds. It decides what is due. */
  readonly time: Date;
}
