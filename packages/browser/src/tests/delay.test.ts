import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createPortal } from '../portal.js';
import { pay, until, untilTrue, world } from './drive.js';
import { type Fault, subscriptionOf } from './fake-service.js';

// The part that is loaded when it is needed takes time that no fake clock moves.
beforeAll(() => import('../acting.js'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const DELAY = 'The service does not answer yet. This page asks it again.';

/** The states and their delays, as a page hears of them. */
function heard(machine: {
  readonly state: { readonly name: string; readonly step?: string; readonly delay: string | null };
  subscribe(listener: () => void): unknown;
}) {
  const told: string[] = [];
  machine.subscribe(() => {
    const { name, step, delay } = machine.state;
    const line = `${step ?? name}${delay === null ? '' : `: ${delay}`}`;
    if (line !== told.at(-1)) told.push(line);
  });
  return told;
}

const LOST: readonly Fault[] = ['request lost', 'request lost'];

it('a checkout says in every wait that the service does not answer, from the second try to the answer', async () => {
  const { service, open } = world();
  for (const route of [
    'session',
    'subscriptions',
    'subscriptions/{id}/transaction',
    'subscriptions/{id}/submit',
  ])
    service.faults.set(`${route === 'session' ? 'GET' : 'POST'} /${route}`, [...LOST]);
  const checkout = open();
  const told = heard(checkout);
  await pay(checkout);
  await until(checkout, 'complete');
  expect(told).toEqual([
    `loading: ${DELAY}`,
    'loading',
    'choosing_wallet',
    'connecting',
    'loading',
    `loading: ${DELAY}`,
    'loading',
    'review',
    'preparing',
    'waiting',
    'preparing',
    `preparing: ${DELAY}`,
    'preparing',
    'waiting',
    'submitting',
    `submitting: ${DELAY}`,
    'submitting',
    'complete',
  ]);
});

it('a portal says so while it reads and while it acts, and not before the second try', async () => {
  const page = world();
  page.service.session = { kind: 'portal' };
  page.service.subscriptions.set('sub_1', subscriptionOf('sub_1'));
  page.service.faults.set('GET /session', ['request lost']);
  page.service.faults.set('POST /subscriptions/{id}/cancel', ['request lost']);
  const portal = createPortal(page.options);
  const told = heard(portal);
  await vi.advanceTimersByTimeAsync(499);
  expect(told).toEqual([]);
  (await until(portal, 'ready')).cancel('sub_1');
  const choosing = await until(portal, 'choosing_wallet');
  const [wallet] = choosing.wallets;
  if (wallet !== undefined) choosing.connect(wallet);
  await until(portal, 'ready');
  expect(told.slice(0, 8)).toEqual([
    `loading: ${DELAY}`,
    'loading',
    'ready',
    'choosing_wallet',
    'connecting',
    'preparing',
    `preparing: ${DELAY}`,
    'preparing',
  ]);
});

it('a checkout says at once that the service asks for a longer wait', async () => {
  const { service, open } = world();
  service.faults.set('GET /session', ['unavailable']);
  const checkout = open();
  await untilTrue(() => service.calls.length === 1);
  await vi.advanceTimersByTimeAsync(499);
  expect(checkout.state).toMatchObject({ name: 'loading', delay: DELAY });
  expect((await until(checkout, 'choosing_wallet')).delay).toBe(null);
  expect(service.calls).toHaveLength(2);
});

it('a customer who leaves a wait reads nothing of it, and its back works while it is told', async () => {
  const { service, open } = world();
  service.faults.set('POST /subscriptions/{id}/transaction', [...LOST, ...LOST]);
  const checkout = open();
  await pay(checkout);
  await untilTrue(() => checkout.state.delay !== null);
  (await until(checkout, 'signing_payment')).back();
  const review = await until(checkout, 'review');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([review.delay, checkout.state]).toEqual([null, review]);
});
