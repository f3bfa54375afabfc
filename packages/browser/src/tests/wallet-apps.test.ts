import type { Wallet } from '@wallet-standard/base';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { codeOf, type KnownWallet, watchWallets } from '../wallets.js';
import { reviewOf, world } from './drive.js';
import { FakeWallet } from './fake-wallets.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A wallet as the engine sees it. */
function known(wallet: Wallet): KnownWallet {
  let found: readonly KnownWallet[] = [];
  watchWallets({ get: () => [wallet], on: () => () => undefined }, 'pay', (now) => {
    found = now;
  });
  const [first] = found;
  if (first === undefined) throw new Error('It is no wallet of Solana.');
  return first;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const SIGNATURE = 'S'.repeat(64);

it.each([
  ['the text with the signature at its end', `Pay${SIGNATURE}`, 'Pay'],
  ['the signature alone', SIGNATURE, 'Pay'],
  ['an envelope with the signature at its end', `[Pay]${SIGNATURE}`, '[Pay]'],
  ['an envelope', '[Pay]', '[Pay]'],
  ['the text', 'Pay', 'Pay'],
])('finds what was signed in %s', async (_, signedMessage, expected) => {
  const { wallet, accounts } = new FakeWallet();
  const features = {
    ...wallet.features,
    'solana:signMessage': {
      signMessage: async () => [{ signature: bytes(SIGNATURE), signedMessage: bytes(signedMessage) }],
    },
  };
  const [account] = accounts;
  if (account === undefined) throw new Error('The wallet has no account.');
  const signed = await known({ ...wallet, features }).signMessage(account, bytes('Pay'));
  expect(new TextDecoder().decode(signed.signedMessage)).toBe(expected);
});

/** An error of an app, and an error around it, as the Mobile Wallet Adapter throws them. */
function inApp(code: string | number) {
  const cause = Object.assign(new Error('Something happened.'), { code });
  return new Error('Something happened.', { cause });
}

it.each([
  ['not found', inApp('ERROR_WALLET_NOT_FOUND'), 'wallet_app_missing'],
  ['not reached', inApp('ERROR_LOOPBACK_ACCESS_BLOCKED'), 'wallet_failed'],
  ['closed', inApp('ERROR_SESSION_CLOSED'), 'wallet_failed'],
  ['not connected', inApp(-1), 'wallet_refused'],
  ['not signing', inApp(-3), 'wallet_refused'],
  ['not understanding', inApp(-2), 'wallet_failed'],
  ['failing by a code that every object has', inApp('constructor'), 'wallet_failed'],
])('tells an app that is %s from others', (_, error, code) => {
  expect(codeOf(error)).toBe(code);
});

it('asks a wallet anew whose app was closed without an answer', async () => {
  const { wallet, accounts } = new FakeWallet();
  let isAsked = false;
  const connect = async () => {
    if (isAsked) return { accounts: [] };
    isAsked = true;
    return new Promise<{ accounts: typeof accounts }>((resolve) => {
      if (disconnect.mock.calls.length > 0) resolve({ accounts });
    });
  };
  const disconnect = vi.fn(async () => {
    isAsked = false;
  });
  const features = {
    ...wallet.features,
    'standard:connect': { connect },
    'standard:disconnect': { disconnect },
  };
  const asked = known({ ...wallet, features });
  void asked.connect(false);
  expect(await asked.connect(false)).toEqual(accounts);
  expect(disconnect).toHaveBeenCalledOnce();
});

it('lets a wallet go whose app turns out to only send', async () => {
  const fake = new FakeWallet({
    features: [
      'standard:connect',
      'standard:events',
      'solana:signMessage',
      'solana:signTransaction',
      'solana:signAndSendTransaction',
    ],
  });
  const { features } = fake.wallet;
  const { 'solana:signTransaction': _, ...without } = features;
  const disconnect = vi.fn(async () => undefined);
  Object.defineProperty(fake.wallet, 'features', {
    get: () => ({ ...(fake.isKnown ? without : features), 'standard:disconnect': { disconnect } }),
  });
  const state = await reviewOf(world(fake).open());
  expect(state).toMatchObject({
    name: 'choosing_wallet',
    problem: { code: 'wallet_only_sends' },
    wallets: [{ problem: { code: 'wallet_only_sends' } }],
  });
  expect(disconnect).toHaveBeenCalledOnce();
});
