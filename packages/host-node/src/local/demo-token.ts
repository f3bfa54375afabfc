import type { VerifiedToken } from '@subrail/core/ports';

/** The token that the demo plan is paid in. */
export const DEMO_TOKEN = { symbol: 'dUSD', name: 'Demo dollar', decimals: 6 };

/** The demo token as customers see it. */
export function demoToken(mint: string): VerifiedToken {
  return { mint, symbol: DEMO_TOKEN.symbol, name: DEMO_TOKEN.name, logoUrl: null };
}
