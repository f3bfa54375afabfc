import type { Wallet } from '@wallet-standard/base';
import { page } from './page.js';

/** The source of wallets: the browser, `getWallets()` of the Wallet Standard, or a list of a test. */
export interface WalletSource {
  get(): readonly Wallet[];
  /** Calls `listener` each time a wallet comes or goes, until the returned function is called. */
  on(event: 'register' | 'unregister', listener: () => void): () => void;
}

let found: WalletSource | null = null;

/** The wallets of the browser, which register by the events of the Wallet Standard, early or late. */
export function browserWallets(): WalletSource {
  found ??= listen();
  return found;
}

function listen(): WalletSource {
  const wallets = new Set<Wallet>();
  const listeners = new Set<() => void>();
  const change = (step: (wallet: Wallet) => unknown, changed: readonly Wallet[]) => {
    changed.forEach(step);
    for (const listener of [...listeners]) listener();
  };
  const api = Object.freeze({
    register(...given: readonly Wallet[]) {
      const added = given.filter((wallet) => !wallets.has(wallet));
      change((wallet) => wallets.add(wallet), added);
      return () => change((wallet) => wallets.delete(wallet), added);
    },
  });
  page.addEventListener?.('wallet-standard:register-wallet', ({ detail: callback }) => callback(api));
  page.dispatchEvent?.(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  return {
    get: () => [...wallets],
    on(_, listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
