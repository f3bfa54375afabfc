/** The address of the service, with a slash at its end. */
export const SERVICE = new URL('./', location.href.replace(/[?#].*$/, '')).href;

/** The name of the chain in the Wallet Standard. */
export const { chain } = document.body.dataset;

/** The address of a signature in an explorer; null on a chain that no explorer shows. */
export function explorerOf(signature: string): string | null {
  if (chain === 'solana:localnet') return null;
  const cluster = chain === 'solana:devnet' ? '?cluster=devnet' : '';
  return `https://explorer.solana.com/tx/${encodeURIComponent(signature)}${cluster}`;
}
