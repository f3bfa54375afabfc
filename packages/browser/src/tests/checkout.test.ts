import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CustomerSubscription } from '@subrail/core/schemas';
import { createCheckout } from '../checkout.js';
import { follow, goBy, pay, reviewOf, storageOf, until, untilTrue, world } from './drive.js';
import { MISSING, PRO, SECRET, subscriptionOf } from './fake-service.js';
import { FakeWallet } from './fake-wallets.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const refused = { code: 4001, message: 'User rejected the request.' };

describe('a checkout', () => {
  it('goes from the choice of a wallet to a paid subscription', async () => {
    const { service, wallet, storage, open } = world();
    const checkout = open();
    const names: string[] = [];
    checkout.subscribe(() => names.push(checkout.state.name));
    await pay(checkout);
    const { subscription, continueTo, plan } = await until(checkout, 'complete');
    expect([subscription.status, plan?.slug]).toEqual(['active', 'pro']);
    expect(continueTo).toBe('https://shop.example/thanks?a=b&checkout=chk_1');
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual([
      'choosing_wallet',
      'connecting',
      'loading',
      'review',
      'signing_terms',
      'signing_payment',
      'submitting',
      'complete',
    ]);
    expect(wallet.asked).toEqual(['connect', 'message', 'transaction']);
    expect(service.paid).toEqual(['payer-1 pro']);
    expect(storage.values.size).toBe(0);
  });

  it('reads the charge for its receipt, and is paid without it too', async () => {
    const { service, open } = world();
    const checkout = open();
    const payments: (string | null)[] = [];
    checkout.subscribe(() => {
      const { state } = checkout;
      if (state.name === 'complete') payments.push(state.payment && state.payment.id);
    });
    await pay(checkout);
    await untilTrue(() => payments.length === 2);
    expect(payments).toEqual([null, 'att_0']);
    service.faults.set('GET /subscriptions/{id}/attempts', ['forbidden']);
    const again = open();
    expect((await until(again, 'complete')).payment).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(again.state).toMatchObject({ name: 'complete', payment: null });
  });

  it('sends the secret and the version with every call, and the terms as they were signed', async () => {
    const { service, open } = world();
    await pay(open());
    await untilTrue(() => service.paid.length === 1);
    for (const { headers, url } of service.calls) {
      expect(headers.get('Authorization')).toBe(`Bearer ${SECRET}`);
      expect(headers.get('Service-Version')).toBe('2026-10-02');
      expect(url).toMatch(/^https:\/\/pay\.test\/base\/customer\/v1\//);
    }
    const submit = service.calls.find(({ route }) => route.endsWith('/submit'));
    expect(atob(submit?.body['terms_signature'] ?? '')).toMatch(
      /^payer-1 signs Amount: 9\.99 USDC every 30 days\n/,
    );
    // The service finds an envelope by itself that the wallet does not name.
    expect(submit?.body).not.toHaveProperty('terms_signed_message');
  });

  it("calls the app's own server without a key", async () => {
    const { service, options } = world();
    service.session = { id: null, kind: 'app' };
    const checkout = createCheckout({ ...options, session: undefined, url: 'https://app.test/billing/' });
    await pay(checkout);
    await until(checkout, 'complete');
    for (const { headers, url, credentials } of service.calls) {
      expect(headers.has('Authorization')).toBe(false);
      expect(credentials).toBe('same-origin');
      expect(url).toMatch(/^https:\/\/app\.test\/billing\/(session|subscriptions)/);
    }
  });

  it('opens a link once for a tab, and goes on with its session after a reload', async () => {
    const { service, options } = world();
    const linked = { ...options, session: undefined, link: 'lnk_1' };
    const first = createCheckout(linked);
    await reviewOf(first);
    first.destroy();
    await pay(createCheckout(linked));
    await untilTrue(() => service.paid.length === 1);
    expect(service.calls.filter(({ route }) => route.includes('links'))).toHaveLength(1);
    service.session = { state: 'expired' };
    await until(createCheckout(linked), 'failed');
    expect(service.calls.filter(({ route }) => route.includes('links'))).toHaveLength(2);
  });

  it('is complete at once when the session is', async () => {
    const { service, open } = world();
    await pay(open());
    await untilTrue(() => service.paid.length === 1);
    const again = open();
    expect((await until(again, 'complete')).subscription.wallet).toBe('payer-1');
  });

  it('reports the fault of a listener and goes on', async () => {
    const { open } = world();
    const faults: unknown[] = [];
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
      try {
        task();
      } catch (error) {
        faults.push(error);
      }
    });
    const checkout = open();
    checkout.subscribe(() => {
      throw new Error('of the page');
    });
    await until(checkout, 'choosing_wallet');
    vi.restoreAllMocks();
    expect(faults[0]).toEqual(new Error('of the page'));
  });

  it('does nothing by an action of a state that is over, or twice', async () => {
    const { service, open } = world();
    const checkout = open();
    const review = await reviewOf(checkout);
    if (review.name !== 'review' || !review.payable) throw new Error('not payable');
    review.pay();
    review.pay();
    review.chooseWallet();
    await until(checkout, 'complete');
    review.pay();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([checkout.state.name, service.paid.length]).toEqual(['complete', 1]);
  });
});

