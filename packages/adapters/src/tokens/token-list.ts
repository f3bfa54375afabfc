import type { Network, VerifiedToken } from '@subrail/core';

/** The number of each network in token lists, where they have one. */
const CHAIN_IDS: Readonly<Record<Network, number>> = { 'mainnet-beta': 101, devnet: 103 };

/**
 * Reads a list of verified tokens from JSON: the standard form of token lists, `{ "tokens": [{ "address", "symbol", "name", "logoURI" }] }`,
 * or the array alone. Entries of another network, by their `chainId`, are left out. An entry may have `id` and `icon` in place of
 * `address` and `logoURI`, as Jupiter answers.
 *
 * @throws TypeError with a sentence that says what is wrong with the list, and with which entry
 * @example
 * const tokens = readTokenList('{"tokens":[{"address":"EPjF…","symbol":"USDC","name":"USD Coin"}]}', 'mainnet-beta');
 */
export function readTokenList(text: string, network: Network): readonly VerifiedToken[] {
  const entries = entriesOf(text);
  return entries.flatMap((entry, index) => {
    if (typeof entry !== 'object' || entry === null)
      throw new TypeError(`Token ${index + 1} of the list is no object.`);
    const { address, id, symbol, name, logoURI, icon, chainId } = entry as Readonly<Record<string, unknown>>;
    if (chainId !== undefined && chainId !== CHAIN_IDS[network]) return [];
    const logoUrl = logoURI ?? icon ?? null;
    const token = { mint: address ?? id, symbol, name };
    for (const [field, value] of Object.entries(token)) {
      if (typeof value !== 'string' || value === '')
        throw new TypeError(
          `Token ${index + 1} of the list has no "${field === 'mint' ? 'address' : field}": it must be a text.`,
        );
    }
    return [
      {
        ...(token as Pick<VerifiedToken, 'mint' | 'symbol' | 'name'>),
        logoUrl: typeof logoUrl === 'string' ? logoUrl : null,
      },
    ];
  });
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
