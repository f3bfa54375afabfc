/** The only version of the wire contract served so far (contract, Versioning). */
export const VERSION = '2026-10-02';

/** Every version served, newest first; `unsupported_version` lists them. */
export const SERVED_VERSIONS: readonly string[] = [VERSION];
