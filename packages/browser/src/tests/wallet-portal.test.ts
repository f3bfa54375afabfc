import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '@subrail/core';
import type { ReasonCode, WalletSubscription } from '@subrail/core/schemas';
import { createPortal, type Portal } from '../portal.js';
import type { PortalOptions } from '../options.js';
import type { PortalState } from '../portal-state.js';
import { goBy, storageOf, until, untilTrue } from './drive.js';
import { FakeWallet, walletsOf } from './fake-wallets.js';

type OfWallet = Extract<PortalState, { name: 'of_wallet' }>;
type Fault = ErrorCode | 'lost' | { readonly reason: ReasonCode };

const KEPT = 'Nothing was changed: the subscription is not cancelled.';
const OPEN = 'it may still take effect. Look again in a minute before you try again.';

// The part that is loaded when it is needed takes time that no fake clock moves.
beforeAll(() => import('../wallet-portal.js'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function subscriptionOf(id: string, status: WalletSubscription['status'] = 'active'): WalletSubscription {
  const date = '2026-01-01T00:00:00.000Z';
  return {
    id,
    name: 'Pro, Night Library',
    status,
    actions: status === 'active' ? ['cancel'] : ['resume'],
    address: 'account',
    plan_address: 'plan',
    paid_to: 'receiver',
    mint: 'mint',
    symbol: null,
    amount: '5000000',
    amount_display: '5',
    period_hours: 720,
    began_at: date,
    paid_until: date,
    next_charge_at: date,
    ends_at: null,
    plan_ends_at: null,
    payments: { count: 1, amount: '5000000', amount_display: '5', latest: [] },
  };
}

/** A page without a session over the routes of wallets, each of which answers its faults first. */
function walletPage(...wallets: readonly FakeWallet[]) {
  const calls: string[] = [];
  const faults = new Map<string, Fault[]>();
  const stored = new Map(
    ['payer-1', 'payer-2'].map((wallet) => [
      wallet,
      Array.from({ length: 23 }, (_, count) => subscriptionOf(`sub_${wallet}_${23 - count}`)),
    ]),
  );
  const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });
  const fetcher: typeof fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    const [, wallet = '', id = '', step = 'list'] =
      /\/base\/wallet\/v1\/([\w-]+)\/subscriptions(?:\/([\w-]+)\/(\w+))?$/.exec(pathname) ?? [];
    calls.push(`${init?.method} ${step}`);
    const fault = faults.get(step)?.shift();
    if (fault === 'lost') throw new TypeError('The network is gone.');
    if (typeof fault === 'string') {
      const { status, message, retryable } = ERRORS[fault];
      return json({ statusCode: status, code: fault, message, retryable }, status);
    }
    const all = stored.get(wallet) ?? [];
    if (step === 'transaction') return json({ transaction: btoa('a transaction') }, 201);
    if (step === 'submit') return json({ signature: 'signature' }, 201);
    if (step === 'confirm') {
      const body = (await new Request(input, init).json()) as { readonly action: string };
      const subscription = subscriptionOf(id, body.action === 'cancel' ? 'cancelled' : 'active');
      const isDone = fault === undefined;
      const before = all.find((one) => one.id === id);
      if (isDone)
        stored.set(
          wallet,
          all.map((one) => (one.id === id ? subscription : one)),
        );
      return json({
        subscription: isDone ? subscription : before,
        reason: isDone ? null : 'Because.',
        reason_code: fault?.reason ?? null,
      });
    }
    const from = all.findIndex((one) => one.id === searchParams.get('starting_after')) + 1;
    return json({ data: all.slice(from, from + 10), has_more: from + 10 < all.length });
  };
  const found = walletsOf(...wallets);
  const options: PortalOptions = {
    chain: 'solana:devnet',
    service: 'https://pay.test/base/',
    fetch: fetcher,
    storage: storageOf(),
    wallets: found.source,
    page: 'https://pay.test/base/cancel',
  };
  return {
    calls,
    faults,
    found,
    open: (more: Partial<PortalOptions> = {}) => createPortal({ ...options, ...more }),
  };
}

async function connect(portal: Portal, index = 0): Promise<void> {
  const state = await until(portal, 'opening');
  const wallet = state.wallets[index];
  if (wallet !== undefined) state.connect(wallet);
}

/** The state once nothing is read and changed any more. */
async function settled(portal: Portal): Promise<OfWallet> {
  await untilTrue(() => {
    const { state } = portal;
    return state.name === 'of_wallet' && !state.isReading && state.change === null;
  });
  return until(portal, 'of_wallet');
}

