/** An address that opens a page in the browser of a wallet's app. */
export interface WalletLink {
  readonly name: string;
  readonly url: string;
}

/** The browser of each app: its place on the web, from where a phone opens it, and its path. */
const APPS = [
  ['Phantom', 'phantom.app/ul/', 'browse/'],
  ['Solflare', 'solflare.com/', 'ul/v1/browse/'],
  ['Backpack', 'backpack.app/', 'ul/v1/browse/'],
] as const;

/**
 * Addresses that open a page in the apps of wallets, for a phone whose browser has no wallet. The address of
 * the page is passed whole, so the app goes on with the same checkout. With a secret behind its `#` it is
 * passed to the app alone, and nothing happens without the app: on the web the maker of the wallet would see
 * it. A QR code of the page's own address does the same from a desk.
 *
 * @example
 * for (const { name, url } of walletLinks('https://pay.shop.example/checkout#chs_abc'))
 *   console.log(`Open in ${name}: ${url}`);
 */
export function walletLinks(page: string): readonly WalletLink[] {
  const { origin, hash } = new URL(page);
  return APPS.map(([name, place, path]) => {
    const start = hash === '' ? `https://${place}` : `${name.toLowerCase()}://`;
    return { name, url: `${start}${path}${encodeURIComponent(page)}?ref=${encodeURIComponent(origin)}` };
  });
}