describe('the choice of a wallet', () => {
  it('lists wallets that register late, and keeps the same objects', async () => {
    const { wallets, open } = world();
    const checkout = open();
    const before = (await until(checkout, 'choosing_wallet')).wallets;
    wallets.register(new FakeWallet({ name: 'Late' }));
    const after = (await until(checkout, 'choosing_wallet')).wallets;
    expect(after.map(({ name }) => name)).toEqual(['Test Wallet', 'Late']);
    expect(after[0]).toBe(before[0]);
  });

  it.each([
    [['standard:connect', 'solana:signAndSendTransaction', 'solana:signMessage'], 'wallet_only_sends'],
    [['standard:connect', 'solana:signTransaction'], 'wallet_signs_no_messages'],
    [['standard:connect', 'solana:signMessage'], 'wallet_signs_no_transactions'],
    [['solana:signMessage', 'solana:signTransaction'], 'wallet_signs_nothing'],
  ])('says why a wallet with %j cannot pay', async (features, code) => {
    const { open } = world(new FakeWallet({ features }));
    const checkout = open();
    const state = await until(checkout, 'choosing_wallet');
    const [wallet] = state.wallets;
    expect(wallet?.problem?.code).toBe(code);
    if (wallet !== undefined) state.connect(wallet);
    expect(checkout.state.name).toBe('choosing_wallet');
  });

  it('lists no wallet of another chain', async () => {
    const wallet = new FakeWallet({ chains: [], features: ['standard:connect'] });
    expect((await until(world(wallet).open(), 'choosing_wallet')).wallets).toEqual([]);
  });

  it('has addresses that open the page on a phone', async () => {
    const { links, qr } = await until(world().open(), 'choosing_wallet');
    expect(links.map(({ name }) => name)).toEqual(['Phantom', 'Solflare', 'Backpack']);
    expect(qr).toBe('https://pay.test/checkout#chs_1');
  });

  it('says that a wallet is locked, refused, or has no account on the network', async () => {
    const wallet = new FakeWallet();
    wallet.script.set('connect', [refused]);
    const { open } = world(wallet);
    const checkout = open();
    expect(await reviewOf(checkout)).toMatchObject({ problem: { code: 'wallet_refused', next: 'again' } });
    wallet.accounts = [];
    expect(await reviewOf(checkout)).toMatchObject({ problem: { code: 'wallet_locked' } });
    const other = new FakeWallet({ accountChains: ['solana:mainnet'] });
    const elsewhere = await reviewOf(world(other).open());
    expect(elsewhere).toMatchObject({ problem: { code: 'wallet_no_account' } });
    expect(elsewhere).toHaveProperty('problem.sentence', expect.stringContaining('Solana devnet'));
  });

  it('connects the same wallet again as the next step of its problem', async () => {
    const other = new FakeWallet({ name: 'Other' });
    const { wallets, wallet, open } = world(new FakeWallet({ name: 'First' }));
    wallets.register(other);
    other.script.set('connect', [refused]);
    const checkout = open();
    const choosing = await until(checkout, 'choosing_wallet');
    expect([choosing.problem, choosing.act]).toEqual([null, null]);
    const [, second] = choosing.wallets;
    if (second !== undefined) choosing.connect(second);
    await untilTrue(() => checkout.state.name === 'choosing_wallet');
    goBy((await until(checkout, 'choosing_wallet')).act);
    expect((await until(checkout, 'review')).wallet.name).toBe('Other');
    expect([wallet.asked, other.asked]).toEqual([[], ['connect', 'connect']]);
  });

  it('takes the account of a wallet that does not know the network', async () => {
    const checkout = world(new FakeWallet({ chains: ['solana:localnet'] })).open();
    await pay(checkout);
    await until(checkout, 'complete');
  });

  it('lets the customer choose another plan, account and wallet', async () => {
    const wallet = new FakeWallet({ addresses: ['payer-1', 'payer-2'] });
    const { service, open } = world(wallet);
    const checkout = open();
    await reviewOf(checkout);
    (await until(checkout, 'review')).chooseAccount('payer-2');
    const other = await until(checkout, 'review');
    expect([other.wallet.address, other.accounts]).toEqual(['payer-2', ['payer-1', 'payer-2']]);
    other.choosePlan('team');
    const team = await until(checkout, 'review');
    expect(team.plan.name).toBe('Team');
    team.chooseWallet();
    await pay(checkout);
    await until(checkout, 'complete');
    expect(service.paid).toEqual(['payer-1 team']);
  });
});

