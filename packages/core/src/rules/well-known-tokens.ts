import type { Network } from '../contract/enums.js';
import type { VerifiedToken } from '../ports/index.js';

function token(mint: string, symbol: string, name: string): VerifiedToken {
  return { mint, symbol, name, logoUrl: null };
}

const EURC = token('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr', 'EURC', 'EURC');
const SOL = token('So11111111111111111111111111111111111111112', 'SOL', 'Wrapped SOL');

/** The tokens that are always verified, with their issuers' names (plans#token-verification). */
export const WELL_KNOWN_TOKENS: Readonly<Record<Network, readonly VerifiedToken[]>> = {
  'mainnet-beta': [
    token('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 'USD Coin'),
    token('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 'Tether USD'),
    token('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PYUSD', 'PayPal USD'),
    token('2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', 'USDG', 'Global Dollar'),
    ...[EURC, SOL],
  ],
  // USDT is not issued on devnet.
  devnet: [
    token('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'USDC', 'USD Coin'),
    token('CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM', 'PYUSD', 'PayPal USD'),
    token('4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7', 'USDG', 'Global Dollar'),
    ...[EURC, SOL],
  ],
};
