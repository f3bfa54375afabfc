import type { VerifiedToken } from '@subrail/core/ports';
import type { Network } from '@subrail/core/schemas';

/** The number of each network in token lists, where they have one. */
const CHAIN_IDS: Readonly<Record<Network, number>> = { 'mainnet-beta': 101, devnet: 103 };

/**
 * Reads verified tokens from JSON: a standard token list, `{ "tokens": [{ "address", "symbol", "name",
 * "logoURI" }] }`, or the array alone. Entries with the `chainId` of another network are left out. `id` and
 * `icon` may stand for `address` and `logoURI`, as Jupiter answers.
 *
 * @param incomplete whether an entry without an address, a symbol or a name refuses the list, or is left out
 * @throws TypeError with a sentence that says what is wrong with the list, and with which entry
 * @example
 * const tokens = readTokenList('[{"address":"EPjF…","symbol":"USDC","name":"USD Coin"}]', 'mainnet-beta');
 */
export function readTokenList(
  text: string,
  network: Network,
  incomplete: 'refused' | 'left out' = 'refused',
): readonly VerifiedToken[] {
  return entriesOf(text).flatMap((entry, index) => {
    const fields = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<
      Record<string, unknown>
    >;
    if (fields['chainId'] !== undefined && fields['chainId'] !== CHAIN_IDS[network]) return [];
    const { address = fields['id'], symbol, name, logoURI: logo = fields['icon'] } = fields;
    if (isText(address) && isText(symbol) && isText(name))
      return [{ mint: address, symbol, name, logoUrl: isText(logo) ? logo : null }];
    if (incomplete === 'left out') return [];
    const missing = Object.entries({ address, symbol, name }).find(([, value]) => !isText(value))?.[0] ?? '';
    throw new TypeError(`Token ${index + 1} of the list has no "${missing}": it must be a text.`);
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function entriesOf(text: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new TypeError('The list of tokens is no JSON.');
  }
  const { tokens = parsed } = (parsed ?? {}) as { readonly tokens?: unknown };
  if (!Array.isArray(tokens))
    throw new TypeError('The list of tokens has no array "tokens", and is none itself.');
  return tokens as readonly unknown[];
}