describe('a customer of whom the session lists a subscription', () => {
  const subscribed = (more: Partial<CustomerSubscription>) => {
    const page = world();
    page.service.subscriptions.set('sub_1', subscriptionOf('sub_1', { wallet: 'payer-9', ...more }));
    return page;
  };

  it.each([
    ['active', 'already_subscribed'],
    ['unpaid', 'payment_pending'],
  ] as const)('that is %s is told before a wallet is asked, and may go on', async (status, code) => {
    const { service, wallet, storage, open, options } = subscribed({ status });
    const checkout = open({ plan: 'pro' });
    const failed = await until(checkout, 'failed');
    expect([failed.problem.code, failed.problem.next, failed.act]).toEqual([code, 'open_portal', null]);
    failed.chooseWallet?.();
    await reviewOf(checkout);
    expect([wallet.asked, storage.values.size]).toEqual([['connect'], 1]);
    checkout.destroy();
    // A customer who went on goes on after a reload.
    const again = createCheckout({ ...options, plan: 'pro' });
    expect(await reviewOf(again)).toMatchObject({ name: 'review', problem: { code } });
    await pay(again);
    await until(again, 'complete');
    expect(service.paid).toEqual(['payer-1 pro']);
  });

  it.each(['pending', 'cancelled', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const)(
    'that is %s chooses a wallet at once',
    async (status) => {
      const { problem, plan } = await until(subscribed({ status }).open(), 'choosing_wallet');
      expect([problem, plan.slug]).toEqual([null, 'pro']);
    },
  );

  it('chooses another plan first, and is told of the one that runs', async () => {
    const { service, open } = subscribed({});
    const checkout = open();
    const choosing = await until(checkout, 'choosing_wallet');
    expect([choosing.plan.slug, choosing.problem]).toEqual(['team', null]);
    expect(choosing.plans.map(({ slug, isMine }) => [slug, isMine])).toEqual([
      ['pro', true],
      ['team', false],
    ]);
    choosing.choosePlan('pro');
    expect(checkout.state).toMatchObject({ plan: { slug: 'pro' }, problem: { code: 'already_subscribed' } });
    (await until(checkout, 'choosing_wallet')).choosePlan('team');
    expect(checkout.state).toMatchObject({ plan: { slug: 'team' }, problem: null });
    const review = await reviewOf(checkout);
    if (review.name === 'review') review.choosePlan('pro');
    expect((await until(checkout, 'review')).problem?.code).toBe('already_subscribed');
    service.plans.pop();
    expect((await until(open({ storage: storageOf() }), 'failed')).problem.code).toBe('already_subscribed');
  });
});

describe('a review', () => {
  it.each(['insufficient_balance', 'insufficient_lamports'] as const)(
    'says what is missing by %s, and is payable once it is there',
    async (code) => {
      const { service, open } = world();
      service.faults.set('POST /subscriptions', [code, code]);
      const checkout = open();
      const blocked = await reviewOf(checkout);
      if (blocked.name !== 'review' || blocked.payable) throw new Error('payable');
      expect(blocked.problem).toMatchObject({ code, next: 'check_again', missing: MISSING[code] });
      expect(blocked.problem.detail).toMatch(/too little|less/);
      blocked.act();
      const still = await until(checkout, 'review');
      if (still.payable) throw new Error('payable');
      still.act();
      expect((await until(checkout, 'review')).payable).toBe(true);
    },
  );

  it('has the costs and the terms as facts', async () => {
    const review = await reviewOf(world().open());
    expect(review).toMatchObject({ costs: { total: '2049280' }, problem: null, changes: [] });
    expect(review).toHaveProperty('terms.facts.0.value', '9.99 USDC every 30 days');
  });

  it('takes an email where the session asks for one, and says when it is wrong', async () => {
    const { service, open } = world();
    service.session = { ask_email: true };
    const checkout = open();
    const review = await reviewOf(checkout);
    if (review.name !== 'review' || !review.payable) throw new Error('not payable');
    expect(review.asksEmail).toBe(true);
    service.faults.set('POST /subscriptions', ['invalid_request']);
    review.pay('wrong');
    const wrong = await until(checkout, 'review');
    expect(wrong.problem?.code).toBe('invalid_email');
    if (wrong.payable) wrong.pay(' a@b.example ');
    const { subscription } = await until(checkout, 'complete');
    expect(subscription.wallet).toBe('payer-1');
    expect(service.calls.filter(({ body }) => body['email'] === 'a@b.example')).toHaveLength(1);
  });

  it('lists an account that the wallet adds while it is read', async () => {
    const { service, wallet, open } = world();
    const checkout = open();
    await reviewOf(checkout);
    const before = service.calls.length;
    wallet.switchTo('payer-2', 'payer-1');
    await vi.advanceTimersByTimeAsync(1_000);
    const review = await until(checkout, 'review');
    expect([review.wallet.address, review.accounts]).toEqual(['payer-1', ['payer-2', 'payer-1']]);
    expect(service.calls).toHaveLength(before);
    if (review.payable) review.pay();
    await until(checkout, 'complete');
  });

  it('goes back to the review with the other account when the wallet switches', async () => {
    const { service, wallet, open } = world();
    const checkout = open();
    await reviewOf(checkout);
    wallet.switchTo('payer-2');
    const other = await until(checkout, 'review');
    expect([other.wallet.address, other.problem?.code]).toEqual(['payer-2', 'account_changed']);
    wallet.thinks = 10_000;
    if (other.payable) other.pay();
    await until(checkout, 'signing_payment');
    await vi.advanceTimersByTimeAsync(500);
    wallet.switchTo('payer-3');
    const third = await until(checkout, 'review');
    expect(third.wallet.address).toBe('payer-3');
    await vi.advanceTimersByTimeAsync(20_000);
    // The transaction that the other account signed meanwhile is not sent.
    expect(service.calls.filter(({ route }) => route.endsWith('/submit'))).toEqual([]);
    wallet.switchTo();
    expect((await until(checkout, 'choosing_wallet')).problem?.code).toBe('wallet_locked');
  });
});

describe('a prompt of the wallet', () => {
  it.each([
    ['message', 'signing_terms', refused, 'wallet_refused'],
    ['transaction', 'signing_payment', refused, 'wallet_refused'],
    ['message', 'signing_terms', new Error('Ledger is busy'), 'wallet_failed'],
    ['transaction', 'signing_payment', new Error('Request was declined'), 'wallet_refused'],
  ] as const)('that fails at the %s is shown and repeated', async (question, name, answer, code) => {
    const { service, wallet, open } = world();
    wallet.script.set(question, [answer, answer]);
    const checkout = open();
    await pay(checkout);
    for (const _ of [1, 2]) {
      await untilTrue(() => checkout.state.name === name && checkout.state.step === 'refused');
      const state = await until(checkout, name);
      if (state.step !== 'refused') throw new Error('not refused');
      expect(state.problem).toMatchObject({ code, detail: answer.message });
      state.act();
    }
    await until(checkout, 'complete');
    expect(service.paid).toHaveLength(1);
  });

  it('can be left, and what is signed later is not sent', async () => {
    const { service, wallet, open } = world();
    wallet.thinks = 10_000;
    const checkout = open();
    await pay(checkout);
    await untilTrue(() => checkout.state.name === 'signing_payment' && checkout.state.step === 'waiting');
    (await until(checkout, 'signing_payment')).back();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([checkout.state.name, service.paid]).toEqual(['review', []]);
    const review = await until(checkout, 'review');
    if (review.payable) review.pay();
    await until(checkout, 'complete');
    // The terms are signed once: their signature is still good.
    expect(wallet.asked).toEqual(['connect', 'message', 'transaction', 'transaction']);
  });
});

/** Loads a page anew whose signed payment reached nobody, once its plan is not offered any more. */
async function reloadedWithoutPlan({ service, open }: Pick<ReturnType<typeof world>, 'service' | 'open'>) {
  service.faults.set(
    'POST /subscriptions/{id}/submit',
    Array.from({ length: 4 }, () => 'request lost' as const),
  );
  const first = open({ plan: 'pro' });
  await pay(first);
  await until(first, 'failed');
  first.destroy();
  service.plans.shift();
  return open({ plan: 'pro' });
}

describe('a payment', () => {
  it('that was signed too late is signed anew, with the same terms', async () => {
    const { wallet, service, open } = world();
    wallet.thinks = 70_000;
    const checkout = open();
    await pay(checkout);
    await untilTrue(() => wallet.asked.length === 3);
    wallet.thinks = 0;
    await untilTrue(() => service.paid.length === 1);
    await until(checkout, 'complete');
    expect(wallet.asked).toEqual(['connect', 'message', 'transaction', 'transaction']);
  });

  it('with terms that expired meanwhile has new ones signed', async () => {
    const { wallet, service, open } = world();
    wallet.thinks = 301_000;
    const checkout = open();
    await pay(checkout);
    await untilTrue(() => wallet.asked.filter((one) => one === 'transaction').length === 1);
    wallet.thinks = 0;
    await until(checkout, 'complete');
    expect(wallet.asked).toEqual(['connect', 'message', 'transaction', 'message', 'transaction']);
    expect(service.paid).toHaveLength(1);
  });

  it('refreshes terms that would expire before the wallet signs them', async () => {
    const { wallet, open } = world();
    const checkout = open();
    const review = await reviewOf(checkout);
    await vi.advanceTimersByTimeAsync(290_000);
    if (review.name === 'review' && review.payable) review.pay();
    await until(checkout, 'complete');
    expect(wallet.asked).toEqual(['connect', 'message', 'transaction']);
  });

  it.each(['before the wallet is asked', 'after it signed'])(
    'with terms that changed %s goes back to the review, which says what changed',
    async (when) => {
      const { wallet, service, open } = world();
      if (when === 'after it signed') wallet.thinks = 2_000;
      const checkout = open();
      await pay(checkout);
      if (when === 'after it signed')
        await untilTrue(() => checkout.state.name === 'signing_payment' && checkout.state.step === 'waiting');
      service.price = '12';
      const review = await until(checkout, 'review');
      expect(review).toMatchObject({ payable: true, problem: { code: 'terms_changed' } });
      expect(review).toHaveProperty('changes', [
        {
          name: 'amount',
          label: 'Amount',
          before: '9.99 USDC every 30 days',
          after: '12 USDC every 30 days',
        },
      ]);
      if (review.payable) review.pay();
      await until(checkout, 'complete');
      expect(service.paid).toHaveLength(1);
    },
  );

  it.each(['request lost', 'answer lost', 'internal_error'] as const)(
    'whose submit ends with "%s" is sent again with the same bytes',
    async (fault) => {
      const { service, open, storage } = world();
      service.faults.set(
        'POST /subscriptions/{id}/submit',
        Array.from({ length: 4 }, () => fault),
      );
      const checkout = open();
      await pay(checkout);
      const failed = await until(checkout, 'failed');
      expect(failed).toMatchObject({ problem: { code: 'submit_unanswered' }, chooseWallet: null });
      expect(storage.values.size).toBe(1);
      goBy(failed.act);
      await until(checkout, 'complete');
      const bytes = service.calls.flatMap(({ route, body }) =>
        route.endsWith('/submit') ? [body['transaction']] : [],
      );
      expect([new Set(bytes).size, service.paid.length]).toEqual([1, 1]);
    },
  );

  it('that has not landed is asked for again, with the same bytes', async () => {
    const { service, open } = world();
    service.landsAfter = 200_000;
    const checkout = open();
    await pay(checkout);
    await until(checkout, 'complete');
    expect(service.calls.filter(({ route }) => route.endsWith('/submit'))).toHaveLength(3);
    expect(service.violations).toEqual([]);
  });

  it('that expired on chain is made anew with new terms', async () => {
    const { service, wallet, open } = world();
    service.landsAfter = null;
    const checkout = open();
    await pay(checkout);
    await untilTrue(() => service.calls.some(({ route }) => route.endsWith('/submit')));
    service.landsAfter = 400;
    await until(checkout, 'complete');
    expect(wallet.asked).toEqual(['connect', 'message', 'transaction', 'message', 'transaction']);
    expect([service.paid.length, service.violations]).toEqual([1, []]);
  });

  it('is found when another tab made it', async () => {
    const { service, options, open, wallet } = world();
    const checkout = open();
    await reviewOf(checkout);
    const other = createCheckout({ ...options, storage: undefined });
    await pay(other);
    await until(other, 'complete');
    const review = await until(checkout, 'review');
    wallet.asked.length = 0;
    if (review.payable) review.pay();
    await until(checkout, 'complete');
    expect(service.paid).toHaveLength(1);
  });

  it('is made once by two tabs that know nothing of each other, whichever is faster', async () => {
    for (let pause = 0; pause <= 4_000; pause += 250) {
      const { service, wallet, options } = world();
      service.landsAfter = 3_000;
      wallet.thinks = 1_000;
      const tabs = [storageOf(), storageOf()].map((storage) => createCheckout({ ...options, storage }));
      const ends = tabs.map(async (tab, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * pause));
        return follow(tab);
      });
      const both = Promise.all(ends);
      await vi.advanceTimersByTimeAsync(5_000);
      const names = (await both).map(({ name }) => name);
      expect([pause, service.paid, names]).toEqual([pause, ['payer-1 pro'], ['complete', 'complete']]);
    }
  });

  it('is made in one tab at a time', async () => {
    const { open } = world();
    const held = new Set<string>();
    vi.stubGlobal('navigator', {
      locks: {
        request: async (name: string, _: object, run: (lock: unknown) => Promise<void> | undefined) => {
          if (held.has(name)) return run(null);
          held.add(name);
          await run({ name });
          held.delete(name);
        },
      },
    });
    held.add('subrail:chk_1');
    const checkout = open();
    await pay(checkout);
    const failed = await until(checkout, 'failed');
    expect(failed.problem.code).toBe('other_tab');
    held.clear();
    goBy(failed.act);
    const review = await until(checkout, 'review');
    if (review.payable) review.pay();
    await until(checkout, 'submitting');
    expect(held.size).toBe(1);
    await until(checkout, 'complete');
    await vi.advanceTimersByTimeAsync(0);
    expect(held.size).toBe(0);
    vi.unstubAllGlobals();
  });

  it('asks once for the lock of its tab, also when it is left and paid while the browser thinks', async () => {
    const { service, open } = world();
    let asked = 0;
    vi.stubGlobal('navigator', {
      locks: {
        request: async (_: string, __: object, run: (lock: unknown) => Promise<void> | undefined) => {
          asked += 1;
          const isFree = asked === 1;
          await new Promise((resolve) => setTimeout(resolve, 100));
          await run(isFree ? {} : null);
        },
      },
    });
    const checkout = open();
    await pay(checkout);
    (await until(checkout, 'signing_terms')).back();
    const review = await until(checkout, 'review');
    if (review.payable) review.pay();
    await until(checkout, 'complete');
    expect([asked, service.paid]).toEqual([1, ['payer-1 pro']]);
    vi.unstubAllGlobals();
  });

  it('takes the plan that is named', async () => {
    const { service, open } = world();
    const checkout = open({ plan: 'team' });
    await pay(checkout);
    await until(checkout, 'complete');
    expect([service.paid, PRO.slug]).toEqual([['payer-1 team'], 'pro']);
  });

  it('sells no other plan than the one that is named', async () => {
    const { service, open, options } = world();
    const failed = await until(open({ plan: 'typo' }), 'failed');
    expect(failed).toMatchObject({ problem: { code: 'plan_not_found', next: 'go_back' }, act: null });
    const linked = createCheckout({ ...options, session: undefined, link: 'lnk_1', plan: 'typo' });
    expect((await until(linked, 'failed')).problem.code).toBe('plan_not_found');
    const checkout = open();
    (await until(checkout, 'choosing_wallet')).choosePlan('typo');
    expect(checkout.state).toMatchObject({ plan: { slug: 'pro' }, problem: { code: 'plan_not_found' } });
    expect(service.calls.some(({ route }) => route === 'POST /subscriptions')).toBe(false);
  });

  it('that was signed is sent, also once the session has other plans', async () => {
    const reloaded = await reloadedWithoutPlan(world());
    expect((await until(reloaded, 'submitting')).plan).toBe(null);
    expect(await until(reloaded, 'complete')).toMatchObject({ plan: null, subscription: { plan: 'pro' } });
  });

  it('that is over sells no other plan than the one that it was for', async () => {
    const slow = world();
    slow.wallet.thinks = 70_000;
    const reloaded = await reloadedWithoutPlan(slow);
    expect((await until(reloaded, 'failed', 'choosing_wallet')).problem?.code).toBe('plan_not_found');
  });

  it('takes the plan that another page names, unless a payment of the one before is on its way', async () => {
    const { service, open } = world();
    const first = open({ plan: 'pro' });
    const review = await reviewOf(first);
    if (review.name === 'review') review.choosePlan('team');
    expect((await until(first, 'review')).plan.slug).toBe('team');
    first.destroy();
    const reloaded = open({ plan: 'pro' });
    expect((await until(reloaded, 'review')).plan.slug).toBe('team');
    reloaded.destroy();
    for (const [named, slug] of [
      ['team', 'team'],
      ['pro', 'pro'],
      [undefined, 'pro'],
      ['team', 'team'],
    ] as const) {
      const other = open({ plan: named });
      expect([named, (await until(other, 'review')).plan.slug]).toEqual([named, slug]);
      other.destroy();
    }
    service.faults.set(
      'POST /subscriptions/{id}/submit',
      Array.from({ length: 4 }, () => 'request lost' as const),
    );
    const paying = open({ plan: 'team' });
    await pay(paying);
    await until(paying, 'failed');
    paying.destroy();
    await until(open({ plan: 'pro' }), 'complete');
    expect(service.paid).toEqual(['payer-1 team']);
  });
});