describe('a portal without a session', () => {
  // cancel-page#what-the-page-shows
  it('shows the subscriptions of the connected wallet, and older ones when they are asked for', async () => {
    const portal = walletPage(new FakeWallet()).open();
    await connect(portal);
    for (const [count, hasMore] of [
      [10, true],
      [20, true],
      [23, false],
    ] as const) {
      const state = await settled(portal);
      expect([state.subscriptions.length, state.hasMore]).toEqual([count, hasMore]);
      expect(state.wallet.address).toBe('payer-1');
      state.more();
    }
  });

  // cancel-page#actions-of-a-wallet
  it('cancels and resumes, and keeps the list that was read', async () => {
    const page = walletPage(new FakeWallet());
    const portal = page.open();
    await connect(portal);
    (await settled(portal)).more();
    const id = (await settled(portal)).subscriptions[15]?.id ?? '';
    const steps: string[] = [];
    portal.subscribe(() => {
      const { state } = portal;
      if (state.name === 'of_wallet' && state.change !== null) steps.push(state.change.step);
    });
    (await settled(portal)).cancel(id);
    const cancelled = await settled(portal);
    expect(cancelled.done).toMatchObject({ id, action: 'cancel' });
    expect([cancelled.subscriptions.length, cancelled.subscriptions[15]?.status]).toEqual([20, 'cancelled']);
    expect(steps).toEqual(['preparing', 'signing', 'sending', 'confirming']);
    cancelled.resume(id);
    expect((await settled(portal)).subscriptions[15]?.status).toBe('active');
  });

  // cancel-page#transactions-that-are-sent
  it('sends for a wallet that only signs, and not for one that sends', async () => {
    const sender = new FakeWallet({ features: ['standard:connect', 'solana:signAndSendTransaction'] });
    for (const [wallet, sends] of [
      [new FakeWallet(), true],
      [sender, false],
    ] as const) {
      const page = walletPage(wallet);
      const portal = page.open();
      await connect(portal);
      (await settled(portal)).cancel('sub_payer-1_23');
      expect((await settled(portal)).done?.action).toBe('cancel');
      expect(page.calls.includes('POST submit')).toBe(sends);
    }
  });

  // cancel-page#when-the-page-says-that-nothing-was-changed
  it.each<[step: string, Fault, sentence: string]>([
    ['transaction', 'network_unavailable', KEPT],
    ['transaction', 'lost', KEPT],
    ['transaction', 'rate_limited', KEPT],
    ['transaction', 'subscription_cancelled', 'It is cancelled on Solana already.'],
    ['submit', 'transaction_refused', KEPT],
    ['submit', 'not_our_transaction', KEPT],
    ['confirm', { reason: 'transaction_failed' }, KEPT],
    ['confirm', { reason: 'transaction_expired' }, KEPT],
    ['confirm', { reason: 'cancellation_not_landed' }, OPEN],
    ['confirm', 'network_unavailable', OPEN],
    ['confirm', 'rate_limited', OPEN],
    ['confirm', 'lost', OPEN],
  ])('after %s answers %j it says what became of it', async (step, fault, sentence) => {
    const page = walletPage(new FakeWallet());
    page.faults.set(step, [fault]);
    const portal = page.open();
    await connect(portal);
    (await settled(portal)).cancel('sub_payer-1_23');
    const state = await settled(portal);
    expect(state.problem?.sentence).toContain(sentence);
    for (const other of [KEPT, OPEN].filter((one) => one !== sentence))
      expect(state.problem?.sentence).not.toContain(other);
    expect([state.about, state.done]).toEqual(['sub_payer-1_23', null]);
    expect(state.repeats).toBe(state.act === null ? null : 'cancel');
  });

  // cancel-page#when-the-page-says-that-nothing-was-changed
  it.each([
    ['solana:signTransaction', 4001, KEPT],
    ['solana:signTransaction', -32603, KEPT],
    ['solana:signAndSendTransaction', 4001, KEPT],
    // Bytes that its node rejected may have been sent to another one before.
    ['solana:signAndSendTransaction', -32603, OPEN],
  ])('after a wallet with %s failed with %d it says what became of it', async (feature, code, sentence) => {
    const wallet = new FakeWallet({ features: ['standard:connect', feature] });
    wallet.script.set('transaction', [{ code, message: 'It was rejected.' }]);
    const portal = walletPage(wallet).open();
    await connect(portal);
    (await settled(portal)).cancel('sub_payer-1_23');
    const state = await settled(portal);
    expect(state.problem?.sentence).toContain(sentence);
    goBy(state.act);
    expect((await settled(portal)).done?.action).toBe('cancel');
  });

  it('leaves a prompt, and what is signed later is not sent', async () => {
    const wallet = new FakeWallet();
    wallet.thinks = 10_000;
    const page = walletPage(wallet);
    const portal = page.open();
    await connect(portal);
    (await settled(portal)).cancel('sub_payer-1_23');
    await untilTrue(() => portal.state.name === 'of_wallet' && portal.state.change?.step === 'signing');
    const asked = await until(portal, 'of_wallet');
    // One change at a time.
    asked.cancel('sub_payer-1_22');
    asked.more();
    expect(portal.state).toBe(asked);
    asked.change?.back?.();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([(await settled(portal)).done, page.calls.includes('POST submit')]).toEqual([null, false]);
  });

  it('reads again what could not be read', async () => {
    const page = walletPage(new FakeWallet());
    page.faults.set('list', ['rate_limited']);
    const portal = page.open();
    await connect(portal);
    const state = await settled(portal);
    expect([state.problem?.code, state.about, state.repeats]).toEqual(['rate_limited', null, null]);
    goBy(state.act);
    expect((await settled(portal)).subscriptions.length).toBe(10);
  });

  it('lists wallets that come late, and says why one cannot be used', async () => {
    const page = walletPage();
    const portal = page.open();
    expect((await until(portal, 'opening')).wallets).toEqual([]);
    page.found.register(new FakeWallet({ features: ['standard:connect'] }));
    page.found.register(new FakeWallet({ name: 'Late' }));
    // A flood of changes is shown once.
    await vi.advanceTimersByTimeAsync(250);
    const { wallets } = await until(portal, 'opening');
    expect(wallets.map(({ name, problem }) => [name, problem?.code ?? null])).toEqual([
      ['Test Wallet', 'wallet_signs_no_transactions'],
      ['Late', null],
    ]);
  });

  it('follows a wallet to another account, and lets a person choose among several', async () => {
    const wallet = new FakeWallet({ addresses: ['payer-1', 'payer-2'] });
    const page = walletPage(wallet);
    const portal = page.open();
    await connect(portal);
    const both = await settled(portal);
    expect(both.accounts).toEqual(['payer-1', 'payer-2']);
    both.chooseAccount('payer-2');
    const other = await settled(portal);
    expect([other.wallet.address, other.subscriptions[0]?.id]).toEqual(['payer-2', 'sub_payer-2_23']);
    const read = page.calls.length;
    wallet.switchTo('payer-2');
    expect((await settled(portal)).accounts).toEqual(['payer-2']);
    // The list stays as it is, and is not read again.
    expect(page.calls.length).toBe(read);
    await vi.advanceTimersByTimeAsync(250);
    wallet.switchTo('payer-1');
    expect((await settled(portal)).subscriptions[0]?.id).toBe('sub_payer-1_23');
    wallet.switchTo();
    await vi.advanceTimersByTimeAsync(250);
    expect((await until(portal, 'opening')).problem?.code).toBe('wallet_locked');
  });

  it('takes another wallet, and shows nothing of the one before', async () => {
    const page = walletPage(new FakeWallet(), new FakeWallet({ name: 'Other', addresses: ['payer-2'] }));
    const portal = page.open();
    await connect(portal);
    (await settled(portal)).chooseWallet();
    const shown: string[] = [];
    portal.subscribe(() => {
      const { state } = portal;
      if (state.name === 'of_wallet') shown.push(...state.subscriptions.map(({ id }) => id));
    });
    await connect(portal, 1);
    expect((await settled(portal)).wallet.name).toBe('Other');
    expect(shown.filter((id) => !id.startsWith('sub_payer-2_'))).toEqual([]);
    expect(shown.length).toBe(10);
  });

  it.each([
    ['solana:devnet', ['solana:mainnet'], 'wallet_no_account'],
    ['solana:mainnet', ['solana:devnet'], 'wallet_no_account'],
    ['solana:localnet', ['solana:devnet'], null],
    ['solana:devnet', ['solana:devnet'], null],
  ] as const)('on %s a wallet on %j ends with %j', async (chain, chains, code) => {
    const portal = walletPage(new FakeWallet({ chains })).open({ chain });
    await connect(portal);
    if (code === null) expect((await settled(portal)).chain).toBe(chain);
    else await untilTrue(() => portal.state.name === 'opening' && portal.state.problem?.code === code);
  });

  it('says that a wallet did not connect', async () => {
    const wallet = new FakeWallet();
    wallet.script.set('connect', [{ code: 4001, message: 'no' }]);
    const portal = walletPage(wallet).open();
    await connect(portal);
    await untilTrue(() => portal.state.name === 'opening' && portal.state.problem !== null);
    expect(portal.state).toMatchObject({ problem: { code: 'wallet_refused' }, connecting: null });
    goBy((await until(portal, 'opening')).act);
    await settled(portal);
  });
});
