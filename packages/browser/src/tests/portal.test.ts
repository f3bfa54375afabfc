import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '@subrail/core';
import type { ReasonCode } from '@subrail/core/schemas';
import { createCheckout } from '../checkout.js';
import { createPortal } from '../portal.js';
import { goBy, pay, reviewOf, until, untilTrue, world } from './drive.js';
import { MISSING, subscriptionOf } from './fake-service.js';
import { FakeWallet } from './fake-wallets.js';

// The part that is loaded when it is needed takes time that no fake clock moves.
beforeAll(() => import('../acting.js'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function portalWorld(wallet = new FakeWallet()) {
  const made = world(wallet);
  made.service.session = { id: 'prt_1', kind: 'portal', success_url: null };
  made.service.subscriptions.set('sub_1', subscriptionOf('sub_1'));
  return { ...made, open: () => createPortal(made.options) };
}

const routes = ({ service }: Pick<ReturnType<typeof portalWorld>, 'service'>) =>
  service.calls.map(({ route }) => route.replace('/subscriptions/{id}', ''));

/** Begins an action and connects the first wallet. */
async function act(portal: ReturnType<typeof createPortal>, action: 'cancel' | 'resume' | 'close') {
  (await until(portal, 'ready'))[action]('sub_1');
  const state = await until(portal, 'choosing_wallet');
  const [first] = state.wallets;
  if (first !== undefined) state.connect(first);
}

describe('a portal', () => {
  it.each([
    ['cancel', 'cancelled'],
    ['resume', 'active'],
    ['close', 'ended'],
  ] as const)('does %s with the wallet that pays', async (action, status) => {
    const page = portalWorld();
    const portal = page.open();
    const steps: string[] = [];
    portal.subscribe(() => {
      const { state } = portal;
      steps.push(state.name === 'acting' ? state.step : state.name);
    });
    await act(portal, action);
    const ready = await until(portal, 'ready');
    expect(ready.done).toMatchObject({ id: 'sub_1', action });
    expect(ready.subscriptions[0]?.status).toBe(status);
    expect(steps).toEqual([
      'ready',
      'choosing_wallet',
      'connecting',
      'preparing',
      'signing',
      'sending',
      'confirming',
      'ready',
    ]);
    expect(page.storage.values.size).toBe(0);
    ready[action]('sub_1');
    // The wallet is connected by now.
    expect(portal.state).toMatchObject({ name: 'acting', step: 'preparing' });
  });

  it('confirms by the signature of the wallet, which only sends or only signs', async () => {
    const sender = new FakeWallet({ features: ['standard:connect', 'solana:signAndSendTransaction'] });
    for (const [wallet, sends] of [
      [new FakeWallet(), true],
      [sender, false],
    ] as const) {
      const page = portalWorld(wallet);
      const portal = page.open();
      await act(portal, 'cancel');
      await until(portal, 'ready');
      expect(routes(page).includes('POST /send')).toBe(sends);
      const confirm = page.service.calls.find(({ route }) => route.endsWith('/confirm'));
      expect(confirm?.body['signature']).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    }
  });

  it('asks for the account that pays, and goes on once the wallet gives it', async () => {
    const wallet = new FakeWallet({ addresses: ['another'] });
    const page = portalWorld(wallet);
    const portal = page.open();
    await act(portal, 'cancel');
    await untilTrue(() => portal.state.name === 'choosing_wallet' && portal.state.problem !== null);
    expect(portal.state).toMatchObject({ problem: { code: 'wallet_other_account' } });
    expect(portal.state).toHaveProperty('problem.sentence', expect.stringContaining('paye…er-1'));
    goBy((await until(portal, 'choosing_wallet')).act);
    await untilTrue(() => portal.state.name === 'choosing_wallet');
    expect([portal.state, wallet.asked]).toMatchObject([
      { problem: { code: 'wallet_other_account' } },
      ['connect', 'connect'],
    ]);
    wallet.switchTo('payer-1');
    expect((await until(portal, 'ready')).done?.action).toBe('cancel');
  });

  it('says what the wallet declined, and repeats it', async () => {
    const page = portalWorld();
    page.wallet.script.set('transaction', [{ code: 4001, message: 'no' }]);
    const portal = page.open();
    await act(portal, 'cancel');
    await untilTrue(() => portal.state.name === 'ready');
    const refused = await until(portal, 'ready');
    expect([refused.problem?.code, refused.done]).toEqual(['wallet_refused', null]);
    expect(refused.repeats).toBe('cancel');
    goBy(refused.act);
    await untilTrue(() => portal.state.name === 'ready' && portal.state.done !== null);
  });

  it('leaves a prompt, and what is signed later is not sent', async () => {
    const page = portalWorld();
    page.wallet.thinks = 10_000;
    const portal = page.open();
    await act(portal, 'cancel');
    await untilTrue(() => portal.state.name === 'acting' && portal.state.step === 'signing');
    (await until(portal, 'acting')).back?.();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([portal.state.name, routes(page).includes('POST /send')]).toEqual(['ready', false]);
  });

  it.each<[string, (ErrorCode | 'answer lost' | { reason: ReasonCode } | null)[], string | null, boolean]>([
    ['POST /subscriptions/{id}/cancel', ['subscription_cancelled'], 'subscription_cancelled', false],
    ['POST /subscriptions/{id}/send', ['transaction_refused'], 'transaction_refused', false],
    ['POST /subscriptions/{id}/send', ['answer lost'], null, false],
    ['POST /subscriptions/{id}/cancel/confirm', ['answer lost', 'answer lost'], null, false],
    [
      'POST /subscriptions/{id}/cancel/confirm',
      [{ reason: 'transaction_failed' }],
      'transaction_failed',
      false,
    ],
    [
      'POST /subscriptions/{id}/cancel/confirm',
      [{ reason: 'transaction_expired' }],
      'transaction_expired',
      false,
    ],
    [
      'POST /subscriptions/{id}/cancel/confirm',
      [{ reason: 'cancellation_not_landed' }],
      'cancellation_not_landed',
      true,
    ],
    [
      'POST /subscriptions/{id}/cancel/confirm',
      Array.from({ length: 4 }, () => 'network_unavailable' as const),
      'network_unavailable',
      true,
    ],
  ])('after %s answers %j it says so, and keeps what may still land', async (route, faults, code, isKept) => {
    const page = portalWorld();
    page.service.faults.set(route, [...faults]);
    const portal = page.open();
    await act(portal, 'cancel');
    const ready = await until(portal, 'ready');
    expect([ready.problem?.code ?? null, page.storage.values.size > 0]).toEqual([code, isKept]);
    if (!isKept) return;
    const asked = page.wallet.asked.length;
    goBy(ready.act);
    await untilTrue(() => portal.state.name === 'ready' && portal.state.done !== null);
    // The same bytes: the wallet is not asked again.
    expect([page.wallet.asked.length, page.storage.values.size]).toEqual([asked, 0]);
  });

  it('goes on after a reload with what the wallet signed', async () => {
    const page = portalWorld();
    const first = page.open();
    page.service.onStep = () => {
      if (routes(page).at(-1) === 'POST /send') first.destroy();
    };
    await act(first, 'cancel');
    await untilTrue(() => routes(page).includes('POST /send'));
    const asked = page.wallet.asked.length;
    page.service.faults.set('POST /subscriptions/{id}/cancel/confirm', [
      { reason: 'cancellation_not_landed' },
    ]);
    const again = page.open();
    const ready = await until(again, 'ready');
    expect([ready.done?.action, page.wallet.asked.length]).toEqual(['cancel', asked]);
    const sent = page.service.calls.flatMap(({ route, body }) =>
      route.endsWith('/send') ? [body['transaction']] : [],
    );
    expect(new Set(sent).size).toBe(1);
  });

  it('charges a missed period and waits for the outcome', async () => {
    const page = portalWorld();
    const late = {
      status: 'unpaid',
      payment_status: 'late',
      next_retry_number: 1,
      actions: ['retry'],
    } as const;
    const set = (more: object) =>
      page.service.subscriptions.set(
        'sub_1',
        subscriptionOf('sub_1', { ...late, actions: ['retry'], ...more }),
      );
    set({});
    const portal = page.open();
    (await until(portal, 'ready')).retry('sub_1');
    await vi.advanceTimersByTimeAsync(3_000);
    set({ next_retry_number: 2 });
    const missed = await until(portal, 'ready');
    expect(missed.problem).toMatchObject({ code: 'charge_missed', next: 'check_again' });
    expect(missed.act).toBeNull();
    missed.retry('sub_1');
    await vi.advanceTimersByTimeAsync(3_000);
    set({ status: 'active', payment_status: 'paid' });
    expect((await until(portal, 'ready')).done?.action).toBe('retry');
    set({});
    (await until(portal, 'ready')).retry('sub_1');
    await untilTrue(() => portal.state.name === 'ready');
    // A charge that was ordered is looked for, and not ordered again.
    expect(portal.state).toMatchObject({ problem: { code: 'retry_running' }, repeats: null });
  });

  it.each(['insufficient_balance', 'retry_too_soon', 'retries_spent'] as const)(
    'says why a retry is refused by %s',
    async (code) => {
      const page = portalWorld();
      page.service.faults.set('POST /subscriptions/{id}/retry', [code]);
      const portal = page.open();
      (await until(portal, 'ready')).retry('sub_1');
      await untilTrue(() => portal.state.name === 'ready');
      // Only the button that pays charges.
      const missing = MISSING[code] ?? null;
      expect(portal.state).toMatchObject({ problem: { code, missing }, act: null });
    },
  );

  it('reads payments and older subscriptions', async () => {
    const page = portalWorld();
    page.service.session = { ...page.service.session, has_more: true };
    const portal = page.open();
    const ready = await until(portal, 'ready');
    ready.showPayments('sub_1');
    await untilTrue(() => portal.state.name === 'ready' && 'sub_1' in portal.state.payments);
    page.service.subscriptions.set('sub_2', subscriptionOf('sub_2'));
    (await until(portal, 'ready')).more();
    await untilTrue(() => portal.state.name === 'ready' && !portal.state.hasMore);
    expect((await until(portal, 'ready')).subscriptions.map(({ id }) => id)).toEqual(['sub_1', 'sub_2']);
  });

  it('shows the receipt of a payment, also first, and leads back to the list', async () => {
    const page = portalWorld();
    const portal = page.open();
    (await until(portal, 'ready')).showReceipt('att_0');
    const { receipt, back } = await until(portal, 'receipt');
    expect(receipt.number).toBe('NIGHT-000042');
    back();
    expect((await until(portal, 'ready')).subscriptions).toHaveLength(1);
    const first = createPortal({ ...page.options, receipt: 'att_0' });
    expect((await until(first, 'receipt')).receipt).toEqual(receipt);
  });

  it('shows the list with what was refused in place of a receipt', async () => {
    const page = portalWorld();
    page.service.faults.set('GET /receipts/att_0', ['not_found']);
    const portal = createPortal({ ...page.options, receipt: 'att_0' });
    expect((await until(portal, 'ready')).problem?.code).toBe('not_found');
  });

  it('opens a checkout of a plan, and shows the new subscription afterwards', async () => {
    const page = portalWorld();
    page.service.session = { ...page.service.session, state: 'open' };
    const portal = page.open();
    (await until(portal, 'ready')).subscribe('team');
    const state = await until(portal, 'checkout');
    await pay(state.checkout);
    await until(state.checkout, 'complete');
    state.back();
    const ready = await until(portal, 'ready');
    expect(ready.subscriptions.map(({ plan }) => plan)).toContain('team');
  });

  it('opens a checkout of the plan that is asked for, also after one of another plan was left', async () => {
    const page = portalWorld();
    page.service.subscriptions.clear();
    const portal = page.open();
    for (const plan of ['pro', 'team', 'pro']) {
      (await until(portal, 'ready')).subscribe(plan);
      const { checkout, back } = await until(portal, 'checkout');
      const review = await reviewOf(checkout);
      expect(review).toMatchObject({ name: 'review', plan: { slug: plan } });
      back();
    }
  });

  it('fails with a next step, and loads again', async () => {
    const page = portalWorld();
    page.service.faults.set(
      'GET /session',
      Array.from({ length: 4 }, () => 'unavailable' as const),
    );
    const portal = page.open();
    const failed = await until(portal, 'failed');
    expect(failed.problem.code).toBe('unavailable');
    goBy(failed.act);
    await until(portal, 'ready');
    page.service.session = { ...page.service.session, state: 'expired' };
    expect((await until(page.open(), 'failed')).problem.code).toBe('session_expired');
  });

  it('opens the session that this tab has of a link, and makes none', async () => {
    const { options, service } = world();
    const linked = { ...options, session: undefined, link: 'lnk_1' };
    const checkout = createCheckout(linked);
    await pay(checkout);
    await until(checkout, 'complete');
    const { subscriptions } = await until(createPortal(linked), 'ready');
    expect(subscriptions.map(({ plan }) => plan)).toEqual(['pro']);
    service.faults.set('GET /session', ['missing_api_key']);
    const failed = await until(createPortal({ ...linked, link: 'lnk_2' }), 'failed');
    expect(failed.problem.code).toBe('missing_api_key');
    expect(service.calls.at(-1)?.headers.has('Authorization')).toBe(false);
    expect(service.calls.filter(({ route }) => route.includes('links'))).toHaveLength(1);
  });
});

describe.each(['cancel', 'send', 'cancel/confirm', 'retry'])('a refusal of %s', (step) => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('%s is shown with its next step', async (code) => {
    const page = portalWorld();
    const refusals = Array.from({ length: 4 }, () => code);
    page.service.faults.set(`POST /subscriptions/{id}/${step}`, refusals);
    const portal = page.open();
    if (step === 'retry') (await until(portal, 'ready')).retry('sub_1');
    else await act(portal, 'cancel');
    const ready = await until(portal, 'ready');
    // A change that may have been sent all the same is looked for on the chain.
    if (ready.done !== null)
      expect([step, page.service.subscriptions.get('sub_1')?.status]).toEqual(['send', 'cancelled']);
    else expect(ready.problem?.sentence).toMatch(/^[A-Z].*\.$/);
  });
});
