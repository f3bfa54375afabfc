import { getBase58Encoder, type Base64EncodedWireTransaction } from '@solana/kit';

import type { TestWallet } from '../test-wallet.js';
import { addPageWallet, type PageWallet } from './page-wallet.js';

/** An account of a wallet in a page: a wallet of `createTestBilling`, or anything that signs as one does. */
export interface WalletAccount extends Pick<TestWallet, 'address' | 'signTransaction'> {
  /**
   * Returns the signature of a text, in base58. A wallet that signs an envelope around the text and says so
   * returns what it signed too.
   */
  readonly signMessage: (
    text: string,
  ) => Promise<string | { readonly signature: string; readonly signedMessage: Uint8Array }>;
}

/** A wallet that a test puts into a browser. */
export interface BrowserWallet {
  /** The name by which a page lists it, and a test finds it. */
  readonly name: string;
  /** Its accounts. A page gets the first one, until the test switches them. */
  readonly accounts: readonly WalletAccount[];
  /** The chains of its accounts; `solana:devnet` by default, as which a local chain counts. */
  readonly chains?: readonly `solana:${string}`[];
  /**
   * Sends a signed transaction, in base64. With it the wallet signs and sends at once, and cannot only sign.
   * Default: it only signs, as most wallets can.
   */
  readonly send?: (transaction: Base64EncodedWireTransaction) => Promise<unknown>;
  /** Whether it refuses to connect in each page until `unlockWallet`. Default: false. */
  readonly startsLocked?: boolean;
  /** Whether pages do not find it until `registerWallet`, as a slow extension. Default: false. */
  readonly registersLate?: boolean;
}

/**
 * Where wallets are put: a browser context of Playwright, or a page of it. A page of Puppeteer does with `{
 * exposeFunction: (...args) => page.exposeFunction(...args), addInitScript: ({ content }) =>
 * page.evaluateOnNewDocument(content) }`.
 */
export interface WalletContext {
  exposeFunction(
    name: string,
    callback: (
      name: string,
      address: string,
      what: 'transaction' | 'message',
      base64: string,
    ) => Promise<string>,
  ): Promise<unknown>;
  addInitScript(script: { readonly content: string }): Promise<unknown>;
}

/** A page that runs a script: one of Playwright or of Puppeteer. */
export interface WalletPage {
  evaluate(script: string): Promise<unknown>;
}

/**
 * Puts wallets into every page that the context opens from now on. They speak the Wallet Standard, so a page
 * finds them as it finds a person's; they sign transactions and messages with the keys of the test, which
 * stay in the test's process. Call it once for a context.
 *
 * @example
 * const giveWallet = (context: WalletContext, account: WalletAccount) =>
 *   installWallets(context, [{ name: 'Test Wallet', accounts: [account] }]);
 */
export async function installWallets(
  context: WalletContext,
  wallets: readonly BrowserWallet[],
): Promise<void> {
  await context.exposeFunction('subrailTestWalletSign', async (name, address, what, base64) => {
    const wallet = wallets.find((one) => one.name === name);
    const account = wallet?.accounts.find((one) => one.address === address);
    if (wallet === undefined || account === undefined)
      throw new Error(`The wallet ${name} has no account ${address}.`);
    return what === 'message' ? signedText(account, base64) : signedTransaction(wallet, account, base64);
  });
  for (const wallet of wallets) {
    const {
      name,
      accounts,
      chains = ['solana:devnet'],
      startsLocked = false,
      registersLate = false,
    } = wallet;
    const content = scriptOf({
      name,
      accounts: accounts.map(({ address }) => ({
        address,
        publicKey: Array.from(getBase58Encoder().encode(address)),
      })),
      chains,
      sends: wallet.send !== undefined,
      startsLocked,
      registersLate,
    });
    await context.addInitScript({ content });
  }
}

/** Makes a wallet of a page refuse every request, as when a person declines; with false, no longer. */
export async function refuseRequests(page: WalletPage, wallet: string, refuses = true): Promise<void> {
  await page.evaluate(`${controlOf(wallet)}.refuses = ${refuses}`);
}

/** Unlocks a wallet of a page that starts locked, as a person does. */
export async function unlockWallet(page: WalletPage, wallet: string): Promise<void> {
  await page.evaluate(`${controlOf(wallet)}.isLocked = false`);
}

/** Registers a wallet of a page that registers late. */
export async function registerWallet(page: WalletPage, wallet: string): Promise<void> {
  await page.evaluate(`${controlOf(wallet)}.register()`);
}

/** Switches the accounts of a wallet, as a person does; an empty list disconnects it. */
export async function switchAccounts(
  page: WalletPage,
  wallet: string,
  addresses: readonly string[],
): Promise<void> {
  await page.evaluate(`${controlOf(wallet)}.switchAccounts(${JSON.stringify(addresses)})`);
}

const controlOf = (wallet: string): string => `globalThis.subrailTestWallets[${JSON.stringify(wallet)}]`;

/** The script of a wallet. Some loaders wrap functions in calls of `__name`, which a page does not have. */
function scriptOf(wallet: PageWallet): string {
  return `(() => { const __name = (one) => one; (${addPageWallet.toString()})(${JSON.stringify(wallet)}); })();`;
}

/** The signature of a text and what was signed, each in base64, with a space between them. */
async function signedText(account: WalletAccount, base64: string): Promise<string> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  const signed = await account.signMessage(text);
  const signature = typeof signed === 'string' ? signed : signed.signature;
  const envelope = typeof signed === 'string' ? base64 : Buffer.from(signed.signedMessage).toString('base64');
  return `${Buffer.from(getBase58Encoder().encode(signature)).toString('base64')} ${envelope}`;
}

/** A signed transaction, in base64; or its signature, when the wallet sends it. */
async function signedTransaction(
  { send }: BrowserWallet,
  account: WalletAccount,
  base64: string,
): Promise<string> {
  const signed = await account.signTransaction(base64);
  if (send === undefined) return signed;
  await send(signed as Base64EncodedWireTransaction);
  // A byte with the number of signatures, and then the first one, which names the transaction.
  return Buffer.from(signed, 'base64').subarray(1, 65).toString('base64');
}
