// A wallet for the local chain, which no wallet of a browser knows. Its keys stay with the server.

import {
  SolanaSignMessage,
  SolanaSignTransaction,
  type SolanaSignMessageFeature,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  StandardEvents,
  type StandardConnectFeature,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { registerWallet } from '@wallet-standard/wallet';
import { ask as askIn, inItsLanguage } from './ask.js';

const NAME = 'Demo wallet';
const ICON =
  `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="7" fill="#1f55c9"/><path d="M6 8h12v8H6zM14 11h4v2h-4z" fill="#fff"/></svg>')}` as const;
const CHAINS = ['solana:devnet'] as const;
const VISITOR = 'subrail-demo-wallet';

const WORDS = {
  en: {
    yes: 'Approve',
    no: 'Decline',
    connect: 'Let this page see the account of the demo wallet?',
    message: 'Sign this text? It moves nothing by itself.',
    transaction: 'Sign this transaction on the local chain? Its tokens are worth nothing.',
  },
  de: {
    yes: 'Erlauben',
    no: 'Ablehnen',
    connect: 'Darf diese Seite das Konto der Demo-Wallet sehen?',
    message: 'Diesen Text unterschreiben? Er selbst bewegt nichts.',
    transaction: 'Diese Transaktion auf der lokalen Chain unterschreiben? Ihre Token sind nichts wert.',
  },
};

/** The name of this browser, by which the server finds its account. */
function visitor(): string {
  const known = localStorage.getItem(VISITOR);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  localStorage.setItem(VISITOR, made);
  return made;
}

async function call(step: 'open' | 'sign', body: object): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${document.body.dataset['service'] ?? '.'}/demo-wallet/v1/${step}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Service-Version': '2026-10-02' },
    body: JSON.stringify({ visitor: visitor(), ...body }),
  });
  if (!response.ok) throw new Error('The demo wallet does not answer. Is the local chain running?');
  return (await response.json()) as Readonly<Record<string, string>>;
}

/** Decodes base64. */
function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Encodes bytes in base64. */
function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Asks the person, as a wallet does before it signs. */
function ask(what: 'connect' | 'message' | 'transaction', details: string | null = null): Promise<void> {
  const { [what]: question, yes, no } = inItsLanguage(WORDS);
  return askIn({ title: NAME, question, details, yes, no });
}

let accounts: readonly WalletAccount[] = [];
const listeners = new Set<(change: { readonly accounts: readonly WalletAccount[] }) => void>();

const sign = async (what: 'message' | 'transaction', bytes: Uint8Array) =>
  fromBase64((await call('sign', { what, bytes: toBase64(bytes) }))['bytes'] ?? '');

const features: StandardConnectFeature &
  StandardEventsFeature &
  SolanaSignMessageFeature &
  SolanaSignTransactionFeature = {
  [StandardConnect]: {
    version: '1.0.0',
    async connect({ silent = false } = {}) {
      if (accounts.length === 0 && !silent) {
        await ask('connect');
        const { address = '', bytes = '' } = await call('open', {});
        const names = [SolanaSignTransaction, SolanaSignMessage] as const;
        accounts = [{ address, publicKey: fromBase64(bytes), chains: CHAINS, features: names }];
        for (const listener of listeners) listener({ accounts });
      }
      return { accounts };
    },
  },
  [StandardEvents]: {
    version: '1.0.0',
    on(_, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  },
  [SolanaSignMessage]: {
    version: '1.1.0',
    async signMessage(...inputs) {
      const outputs = [];
      for (const { message } of inputs) {
        await ask('message', new TextDecoder().decode(message));
        outputs.push({ signedMessage: message, signature: await sign('message', message) });
      }
      return outputs;
    },
  },
  [SolanaSignTransaction]: {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy', 0],
    async signTransaction(...inputs) {
      const outputs = [];
      for (const { transaction } of inputs) {
        await ask('transaction');
        outputs.push({ signedTransaction: await sign('transaction', transaction) });
      }
      return outputs;
    },
  },
};

const wallet: Wallet = {
  version: '1.0.0',
  name: NAME,
  icon: ICON,
  chains: CHAINS,
  features,
  get accounts() {
    return accounts;
  },
};
registerWallet(wallet);
