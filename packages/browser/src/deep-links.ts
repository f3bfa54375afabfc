/** An address that opens a page in the browser of a wallet's app. */
export interface WalletLink {
  readonly name: string;
  readonly url: string;
}

const APPS = [
  ['Phantom', 'https://phantom.app/ul/browse/'],
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
  ['Backpack', 'https://backpack.app/ul/v1/browse/'],
] as const;

/**
 * Addresses that open a page in the apps of wallets, for a phone whose browser has no wallet. The address of
 * the page is passed whole, with the secret behind its `#`, so the app goes on with the same checkout. A QR
 * code of the page's own address does the same from a desk.
 *
 * @example
 * for (const { name, url } of walletLinks('https://pay.shop.example/checkout#chs_abc'))
 *   console.log(`Open in ${name}: ${url}`);
 */
export function walletLinks(page: string): readonly WalletLink[] {
  const ref = encodeURIComponent(new URL(page).origin);
  return APPS.map(([name, start]) => ({ name, url: `${start}${encodeURIComponent(page)}?ref=${ref}` }));
}