describe('a change of plan', () => {
  /** A session that lists none of its subscriptions, of which one runs. */
  function withOlder() {
    const made = world();
    const { service } = made;
    service.subscriptions.set('sub_old', subscriptionOf('sub_old', { plan: 'team' }));
    service.session = { state: 'open', subscriptions: [] };
    const created = () =>
      service.calls
        .filter(({ route }) => route === 'POST /subscriptions')
        .map(({ body: { plan, replaces } }) => ({ plan, replaces }));
    return { ...made, created };
  }

  it('replaces a subscription that is older than those of the session', async () => {
    const { service, open, created } = withOlder();
    const checkout = open({ plan: 'pro', replaces: 'sub_old' });
    expect((await until(checkout, 'choosing_wallet')).session.replaces).toBe('team');
    await pay(checkout);
    await until(checkout, 'complete');
    expect([created(), service.paid]).toEqual([[{ plan: 'pro', replaces: 'sub_old' }], ['payer-1 pro']]);
  });

  it('is no payment when the subscription to be replaced cannot be read', async () => {
    const { service, open, created } = withOlder();
    const unknown = await follow(open({ plan: 'pro', replaces: 'sub_unknown' }));
    expect(unknown).toMatchObject({ name: 'failed', problem: { code: 'subscription_not_found' } });
    service.faults.set('GET /subscriptions/{id}', ['session_expired']);
    const refused = await follow(open({ plan: 'pro', replaces: 'sub_old' }));
    expect(refused).toMatchObject({ name: 'failed', problem: { code: 'session_expired' } });
    expect([created(), service.paid]).toEqual([[], []]);
  });

  it('that was refused for good is not kept', async () => {
    const { service, storage, open } = withOlder();
    service.faults.set('POST /subscriptions/{id}/submit', ['not_replaceable']);
    const checkout = open({ plan: 'pro', replaces: 'sub_old' });
    await pay(checkout);
    const failed = await until(checkout, 'failed');
    expect(failed).toMatchObject({ problem: { code: 'not_replaceable', next: 'open_portal' }, act: null });
    expect(failed.chooseWallet).not.toBeNull();
    expect([...storage.values.values()].join()).toContain('"transaction":null');
  });

  it('that waits for another one is sent again as it was signed', async () => {
    const { service, wallet, open } = withOlder();
    const held = Array.from({ length: 4 }, () => 'change_in_flight' as const);
    service.faults.set('POST /subscriptions/{id}/submit', held);
    const checkout = open({ plan: 'pro', replaces: 'sub_old' });
    await pay(checkout);
    const { problem, act, chooseWallet } = await until(checkout, 'failed');
    expect([problem.code, problem.next, chooseWallet]).toEqual(['change_in_flight', 'wait', null]);
    goBy(act);
    await until(checkout, 'complete');
    expect([wallet.asked, service.violations]).toEqual([['connect', 'message', 'transaction'], []]);
  });

  it('stays one when what was sent is over, though what it replaces cannot be read any more', async () => {
    const { service, open, created } = withOlder();
    const lost = Array.from({ length: 4 }, () => 'request lost' as const);
    service.faults.set('POST /subscriptions/{id}/submit', [...lost, { reason: 'transaction_failed' }]);
    const first = open({ plan: 'pro', replaces: 'sub_old' });
    await pay(first);
    await until(first, 'failed');
    first.destroy();
    service.faults.set('GET /subscriptions/{id}', ['session_expired']);
    expect((await follow(open({ plan: 'pro', replaces: 'sub_old' }))).name).toBe('complete');
    const change = { plan: 'pro', replaces: 'sub_old' };
    expect([created(), service.paid]).toEqual([[change, change], ['payer-1 pro']]);
  });
});

it('follows every refusal of its calls to a payment or an honest end', async () => {
  const { service, open } = world();
  service.session = { plans: [] };
  const ended = await follow(open());
  expect(ended).toMatchObject({ name: 'failed', problem: { code: 'plan_not_found' }, act: null });
});
