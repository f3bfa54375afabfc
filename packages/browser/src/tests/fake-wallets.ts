import type { Wallet, WalletAccount } from '@wallet-standard/base';
import type { WalletSource } from '../browser-wallets.js';

/** The answer of a wallet to one question, or the error that it throws. */
export type Answer = Error | { readonly code: number; readonly message: string } | null;

interface Options {
  readonly name?: string;
  readonly addresses?: readonly string[];
  readonly chains?: readonly `solana:${string}`[];
  /** The chains of its accounts; those of the wallet when absent. */
  readonly accountChains?: readonly `solana:${string}`[];
  readonly features?: readonly string[];
}

const ALL = ['standard:connect', 'standard:events', 'solana:signMessage', 'solana:signTransaction'];

/** A wallet that signs at once, unless its script says otherwise. */
export class FakeWallet {
  /** What is asked of it, in order. */
  readonly asked: string[] = [];
  /** The answers of the next questions, by their name: connect, message, transaction. */
  readonly script = new Map<string, Answer[]>();
  readonly wallet: Wallet;
  accounts: readonly WalletAccount[];
  /** Whether it gives accounts without a question. */
  isKnown = false;
  /** Called before it answers and after. */
  onStep: () => void = () => undefined;
  /** How long its person takes to sign a transaction. */
  thinks = 0;
  private readonly listeners = new Set<(properties: { accounts: readonly WalletAccount[] }) => void>();
  private signed = 0;

  constructor({
    name = 'Test Wallet',
    addresses = ['payer-1'],
    chains = ['solana:devnet', 'solana:mainnet'],
    accountChains = chains,
    features = ALL,
  }: Options = {}) {
    this.accounts = addresses.map((address) => accountOf(address, accountChains));
    const all: Wallet['features'] = {
      'standard:connect': {
        version: '1.0.0',
        connect: async ({ silent = false } = {}) => {
          if (silent) return { accounts: this.isKnown ? this.accounts : [] };
          await this.answer('connect');
          this.isKnown = true;
          return { accounts: this.accounts };
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_: string, listener: (properties: { accounts: readonly WalletAccount[] }) => void) => {
          this.listeners.add(listener);
          return () => this.listeners.delete(listener);
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: async ({ account, message }: { account: WalletAccount; message: Uint8Array }) => {
          await this.answer('message');
          const text = new TextDecoder().decode(message);
          const signature = new TextEncoder().encode(`${account.address} signs ${text}`);
          return [{ signedMessage: message, signature }];
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: [0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          await this.answer('transaction', this.thinks);
          const signature = new Uint8Array(64).fill((this.signed += 1));
          return [{ signedTransaction: Uint8Array.of(1, ...signature, ...transaction) }];
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: [0],
        signAndSendTransaction: async () => {
          await this.answer('transaction');
          return [{ signature: new Uint8Array(64).fill(7) }];
        },
      },
    };
    this.wallet = {
      version: '1.0.0',
      name,
      icon: 'data:image/png;base64,',
      chains,
      accounts: [],
      features: Object.fromEntries(Object.entries(all).filter(([key]) => features.includes(key))),
    };
  }

  /** Gives other accounts, as its person switches. */
  switchTo(...addresses: readonly string[]) {
    this.accounts = addresses.map((address) => accountOf(address, ['solana:devnet', 'solana:mainnet']));
    for (const listener of this.listeners) listener({ accounts: this.accounts });
  }

  private async answer(question: string, ms = 0) {
    this.asked.push(question);
    this.onStep();
    await new Promise((resolve) => setTimeout(resolve, ms));
    const answer = this.script.get(question)?.shift() ?? null;
    // Wallets throw what they like.
    // oxlint-disable-next-line typescript/only-throw-error
    if (answer !== null) throw answer;
    this.onStep();
  }
}

function accountOf(address: string, chains: readonly `solana:${string}`[]): WalletAccount {
  return { address, publicKey: new Uint8Array(32), chains, features: [] };
}

/** The wallets of a browser, to which more can register. */
export function walletsOf(...first: readonly FakeWallet[]) {
  let wallets = first.map(({ wallet }) => wallet);
  const listeners = new Set<() => void>();
  const source: WalletSource = {
    get: () => wallets,
    on: (_event, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    source,
    register({ wallet }: FakeWallet) {
      wallets = [...wallets, wallet];
      for (const listener of listeners) listener();
    },
  };
}
