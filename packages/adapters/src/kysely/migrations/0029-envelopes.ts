/** Keeps what a wallet signed when it put the terms into an envelope. Terms that were signed before were signed as they are. */
export const envelopes: readonly string[] = [`alter table signed_terms add column envelope text`];
