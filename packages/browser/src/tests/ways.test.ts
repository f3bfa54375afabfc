import type { ErrorCode } from '@subrail/core';
import type { CustomerSession } from '@subrail/core/schemas';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCheckout } from '../checkout.js';
import { GERMAN } from '../elements/german.js';
import type { MachineOptions } from '../options.js';
import { createPortal } from '../portal.js';
import { goBy, reviewOf, until, world } from './drive.js';
import { subscriptionOf } from './fake-service.js';

// The part that is loaded when it is needed takes time that no fake clock moves.
beforeAll(() => import('../acting.js'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page on which a call is refused. */
function refusing(route: string, code: ErrorCode, session: Partial<CustomerSession> = {}) {
  const page = world();
  page.service.session = session;
  page.service.faults.set(route, [code]);
  return page;
}

const PLACES = { login: '/login', portal: '/account' };
const BACK = { back_url: 'https://acme.example/' };
const SHOW = 'Show my subscriptions';

describe('a problem of a checkout', () => {
  it.each<readonly [ErrorCode, MachineOptions, Partial<CustomerSession>, string | null, string]>([
    ['plan_sunset', {}, BACK, 'https://acme.example/', 'Back to Acme'],
    ['plan_sunset', { language: GERMAN }, BACK, 'https://acme.example/', 'Zurück zu Acme'],
    ['plan_sunset', PLACES, {}, null, 'Go back'],
    ['already_subscribed', PLACES, BACK, '/account', SHOW],
    ['already_subscribed', {}, BACK, 'https://acme.example/', 'Back to Acme'],
    // An address that runs a script is no way, nor one that cannot be read.
    ['already_subscribed', { portal: 'javascript:alert(1)' }, {}, null, SHOW],
    ['already_subscribed', { portal: ' java\nscript:alert(1)' }, {}, null, SHOW],
    ['already_subscribed', { portal: 'https://[' }, {}, null, SHOW],
  ])('%s leads to its place, case %#', async (code, options, session, act, label) => {
    const failed = await reviewOf(refusing('POST /subscriptions', code, session).open(options));
    expect(failed).toMatchObject({ name: 'failed', act, problem: { label } });
  });

  it('leads to the log-in of the app, and without one looks again who is there', async () => {
    const page = refusing('GET /session', 'not_logged_in');
    const known = await until(page.open(PLACES), 'failed');
    expect([known.act, known.problem.label]).toEqual(['/login', 'Log in']);
    page.service.faults.set('GET /session', ['not_logged_in']);
    const checkout = page.open();
    const unknown = await until(checkout, 'failed');
    expect(unknown.problem.label).toBe('Check again');
    goBy(unknown.act);
    await until(checkout, 'choosing_wallet');
  });

  it('leads nowhere by a click that comes late or twice', async () => {
    const page = refusing('GET /session', 'not_logged_in');
    const checkout = page.open();
    const unknown = await until(checkout, 'failed');
    expect(unknown.act).toBe(unknown.act);
    const looks = () => page.service.calls.filter(({ route }) => route === 'GET /session').length;
    goBy(unknown.act);
    const { act } = unknown;
    goBy(act);
    expect(looks()).toBe(2);
    const choosing = await until(checkout, 'choosing_wallet');
    goBy(act);
    expect([checkout.state, looks()]).toEqual([choosing, 2]);
    let opened = 0;
    const other = refusing('POST /subscriptions', 'already_subscribed').open({ portal: () => (opened += 1) });
    const failed = await reviewOf(other);
    other.destroy();
    goBy(failed.act);
    expect(opened).toBe(0);
  });

  it('leads to where the page says it is by then', async () => {
    const page = world();
    page.service.subscriptions.set('sub_1', subscriptionOf('sub_1'));
    let portal = '/account';
    const checkout = createCheckout({
      ...page.options,
      plan: 'pro',
      get portal() {
        return portal;
      },
    });
    const failed = await until(checkout, 'failed');
    portal = '/account#chs_1';
    expect(failed.act).toBe('/account#chs_1');
  });

  it('leads to the subscriptions beside the price, for a customer who pays for the plan already', async () => {
    const page = world();
    page.service.subscriptions.set('sub_1', subscriptionOf('sub_1', { wallet: 'payer-9' }));
    const checkout = page.open(PLACES);
    (await until(checkout, 'choosing_wallet')).choosePlan('pro');
    const choosing = await until(checkout, 'choosing_wallet');
    expect([choosing.act, choosing.problem?.label]).toEqual(['/account', SHOW]);
    const review = await reviewOf(checkout);
    if (review.name === 'review') review.choosePlan('pro');
    expect(await until(checkout, 'review')).toMatchObject({ payable: true, act: '/account' });
  });
});

describe('a problem of a portal', () => {
  it.each<readonly [ErrorCode, MachineOptions, string | null, string]>([
    ['not_logged_in', PLACES, '/login', 'Log in'],
    ['invalid_session', PLACES, '/account', SHOW],
    ['invalid_session', {}, null, 'Go back'],
  ])('%s with %j leads to %s', async (code, options, act, label) => {
    const { options: own } = refusing('GET /session', code);
    const failed = await until(createPortal({ ...own, ...options }), 'failed');
    expect([failed.act, failed.problem.label]).toEqual([act, label]);
  });

  it('whose time is over leads back to the project, and beside its list too', async () => {
    const page = world();
    page.service.session = { kind: 'portal', state: 'expired', ...BACK };
    expect((await until(createPortal(page.options), 'failed')).act).toBe('https://acme.example/');
    page.service.session = { kind: 'portal', ...BACK };
    const portal = createPortal(page.options);
    const ready = await until(portal, 'ready');
    page.service.session = { kind: 'portal', state: 'expired', ...BACK };
    ready.refresh();
    await vi.advanceTimersByTimeAsync(100);
    expect(portal.state).toMatchObject({ act: 'https://acme.example/', problem: { label: 'Back to Acme' } });
  });

  it('in its checkout leads back to it', async () => {
    const page = refusing('POST /subscriptions', 'subscription_stopped', { kind: 'portal' });
    const portal = createPortal(page.options);
    (await until(portal, 'ready')).subscribe('pro');
    const stopped = await reviewOf((await until(portal, 'checkout')).checkout);
    if (stopped.name !== 'failed') throw new Error('It did not fail.');
    expect(stopped.problem.label).toBe(SHOW);
    goBy(stopped.act);
    const ready = await until(portal, 'ready');
    page.service.faults.set('GET /session', ['not_logged_in']);
    ready.subscribe('pro');
    const unknown = await until((await until(portal, 'checkout')).checkout, 'failed');
    expect(unknown.problem.label).toBe('Check again');
    goBy(unknown.act);
    await until(portal, 'ready');
  });
});
