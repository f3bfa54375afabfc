import {
  SolanaSignAndSendTransaction,
  SolanaSignTransaction,
  type SolanaSignAndSendTransactionFeature,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  StandardDisconnect,
  StandardEvents,
  type StandardConnectFeature,
  type StandardDisconnectFeature,
  type StandardEventsFeature,
} from '@wallet-standard/features';

/** The name of a chain in the Wallet Standard, such as `solana:mainnet`. */
export type ChainName = `solana:${string}`;

/** The required and the optional features of a wallet. */
type UsableWallet = Wallet & {
  readonly features: StandardConnectFeature &
    Partial<StandardDisconnectFeature & StandardEventsFeature> &
    Partial<SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature>;
};

/** A wallet of the browser that can sign transactions of Solana. */
export interface KnownWallet {
  readonly name: string;
  /** A data URL. */
  readonly icon: string;
  /** Asks the wallet for its accounts. Rejects when it refuses. */
  connect(): Promise<readonly WalletAccount[]>;
  disconnect(): Promise<void>;
  /** Calls `changed` with the accounts of a wallet at each change, until the returned function is called. */
  onAccounts(changed: (accounts: readonly WalletAccount[]) => void): () => void;
  /** Asks the wallet to sign, and to send when it cannot sign only. Rejects when it refuses. */
  sign(account: WalletAccount, transaction: Uint8Array, chain: ChainName): Promise<Signed>;
}

/** The result of signing: a transaction to send, or the signature of a sent one. */
type Signed = { readonly transaction: Uint8Array } | { readonly signature: Uint8Array };

function isUsable(wallet: Wallet): wallet is UsableWallet {
  return (
    StandardConnect in wallet.features &&
    (SolanaSignTransaction in wallet.features || SolanaSignAndSendTransaction in wallet.features)
  );
}

/** Calls `changed` with the wallets of the browser, now and each time one comes or goes. */
export function watchWallets(changed: (wallets: readonly KnownWallet[]) => void): void {
  const wallets = getWallets();
  const known = new Map<Wallet, KnownWallet>();
  const tell = () => {
    changed(
      wallets
        .get()
        .filter(isUsable)
        .map((wallet) => {
          const found = known.get(wallet) ?? knownWallet(wallet);
          known.set(wallet, found);
          return found;
        }),
    );
  };
  wallets.on('register', tell);
  wallets.on('unregister', tell);
  tell();
}

function knownWallet(wallet: UsableWallet): KnownWallet {
  const { features } = wallet;
  return {
    name: wallet.name,
    icon: wallet.icon,
    connect: async () => (await features[StandardConnect].connect()).accounts,
    disconnect: async () => features[StandardDisconnect]?.disconnect(),
    onAccounts: (changed) =>
      features[StandardEvents]?.on('change', ({ accounts }) => {
        if (accounts !== undefined) changed(accounts);
      }) ?? (() => undefined),
    async sign(account, transaction, chain) {
      const signer = features[SolanaSignTransaction];
      if (signer !== undefined) {
        const [output] = await signer.signTransaction({ account, transaction, chain });
        if (output === undefined) throw new Error('The wallet returned no transaction.');
        return { transaction: output.signedTransaction };
      }
      const sender = features[SolanaSignAndSendTransaction];
      const [output] = (await sender?.signAndSendTransaction({ account, transaction, chain })) ?? [];
      if (output === undefined) throw new Error('The wallet returned no signature.');
      return { signature: output.signature };
    },
  };
}

/** The accounts for a chain. The standard knows no local chain, so any account will do there. */
export function accountsOn(accounts: readonly WalletAccount[], chain: ChainName): readonly WalletAccount[] {
  return accounts.filter(({ chains }) =>
    chain === 'solana:localnet' ? chains.some((one) => one.startsWith('solana:')) : chains.includes(chain),
  );
}
