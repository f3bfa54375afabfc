import { createContext, runInContext, type Context } from 'node:vm';
import { getBase58Decoder } from '@solana/kit';
import { localnetRpc, sendTransaction } from '@subrail/localnet';
import { afterEach, expect, it } from 'vitest';
import { createTestBilling, type TestBilling } from '../index.js';
import {
  installWallets,
  refuseRequests,
  registerWallet,
  switchAccounts,
  unlockWallet,
  type BrowserWallet,
} from './install-wallets.js';

let test: TestBilling;
afterEach(() => test.close());

/** A wallet as an app sees it. */
interface SeenWallet {
  readonly name: string;
  readonly accounts: readonly SeenAccount[];
  readonly features: Readonly<Record<string, Readonly<Record<string, Feature>>>>;
}
interface SeenAccount {
  readonly address: string;
  readonly publicKey: Uint8Array;
  readonly chains: readonly string[];
  readonly features: readonly string[];
}
type Feature = (...inputs: unknown[]) => Promise<readonly Readonly<Record<string, Uint8Array>>[]>;

/** Opens a page, a script context of its own, with these wallets and an app that registers them. */
async function openPage(wallets: readonly BrowserWallet[]) {
  const window = new EventTarget();
  const page: Context = createContext({
    atob,
    btoa,
    CustomEvent,
    dispatchEvent: (event: Event) => window.dispatchEvent(event),
    addEventListener: (type: string, listener: (event: Event) => void) => {
      window.addEventListener(type, listener);
    },
  });
  const scripts: string[] = [];
  await installWallets(
    {
      exposeFunction: async (name, callback) => {
        page[name] = callback;
      },
      addInitScript: async ({ content }) => scripts.push(content),
    },
    wallets,
  );
  for (const script of scripts) runInContext(script, page);
  const seen: SeenWallet[] = [];
  const api = { register: (wallet: SeenWallet) => seen.push(wallet) };
  window.addEventListener('wallet-standard:register-wallet', (event) => {
    (event as CustomEvent<(to: typeof api) => void>).detail(api);
  });
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  const evaluate = async (script: string): Promise<unknown> => runInContext(script, page);
  const call = async (name: string, member: string, ...inputs: unknown[]) => {
    const [wallet] = seen;
    const feature = wallet?.features[name]?.[member];
    if (feature === undefined) throw new Error(`The wallet has no ${name}.`);
    return feature(...inputs);
  };
  return { page: { evaluate }, seen, call };
}

const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

it('signs the terms and the transaction of a checkout in a page', async () => {
  test = await createTestBilling();
  const wallet = await test.wallet();
  const { seen, call } = await openPage([{ name: 'Test Wallet', accounts: [wallet] }]);
  expect(seen.map(({ name, accounts }) => [name, accounts])).toEqual([['Test Wallet', []]]);
  await call('standard:connect', 'connect');
  const [account] = seen[0]?.accounts ?? [];
  expect(account?.chains).toEqual(['solana:devnet']);
  expect(account?.features).toEqual(['solana:signTransaction', 'solana:signMessage']);
  expect(getBase58Decoder().decode(account?.publicKey ?? new Uint8Array())).toBe(wallet.address);

  const { subscriptions } = test.project;
  const checkout = await subscriptions.create({ plan: 'pro', wallet: wallet.address });
  const message = new TextEncoder().encode(checkout.terms.message);
  const [terms] = await call('solana:signMessage', 'signMessage', { account, message });
  const transaction = bytesOf(checkout.transaction);
  const [signed] = await call('solana:signTransaction', 'signTransaction', { account, transaction });
  const { subscription } = (await subscriptions.submit(checkout.subscription.id, {
    transaction: base64(signed?.['signedTransaction']),
    terms_signature: base64(terms?.['signature']),
  })) as { subscription: { status: string } };
  expect(subscription.status).toBe('active');
});

it('signs and sends at once, when it is given how to send', async () => {
  test = await createTestBilling();
  const subscription = await test.subscribe();
  const rpc = localnetRpc(test.localnet);
  const { seen, call } = await openPage([
    {
      name: 'Test Wallet',
      accounts: [test.walletOf(subscription)],
      send: (wire) => sendTransaction(rpc, wire),
    },
  ]);
  await call('standard:connect', 'connect');
  const [account] = seen[0]?.accounts ?? [];
  const { transaction } = await test.project.subscriptions.cancel(subscription.id);
  const [sent] = await call('solana:signAndSendTransaction', 'signAndSendTransaction', {
    account,
    transaction: bytesOf(transaction),
  });
  const signature = getBase58Decoder().decode(sent?.['signature'] ?? new Uint8Array());
  const confirmed = await test.project.subscriptions.confirmCancel(subscription.id, { signature });
  expect(confirmed.subscription.status).toBe('cancelled');
});

it('refuses and switches its accounts as the test says', async () => {
  test = await createTestBilling();
  const accounts = [await test.wallet(), await test.wallet()] as const;
  const { page, seen, call } = await openPage([{ name: "Ada's Wallet", accounts }]);
  const given = () => seen[0]?.accounts.map(({ address }) => address);
  const changes: unknown[] = [];
  await call('standard:events', 'on', 'change', (change: { accounts: readonly SeenAccount[] }) =>
    changes.push(change.accounts.length),
  );
  await refuseRequests(page, "Ada's Wallet");
  await expect(call('standard:connect', 'connect')).rejects.toThrow('User rejected the request.');
  await refuseRequests(page, "Ada's Wallet", false);
  await call('standard:connect', 'connect');
  expect(given()).toEqual([accounts[0].address]);
  await switchAccounts(page, "Ada's Wallet", [accounts[1].address]);
  expect([given(), changes]).toEqual([[accounts[1].address], [1]]);
  await switchAccounts(page, "Ada's Wallet", []);
  expect([given(), changes]).toEqual([[], [1, 0]]);

  const account = { address: 'someone' };
  await expect(
    call('solana:signMessage', 'signMessage', { account, message: new Uint8Array(1) }),
  ).rejects.toThrow("The wallet Ada's Wallet has no account someone.");
});

it('says what it signed, when that is an envelope', async () => {
  test = await createTestBilling();
  const wallet = await test.wallet();
  const signedMessage = Uint8Array.of(255, 1);
  const account = {
    ...wallet,
    signMessage: async (text: string) => ({ signature: await wallet.signMessage(text), signedMessage }),
  };
  const { seen, call } = await openPage([{ name: 'Test Wallet', accounts: [account] }]);
  await call('standard:connect', 'connect');
  const message = new TextEncoder().encode('Hello');
  const [terms] = await call('solana:signMessage', 'signMessage', { account: seen[0]?.accounts[0], message });
  expect(Array.from(terms?.['signedMessage'] ?? [])).toEqual([255, 1]);
  expect(getBase58Decoder().decode(terms?.['signature'] ?? new Uint8Array())).toBe(
    await wallet.signMessage('Hello'),
  );
});

it('registers late, and connects once it is unlocked', async () => {
  test = await createTestBilling();
  const accounts = [await test.wallet()];
  const { page, seen, call } = await openPage([
    { name: 'Test Wallet', accounts, startsLocked: true, registersLate: true },
  ]);
  expect(seen).toEqual([]);
  await registerWallet(page, 'Test Wallet');
  expect(seen.map(({ name }) => name)).toEqual(['Test Wallet']);
  await expect(call('standard:connect', 'connect')).rejects.toThrow('The wallet is locked.');
  await unlockWallet(page, 'Test Wallet');
  await call('standard:connect', 'connect');
  expect(seen[0]?.accounts).toHaveLength(1);
});
