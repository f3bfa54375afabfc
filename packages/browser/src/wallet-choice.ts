import type { WalletAccount } from '@wallet-standard/base';
import { asked, type Connection } from './connection.js';
import { type WalletLink, walletLinks } from './deep-links.js';
import type { flowsOf } from './flows.js';
import type { Only } from './machine.js';
import type { Setting } from './options.js';
import { isRepeated, type Problem, ProblemError, problemOf, problemOfError } from './problem.js';
import type { Language } from './sentences.js';
import { type ChainName, type KnownWallet, type WalletUse, watchWallets } from './wallets.js';
import type { Way } from './ways.js';

/** A wallet that the browser has, as a page lists it. */
export interface WalletOption {
  readonly name: string;
  /** A picture, as a data URL. */
  readonly icon: string;
  /** Why it cannot be used here; null when it can. */
  readonly problem: Problem | null;
}

/** The part of a state in which a wallet is chosen. */
export interface WalletChoice {
  /** The wallets of the browser. The list grows while wallets register; it may be empty. */
  readonly wallets: readonly WalletOption[];
  /** Addresses that open this very page in the apps of wallets, for a phone. */
  readonly links: readonly WalletLink[];
  /** The text of a QR code that opens this very page on a phone. */
  readonly qr: string;
  /** Why a wallet has to be chosen again; null at first. */
  readonly problem: Problem | null;
  /** Connects the same wallet again, or leads to what is there already; null where one has to be chosen. */
  readonly act: Way | null;
  readonly connect: (wallet: WalletOption) => void;
}

/** The machine in which a wallet is chosen. */
interface ChoiceHost {
  readonly setting: Setting;
  readonly flows: ReturnType<typeof flowsOf>;
  readonly use: WalletUse;
  readonly chain: ChainName;
  /** Whether an account has to name the chain, also where its wallet does not know it. */
  readonly isExact: boolean;
  /** Whether other accounts may take the place of the chosen one now. */
  readonly mayChange: boolean;
  /** Shows the wallets again, where they are shown. */
  listChanged(): void;
  /** Shows that a wallet asks its person. */
  connecting(wallet: KnownWallet): void;
  /** Goes on with the connection. `problem` is why it was made again; null for one that a click made. */
  connected(problem: Problem | null): void;
  /** Shows why a wallet gave no account that can sign. */
  unconnected(problem: Problem): void;
  /** Follows the accounts of the wallet. `isSame` says that the chosen one is still among them. */
  accountsChanged(isSame: boolean): void;
  /** Goes on without an account: the wallet took them back. */
  disconnected(problem: Problem): void;
}

/** The connected wallet of a machine: the choice among those of the browser, and its accounts. */
export function walletChoiceOf(host: ChoiceHost) {
  const { setting, flows } = host;
  const { language, page } = setting;
  const options = new WeakMap<KnownWallet, WalletOption>();
  let wallets: readonly KnownWallet[] = [];
  let connection: Connection | null = null;
  let stopAccounts: () => void = () => undefined;
  let stopWallets: () => void = () => undefined;
  /** The wallet that was asked last. */
  let last: KnownWallet | null = null;

  /** The same wallet is the same option, as long as it can do the same. */
  function optionOf(wallet: KnownWallet): WalletOption {
    const { name, icon, problem } = wallet;
    const known = options.get(wallet);
    if (known !== undefined && (known.problem?.code ?? null) === problem) return known;
    const option = { name, icon, problem: problem === null ? null : problemOf(language, problem) };
    options.set(wallet, option);
    return option;
  }

  /** The part of a state for the choice. */
  function shownWith(only: Only, problem: Problem | null): WalletChoice {
    const again = wallets.find((wallet) => wallet === last);
    return {
      wallets: wallets.map(optionOf),
      links: page === '' ? [] : walletLinks(page),
      qr: page,
      problem,
      act: again !== undefined && problem !== null && isRepeated(problem) ? only(() => connect(again)) : null,
      connect: only((option) => {
        const wallet = wallets.find((one) => options.get(one) === option);
        if (wallet?.problem === null) connect(wallet);
      }),
    };
  }

  function connect(wallet: KnownWallet) {
    host.connecting(wallet);
    ask(wallet, false, null, (error) => host.unconnected(problemOfError(language, error)));
  }

  /** Connects a wallet without a question. One that gives nothing so is connected by its person. */
  function reconnect(wallet: KnownWallet, problem: Problem | null) {
    ask(wallet, true, problem, () => stopAccounts());
  }

  function ask(
    wallet: KnownWallet,
    silent: boolean,
    problem: Problem | null,
    failed: (error: unknown) => void,
  ) {
    last = wallet;
    flows.run(async (live) => {
      const accounts = await live(asked(wallet, wallet.connect(silent), 'wallet_not_connected'));
      const { name, problem: lack } = wallet;
      if (lack !== null) {
        // The app that a wallet of a phone opened cannot do it. Another app may.
        wallet.disconnect();
        throw new ProblemError(lack, { names: { wallet: name } });
      }
      stopAccounts();
      stopAccounts = wallet.onAccounts((changed) => {
        if (host.mayChange) follow(wallet, changed);
      });
      take(wallet, accounts);
      host.connected(problem);
    }, failed);
  }

  /** Takes the first account that can sign. Throws a ProblemError when there is none. */
  function take(wallet: KnownWallet, accounts: readonly WalletAccount[]) {
    const { chain, isExact } = host;
    const usable = isExact
      ? accounts.filter(({ chains }) => chains.includes(chain))
      : wallet.accountsOn(accounts, chain);
    const [account] = usable;
    connection = account === undefined ? null : { wallet, account, usable };
    if (connection !== null) return;
    const network = language.networks[networkOf(chain)];
    const code = accounts.length === 0 ? 'wallet_locked' : 'wallet_no_account';
    throw new ProblemError(code, { names: { wallet: wallet.name, network } });
  }

  function follow(wallet: KnownWallet, accounts: readonly WalletAccount[]) {
    const before = connection?.account.address;
    try {
      take(wallet, accounts);
    } catch (error) {
      host.disconnected(problemOfError(language, error));
      return;
    }
    host.accountsChanged(choose(before));
  }

  /** Takes another account of the wallet. False when it has none of this address. */
  function choose(address: string | undefined): boolean {
    const account = connection?.usable.find((one) => one.address === address);
    if (connection === null || account === undefined) return false;
    connection = { ...connection, account };
    return true;
  }

  /** Lets go of the wallet, and of what it is asked. */
  function drop() {
    flows.stop();
    stopAccounts();
    stopAccounts = () => undefined;
    connection = null;
  }

  function stop() {
    stopWallets();
    stopAccounts();
  }

  return {
    get connection() {
      return connection;
    },
    /** Lists the wallets of the browser from now on. */
    begin() {
      stopWallets = watchWallets(setting.wallets, host.use, (now) => {
        wallets = now;
        host.listChanged();
      });
    },
    /** Finds a wallet that can be used by its name. */
    named: (name: string | null) => wallets.find((one) => one.name === name && one.problem === null),
    shownWith,
    reconnect,
    choose,
    drop,
    stop,
  };
}

/** The name of a chain's network. A local chain is a devnet. */
function networkOf(chain: ChainName): keyof Language['networks'] {
  return chain === 'solana:mainnet' ? 'mainnet-beta' : 'devnet';
}
