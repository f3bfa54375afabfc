import type { Wallet } from '@wallet-standard/base';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPortal } from '../portal.js';
import { pay, reviewOf, until, untilTrue, world } from './drive.js';
import { subscriptionOf } from './fake-service.js';
import { FakeWallet } from './fake-wallets.js';

// The part that is loaded when it is needed takes time that no fake clock moves.
beforeAll(() => import('../acting.js'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A wallet of which one feature answers something else. */
function wallet(feature: `${string}:${string}`, method: string, answer: () => unknown): FakeWallet {
  const made = new FakeWallet();
  const { features } = made.wallet;
  Object.assign(features, { [feature]: { ...(features[feature] as object), [method]: answer } });
  return made;
}

describe('a flood', () => {
  it('of wallets is listed in few states', async () => {
    const { wallets, open } = world();
    const checkout = open();
    await until(checkout, 'choosing_wallet');
    let shown = 0;
    checkout.subscribe(() => (shown += 1));
    for (let count = 1; count < 1_000; count += 1)
      wallets.register(new FakeWallet({ name: `Wallet ${count}` }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([(await until(checkout, 'choosing_wallet')).wallets.length, shown]).toEqual([1_000, 2]);
  });

  it.each([
    ['the same account', ['payer-1'], 0],
    ['other accounts', ['payer-2', 'payer-3'], 2],
  ])('of changes to %s makes few calls, and ends with the last', async (_, addresses, most) => {
    const { service, wallet: own, open } = world();
    const checkout = open();
    await reviewOf(checkout);
    const before = service.calls.length;
    for (let count = 0; count < 10_000; count += 1) own.switchTo(addresses[count % addresses.length] ?? '');
    await vi.advanceTimersByTimeAsync(10_000);
    const { wallet: shown } = await until(checkout, 'review');
    expect([shown.address, service.calls.length - before]).toEqual([addresses.at(-1), most]);
  });

  it('that goes on after the page was left makes no call', async () => {
    const { service, wallet: own, open } = world();
    const checkout = open();
    await reviewOf(checkout);
    own.switchTo('payer-2');
    own.switchTo('payer-3');
    checkout.destroy();
    const before = service.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.calls.length).toBe(before);
  });
});

describe('a wallet that answers garbage', () => {
  it.each([
    undefined,
    null,
    {},
    { accounts: 'all' },
    { accounts: [null, 7, {}, { address: 7, chains: [] }, { address: 'payer-1' }] },
  ])('in place of accounts, %j, gave none', async (answer) => {
    const checkout = world(wallet('standard:connect', 'connect', async () => answer)).open();
    expect(await reviewOf(checkout)).toMatchObject({
      name: 'choosing_wallet',
      problem: { code: 'wallet_locked' },
    });
  });

  it('in place of its name has a short one', async () => {
    const { wallets, open } = world();
    wallets.register(new FakeWallet({ name: 'x'.repeat(1e6) }));
    wallets.register({
      wallet: { ...new FakeWallet().wallet, name: null, icon: 7 },
    } as unknown as FakeWallet);
    const { wallets: listed } = await until(open(), 'choosing_wallet');
    expect(listed.slice(1).map(({ name, icon }) => [name.length, typeof icon])).toEqual([
      [61, 'string'],
      [4, 'string'],
    ]);
  });

  it('in place of itself is not listed, and hides no other', async () => {
    const { wallets, open } = world();
    const chains = ['solana:devnet'];
    for (const broken of [{}, { chains, features: null }, { chains, features: 'all' }, { chains: 7 }])
      wallets.register({ wallet: broken as unknown as Wallet } as FakeWallet);
    const { wallets: listed } = await until(open(), 'choosing_wallet');
    expect(listed.map(({ name }) => name)).toEqual(['Test Wallet']);
  });

  it.each([
    () => {
      throw new Error('No features any more.');
    },
    () => 'all',
    () => null,
  ])('in place of its features, later, is listed as one that connects to no page', async (get) => {
    const { wallet: own, open } = world();
    const checkout = open();
    const choosing = await until(checkout, 'choosing_wallet');
    expect(choosing.wallets[0]?.problem).toBeNull();
    Object.defineProperty(own.wallet, 'features', { get });
    choosing.choosePlan('team');
    const { wallets: listed } = await until(checkout, 'choosing_wallet');
    expect(listed.map(({ problem }) => problem?.code)).toEqual(['wallet_signs_nothing']);
  });

  it.each([
    () => {
      throw new Error('No events here.');
    },
    () => 'no function',
  ])('in place of events is used without them', async (answer) => {
    const checkout = world(wallet('standard:events', 'on', answer)).open();
    const review = await reviewOf(checkout);
    if (review.name === 'review') review.chooseWallet();
    await pay(checkout);
    await until(checkout, 'complete');
  });

  it.each([
    ['signMessage', 'signing_terms', 'no list', undefined, 'wallet_failed'],
    ['signMessage', 'signing_terms', 'nothing', [], 'wallet_failed'],
    ['signMessage', 'signing_terms', 'no bytes', [{ signature: new Uint8Array(0) }], 'wallet_failed'],
    ['signMessage', 'signing_terms', 'endless bytes', [{ signature: { length: 1e12 } }], 'wallet_failed'],
    [
      'signMessage',
      'signing_terms',
      'other bytes',
      [{ signature: new Uint8Array(64), signedMessage: new Uint8Array(9) }],
      'invalid_terms_signature',
    ],
    ['signTransaction', 'signing_payment', 'nothing', [], 'wallet_failed'],
    [
      'signTransaction',
      'signing_payment',
      'no bytes',
      [{ signedTransaction: new Uint8Array(0) }],
      'wallet_failed',
    ],
    [
      'signTransaction',
      'signing_payment',
      'other bytes',
      [{ signedTransaction: new Uint8Array(200).fill(9) }],
      'not_our_transaction',
    ],
  ] as const)('to %s in the state %s, %s, is asked again', async (method, name, _, answer, code) => {
    const { service, open } = world(wallet(`solana:${method}`, method, async () => answer));
    const checkout = open();
    await pay(checkout);
    for (const tries of [1, 2]) {
      await untilTrue(() => checkout.state.name === name && checkout.state.step === 'refused');
      const state = await until(checkout, name);
      expect([tries, state.problem?.code, service.paid]).toEqual([tries, code, []]);
      state.act?.();
    }
  });

  it.each([
    ['no signature', async () => [{ signature: new Uint8Array(0) }]],
    [
      'that its call was aborted',
      async () => {
        throw new DOMException('The operation was aborted due to timeout.', 'AbortError');
      },
    ],
    [
      'that a cancellation is unconfirmed',
      async () => {
        throw new Error('No confirmation of CancelSubscription came.');
      },
    ],
  ])('in place of what it sent, %s, may have sent it', async (_, answer) => {
    const sender = wallet('solana:signAndSendTransaction', 'signAndSendTransaction', answer);
    Reflect.deleteProperty(sender.wallet.features, 'solana:signTransaction');
    const { options, service } = world(sender);
    service.subscriptions.set('sub_1', subscriptionOf('sub_1'));
    const portal = createPortal(options);
    (await until(portal, 'ready')).cancel('sub_1');
    const choosing = await until(portal, 'choosing_wallet');
    const [first] = choosing.wallets;
    if (first !== undefined) choosing.connect(first);
    const { problem } = await until(portal, 'ready');
    expect([problem?.code, problem?.sentence]).toEqual([
      'wallet_failed',
      expect.stringContaining('it may still take effect'),
    ]);
  });

  it('in place of a disconnection is asked anew all the same', async () => {
    const silent = wallet('standard:connect', 'connect', () => new Promise(() => undefined));
    Object.assign(silent.wallet.features, { 'standard:disconnect': { disconnect: () => undefined } });
    const checkout = world(silent).open();
    for (let tries = 0; tries < 2; tries += 1) {
      const choosing = await until(checkout, 'choosing_wallet');
      const [first] = choosing.wallets;
      if (first !== undefined) choosing.connect(first);
      await vi.advanceTimersByTimeAsync(1_000);
      (await until(checkout, 'connecting')).back();
    }
  });
});
