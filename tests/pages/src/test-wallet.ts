import type { KeyPairSigner } from '@solana/kit';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import { getBase58Encoder } from '@solana/kit';
import { signatureOf, type TestWorld } from '@subrail/test-world';
import type { BrowserContext, Page } from 'playwright-core';

/** A wallet that a test puts into the browser. */
export interface TestWallet {
  readonly name: string;
  /** The keys of its accounts; it gives the first one only, until the test gives others. */
  readonly keys: readonly KeyPairSigner[];
  /** The chains of its accounts; devnet by default. */
  readonly chains?: readonly `solana:${string}`[];
  /** Whether it signs only, as most wallets can, or signs and sends at once. */
  readonly signs?: 'only' | 'and sends';
}

/** What a test makes the wallets of a page do. */
type WalletControl = Record<
  string,
  { refuses: boolean; register(): void; useAccounts(addresses: readonly string[]): void }
>;

declare global {
  interface Window {
    testWallets: WalletControl;
    testWalletSign(name: string, address: string, transaction: string): Promise<string>;
  }
}

/** Puts wallets into every page of a context. They speak the Wallet Standard, and the test has their keys. */
export async function installWallets(
  context: BrowserContext,
  world: TestWorld,
  wallets: readonly TestWallet[],
): Promise<void> {
  await context.exposeFunction(
    'testWalletSign',
    async (name: string, address: string, transaction: string) => {
      const wallet = wallets.find((one) => one.name === name);
      const key = wallet?.keys.find((one) => one.address === address);
      if (wallet === undefined || key === undefined)
        throw new Error(`The wallet ${name} has no key ${address}.`);
      const wire = await signTransaction(key, transaction);
      if (wallet.signs !== 'and sends') return wire;
      await sendTransaction(world.rpc, wire);
      return Buffer.from(getBase58Encoder().encode(signatureOf(wire))).toString('base64');
    },
  );
  for (const { name, keys, chains = ['solana:devnet'], signs = 'only' } of wallets) {
    const accounts = keys.map(({ address }) => ({
      address,
      publicKey: [...getBase58Encoder().encode(address)],
    }));
    await context.addInitScript(addWallet, { name, accounts, chains, signs });
  }
}

/** Makes the wallet of a page refuse what it is asked, or not any more. */
export function refuse(page: Page, name: string, refuses = true): Promise<void> {
  return page.evaluate(
    ([wallet, value]) => {
      const control = window.testWallets[wallet];
      if (control !== undefined) control.refuses = value;
    },
    [name, refuses] as const,
  );
}

/** Makes the wallet of a page give other accounts, as when a person switches them. */
export function useAccounts(page: Page, name: string, addresses: readonly string[]): Promise<void> {
  return page.evaluate(
    ([wallet, given]) => {
      window.testWallets[wallet]?.useAccounts(given);
    },
    [name, addresses] as const,
  );
}

/** What runs in the page. It uses nothing from around it, because the browser gets its text. */
function addWallet({
  name,
  accounts: all,
  chains,
  signs,
}: {
  readonly name: string;
  readonly accounts: readonly { readonly address: string; readonly publicKey: readonly number[] }[];
  readonly chains: readonly string[];
  readonly signs: string;
}): void {
  const feature = signs === 'only' ? 'solana:signTransaction' : 'solana:signAndSendTransaction';
  const account = ({ address, publicKey }: (typeof all)[number]) => ({
    address,
    publicKey: Uint8Array.from(publicKey),
    chains,
    features: [feature],
  });
  const listeners: ((change: object) => void)[] = [];
  const state = { accounts: [] as ReturnType<typeof account>[] };
  const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const sign = async (input: { account: { address: string }; transaction: Uint8Array }) => {
    if (window.testWallets[name]?.refuses === true) throw new Error('User rejected the request.');
    const text = btoa(String.fromCharCode(...input.transaction));
    const signed = bytes(await window.testWalletSign(name, input.account.address, text));
    return signs === 'only' ? [{ signedTransaction: signed }] : [{ signature: signed }];
  };
  const icon = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#5b3cc4"/></svg>')}`;
  const wallet = {
    version: '1.0.0',
    name,
    icon,
    chains,
    get accounts() {
      return state.accounts;
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          if (window.testWallets[name]?.refuses === true) throw new Error('User rejected the request.');
          if (state.accounts.length === 0) state.accounts = all.slice(0, 1).map(account);
          return { accounts: state.accounts };
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => undefined },
      'standard:events': {
        version: '1.0.0',
        on: (_: string, listener: (change: object) => void) => {
          listeners.push(listener);
          return () => listeners.splice(listeners.indexOf(listener), 1);
        },
      },
      [feature]:
        signs === 'only'
          ? { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], signTransaction: sign }
          : { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], signAndSendTransaction: sign },
    },
  };
  const register = (api: { register(one: object): void }) => {
    api.register(wallet);
  };
  (window.testWallets as WalletControl | undefined) ??= {};
  window.testWallets[name] = {
    refuses: false,
    register: () =>
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register })),
    useAccounts(addresses) {
      state.accounts = all.filter(({ address }) => addresses.includes(address)).map(account);
      for (const listener of listeners) listener({ accounts: state.accounts });
    },
  };
  window.addEventListener('wallet-standard:app-ready', (event) => {
    register((event as CustomEvent<{ register(one: object): void }>).detail);
  });
  window.testWallets[name].register();
}
