/** The only version of the contract that is served so far. */
export const VERSION = '2026-10-02';

/** Every version that is served, newest first. */
export const SERVED_VERSIONS: readonly string[] = [VERSION];
