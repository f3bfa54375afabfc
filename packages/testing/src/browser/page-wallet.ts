/** The parts of a wallet in a page, which cross into it as JSON. */
export interface PageWallet {
  readonly name: string;
  readonly accounts: readonly { readonly address: string; readonly publicKey: readonly number[] }[];
  readonly chains: readonly string[];
  /** Whether it signs and sends a transaction at once; else it only signs. */
  readonly sends: boolean;
  readonly startsLocked: boolean;
  readonly registersLate: boolean;
}

/** The control of a test over a wallet. */
interface WalletControl {
  refuses: boolean;
  isLocked: boolean;
  register(): void;
  switchAccounts(addresses: readonly string[]): void;
}

interface Account {
  readonly address: string;
}

/** The part of the page's window that a wallet uses. */
interface PageWindow {
  subrailTestWallets?: Record<string, WalletControl>;
  /** Signs in the test's process. Behind the signature of a text follows what was signed, after a space. */
  subrailTestWalletSign(
    name: string,
    address: string,
    what: 'transaction' | 'message',
    base64: string,
  ): Promise<string>;
  readonly CustomEvent: new (type: string, options: { readonly detail: unknown }) => object;
  dispatchEvent(event: object): boolean;
  addEventListener(type: string, listener: (event: { readonly detail: unknown }) => void): void;
}

/**
 * Registers a wallet in a page by the Wallet Standard. The browser gets the text of this function, so it uses
 * nothing from around it.
 */
export function addPageWallet({
  name,
  accounts: all,
  chains,
  sends,
  startsLocked,
  registersLate,
}: PageWallet): void {
  const page = globalThis as unknown as PageWindow;
  const controls = (page.subrailTestWallets ??= {});
  const transactions = sends ? 'solana:signAndSendTransaction' : 'solana:signTransaction';
  const toBytes = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const toBase64 = (bytes: Uint8Array) =>
    btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const account = ({ address, publicKey }: (typeof all)[number]) => ({
    address,
    publicKey: Uint8Array.from(publicKey),
    chains,
    features: [transactions, 'solana:signMessage'],
  });
  let given: ReturnType<typeof account>[] = [];
  const listeners = new Set<(change: object) => void>();

  const allow = () => {
    if (controls[name]?.refuses === true) throw new Error('User rejected the request.');
  };
  const signed = async (
    what: 'transaction' | 'message',
    { address }: Account,
    bytes: Uint8Array,
  ): Promise<Uint8Array[]> => {
    allow();
    const answer = await page.subrailTestWalletSign(name, address, what, toBase64(bytes));
    return answer.split(' ').map(toBytes);
  };
  const forTransactions = async (
    ...inputs: readonly { readonly account: Account; readonly transaction: Uint8Array }[]
  ) => {
    const outputs: object[] = [];
    for (const input of inputs) {
      const [bytes] = await signed('transaction', input.account, input.transaction);
      outputs.push(sends ? { signature: bytes } : { signedTransaction: bytes });
    }
    return outputs;
  };

  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#5b3cc4"/></svg>')}`,
    chains,
    get accounts() {
      return given;
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          allow();
          if (controls[name]?.isLocked === true) throw new Error('The wallet is locked.');
          if (given.length === 0) given = all.slice(0, 1).map(account);
          return { accounts: given };
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => undefined },
      'standard:events': {
        version: '1.0.0',
        on: (_: string, listener: (change: object) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async (
          ...inputs: readonly { readonly account: Account; readonly message: Uint8Array }[]
        ) => {
          const outputs: object[] = [];
          for (const input of inputs) {
            const [signature, signedMessage] = await signed('message', input.account, input.message);
            outputs.push({ signedMessage, signature });
          }
          return outputs;
        },
      },
      [transactions]: {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        [sends ? 'signAndSendTransaction' : 'signTransaction']: forTransactions,
      },
    },
  };

  const register = () => {
    const giveTo = (api: { register(one: object): void }) => {
      api.register(wallet);
    };
    page.addEventListener('wallet-standard:app-ready', ({ detail }) => {
      giveTo(detail as { register(one: object): void });
    });
    page.dispatchEvent(new page.CustomEvent('wallet-standard:register-wallet', { detail: giveTo }));
  };
  controls[name] = {
    refuses: false,
    isLocked: startsLocked,
    register,
    switchAccounts(addresses) {
      given = all.filter(({ address }) => addresses.includes(address)).map(account);
      for (const listener of listeners) listener({ accounts: given });
    },
  };
  if (!registersLate) register();
}
