import { ERRORS, type ErrorCode } from '@subrail/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Checkout } from '../checkout.js';
import { follow, until, world } from './drive.js';
import type { Fault } from './fake-service.js';
import { FakeWallet } from './fake-wallets.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page whose steps are counted: each call and each question to the wallet, before and after. */
function counted() {
  const wallet = new FakeWallet();
  const made = world(wallet);
  let steps = 0;
  let killAt = Infinity;
  let kill: () => void = () => undefined;
  const step = () => {
    steps += 1;
    if (steps === killAt) kill();
  };
  made.service.onStep = step;
  wallet.onStep = step;
  return {
    ...made,
    steps: () => steps,
    /** Ends the page at a step, as a reload or a crash does. */
    async runUntil(at: number) {
      let checkout: Checkout | null = null;
      let isKilled = false;
      killAt = at;
      kill = () => {
        isKilled = true;
        checkout?.destroy();
      };
      checkout = made.open();
      // The first call is made while it is opened.
      if (steps >= at) checkout.destroy();
      await follow(checkout, () => isKilled);
      killAt = Infinity;
      return isKilled;
    },
  };
}

const SUBMIT = 'POST /subscriptions/{id}/submit';

/** The accidents that can happen to the submits of a payment. */
const FAULTS: readonly (readonly (Fault | null)[])[] = [
  [],
  ['answer lost'],
  ['request lost'],
  ['answer lost', 'answer lost', 'request lost', 'answer lost', 'internal_error'],
  [{ reason: 'nothing_landed' }],
  [{ reason: 'transaction_failed' }],
  [{ reason: 'transaction_expired' }],
  ['network_unavailable', 'subscription_changed', 'answer lost'],
  ['transaction_expired'],
  ['terms_expired', 'not_our_transaction'],
];

describe('a page that is closed at any step, and opened again', () => {
  it.each(FAULTS.map((faults) => [JSON.stringify(faults), faults] as const))(
    'pays once when the submits meet %s',
    async (_, faults) => {
      for (let at = 1; ; at += 1) {
        const page = counted();
        page.service.faults.set(SUBMIT, [...faults]);
        const isKilled = await page.runUntil(at);
        if (!isKilled) {
          expect(at).toBeGreaterThan(10);
          break;
        }
        const end = await follow(page.open());
        const seen = { at, name: end.name, paid: page.service.paid, violations: page.service.violations };
        expect(seen).toEqual({ at, name: 'complete', paid: ['payer-1 pro'], violations: [] });
      }
    },
  );

  it('pays once when it is closed twice, at any two steps', async () => {
    for (let first = 1; first < 22; first += 1)
      for (let second = 1; second < 16; second += 3) {
        const page = counted();
        await page.runUntil(first);
        await page.runUntil(page.steps() + second);
        const end = await follow(page.open());
        expect([first, second, end.name, page.service.paid, page.service.violations]).toEqual([
          first,
          second,
          'complete',
          ['payer-1 pro'],
          [],
        ]);
      }
  });

  it('pays once when every third answer is lost', async () => {
    for (let at = 1; at < 30; at += 1) {
      const page = counted();
      let calls = 0;
      const { fetch: reached } = page.service;
      const fetch: typeof reached = async (input, init) => {
        calls += 1;
        const isLost = calls % 3 === 0;
        const answer = await reached(input, init);
        if (isLost) throw new TypeError('network lost');
        return answer;
      };
      Object.assign(page.service, { fetch });
      await page.runUntil(at);
      const end = await follow(page.open());
      expect([at, end.name, page.service.paid]).toEqual([at, 'complete', ['payer-1 pro']]);
    }
  });

  it('does not ask the wallet again for terms that it signed', async () => {
    const page = counted();
    page.wallet.thinks = 5_000;
    const checkout = page.open();
    await follow(checkout, () => page.wallet.asked.includes('transaction'));
    checkout.destroy();
    await follow(page.open());
    expect(page.wallet.asked.filter((question) => question === 'message')).toHaveLength(1);
    expect(page.service.paid).toHaveLength(1);
  });

  it('says what changed of the terms that were signed before', async () => {
    const page = counted();
    page.wallet.thinks = 5_000;
    const checkout = page.open();
    await follow(checkout, () => page.wallet.asked.includes('transaction'));
    checkout.destroy();
    page.service.price = '12';
    const again = page.open();
    const review = await until(again, 'review');
    expect(review).toHaveProperty('changes.0.after', '12 USDC every 30 days');
    await follow(again);
    expect(page.service.paid).toHaveLength(1);
  });

  it('needs no wallet for a payment that was signed', async () => {
    const page = counted();
    page.service.faults.set(SUBMIT, ['request lost', 'request lost', 'request lost', 'request lost']);
    const checkout = page.open();
    await follow(checkout, () => checkout.state.name === 'failed');
    checkout.destroy();
    const questions = page.wallet.asked.length;
    const again = page.open({ wallets: { get: () => [], on: () => () => undefined } });
    await follow(again);
    expect([again.state.name, page.wallet.asked.length]).toEqual(['complete', questions]);
  });

  it('goes on with a signed payment when the time of the session is over', async () => {
    const page = counted();
    page.service.faults.set(SUBMIT, ['request lost', 'request lost', 'request lost', 'request lost']);
    const checkout = page.open();
    await follow(checkout, () => checkout.state.name === 'failed');
    checkout.destroy();
    page.service.session = { state: 'expired' };
    expect((await follow(page.open())).name).toBe('complete');
  });
});

describe('a refusal of the submit', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];

  it.each(codes)(
    '%s leads to a payment, or to an end with a next step, and never to two payments',
    async (code) => {
      const page = counted();
      page.service.faults.set(SUBMIT, [code, 'answer lost']);
      const end = await follow(page.open());
      expect(page.service.violations).toEqual([]);
      expect(page.service.paid.length).toBe(end.name === 'complete' ? 1 : 0);
      if (end.name === 'failed') expect(end.problem.sentence).not.toBe('');
    },
  );
});

describe.each(['POST /subscriptions', 'POST /subscriptions/{id}/transaction', 'GET /session'])(
  'a refusal of %s',
  (route) => {
    it.each(Object.keys(ERRORS) as ErrorCode[])('%s is shown, and followed', async (code) => {
      const page = counted();
      page.service.faults.set(route, [code]);
      const end = await follow(page.open());
      expect(page.service.paid.length).toBe(end.name === 'complete' ? 1 : 0);
      if (end.name !== 'complete') expect(end).toMatchObject({ name: 'failed', problem: { code } });
    });
  },
);
