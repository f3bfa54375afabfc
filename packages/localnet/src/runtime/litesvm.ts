import { createRequire } from 'node:module';
import type * as LiteSvmBinding from 'litesvm/dist/internal.js';

export type { LiteSvmBinding };

/** The package's main entry converts base58 on every call; its binding takes and returns bytes. */
export const litesvm = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof LiteSvmBinding;
