import type { BrowserContext } from 'playwright-core';

/** A wallet that a page itself makes, with no key behind it. Every field is JavaScript that the page runs. */
export interface OwnWallet {
  readonly name: string;
  /** An address by default that holds an empty picture. */
  readonly icon?: string;
  /** The function that connects. A wallet that never answers by default. */
  readonly connect?: string;
  /** More features, as members of an object; to sign messages and transactions by default. */
  readonly features?: string;
}

const SIGNS = `
  'solana:signTransaction': { version: '1.0.0', signTransaction: () => new Promise(() => {}) },
  'solana:signMessage': { version: '1.0.0', signMessage: () => new Promise(() => {}) },
`;

/** Puts wallets into every page that a context opens from now on. */
export async function addOwnWallets(context: BrowserContext, wallets: readonly OwnWallet[]): Promise<void> {
  const made = wallets.map(
    ({ name, icon = "'data:image/png;base64,AA=='", connect = '() => new Promise(() => {})', features }) => `{
      version: '1.0.0', name: ${name}, icon: ${icon}, chains: ['solana:devnet'], accounts: [],
      features: {
        'standard:connect': { version: '1.0.0', connect: ${connect} },
        ${features ?? SIGNS}
      },
    }`,
  );
  await context.addInitScript({
    content: `{
      const wallets = [${made.join(',')}];
      const register = (api) => wallets.forEach((wallet) => api.register(wallet));
      dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
      addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail));
    }`,
  });
}
