// Heavy: every route of the contract is called twice, each on its own service.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { openApiDocument } from '@subrail/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  MONTH,
  type Action,
  actionsOf,
  issueCheckout,
  missSecondMonth,
  openTestWorld,
  PRICE,
  signCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { readEveryRow, type Rows } from './every-row.js';

let folder: string;
let file: string;
let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-repeated-calls-'));
  file = join(folder, 'subrail.sqlite');
  world = await openTestWorld({ store: 'sqlite', path: file });
  wallet = await world.wallet(10n * PRICE);
});

afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/**
 * The columns that a repeated build refreshes: the transaction, and how long its checkout waits
 * (checkout#repeated-create-is-idempotent, checkout#checkout-lifetime).
 */
const REFRESHED = ['version', 'built', 'checkout_expires_at', 'wake_at'];

/** The rows without some columns of a table. */
const without = (columns: readonly string[], rows: Rows[string] = []) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))));

const withoutRefreshedColumns = (stored: Rows): Rows => ({
  ...stored,
  subscriptions: without(REFRESHED, stored['subscriptions']),
  subscription_dates: without(REFRESHED, stored['subscription_dates']),
});

interface Request {
  readonly path: string;
  readonly body?: object;
}

const subscribed = async () => `/subscriptions/${await world.subscribe(wallet)}`;

const actionsOn = (subscription: string) =>
  actionsOf(world, wallet, subscription.replace('/subscriptions/', ''));

/** Builds an action, signs it as the wallet, sends it, and returns the request that confirms it. */
async function sentAction(subscription: string, action: Action): Promise<Request> {
  const signature = await actionsOn(subscription).sent(action);
  return { path: `${subscription}/${action}/confirm`, body: { signature } };
}

async function afterAction(subscription: string, action: Action): Promise<string> {
  await actionsOn(subscription).act(action);
  return subscription;
}

async function endedSubscription(): Promise<string> {
  const subscription = await afterAction(await subscribed(), 'cancel');
  world.advance(MONTH);
  await world.work();
  return subscription;
}

/** Each route, with a function that prepares its first call. */
const ROUTES: Record<string, () => Promise<Request>> = {
  'GET /v1/access': async () => {
    await subscribed();
    return { path: `/access?wallet=${wallet.address}&plan=pro&attempts=true` };
  },
  'GET /v1/project': () => Promise.resolve({ path: '/project' }),
  'GET /v1/plans': () => Promise.resolve({ path: '/plans' }),
  'GET /v1/plans/{slug}': () => Promise.resolve({ path: '/plans/pro' }),
  'POST /v1/subscriptions': () =>
    Promise.resolve({
      path: '/subscriptions',
      body: { plan: 'pro', wallet: wallet.address, external_id: 'customer-1', email: 'reader@mail.example' },
    }),
  'POST /v1/subscriptions/{id}/transaction': async () => {
    const { subscription } = await issueCheckout(world, wallet);
    return { path: `/subscriptions/${subscription.id}/transaction` };
  },
  'POST /v1/subscriptions/{id}/submit': async () => {
    const checkout = await issueCheckout(world, wallet);
    return {
      path: `/subscriptions/${checkout.subscription.id}/submit`,
      body: await signCheckout(wallet, checkout),
    };
  },
  'GET /v1/subscriptions': async () => {
    await subscribed();
    return { path: `/subscriptions?wallet=${wallet.address}` };
  },
  'GET /v1/subscriptions/{id}': async () => ({ path: await subscribed() }),
  'GET /v1/subscriptions/{id}/attempts': async () => ({ path: `${await subscribed()}/attempts` }),
  'POST /v1/subscriptions/{id}/retry': async () => ({
    path: `/subscriptions/${await missSecondMonth(world, wallet, 0)}/retry`,
  }),
  'POST /v1/subscriptions/{id}/cancel': async () => ({ path: `${await subscribed()}/cancel` }),
  'POST /v1/subscriptions/{id}/cancel/confirm': async () => sentAction(await subscribed(), 'cancel'),
  'POST /v1/subscriptions/{id}/resume': async () => ({
    path: `${await afterAction(await subscribed(), 'cancel')}/resume`,
  }),
  'POST /v1/subscriptions/{id}/resume/confirm': async () =>
    sentAction(await afterAction(await subscribed(), 'cancel'), 'resume'),
  'POST /v1/subscriptions/{id}/close': async () => ({ path: `${await endedSubscription()}/close` }),
  'POST /v1/subscriptions/{id}/close/confirm': async () => sentAction(await endedSubscription(), 'close'),
  'GET /v1/events': async () => {
    await subscribed();
    return { path: '/events' };
  },
  'GET /v1/events/{id}': async () => {
    await subscribed();
    const [event] = await world.storedEvents();
    return { path: `/events/${String(event?.id)}` };
  },
};

const BUILDS = Object.keys(ROUTES).filter((route) =>
  /^POST .*(subscriptions|transaction|cancel|resume|close)$/.test(route),
);
const READS_AND_SETTLES = Object.keys(ROUTES).filter((route) => !BUILDS.includes(route));

/** Calls a route twice, a second apart; returns each answer with the rows that were stored after it. */
async function callTwice(route: string) {
  const { path, body } = (await ROUTES[route]?.()) ?? { path: route };
  const call = async () => {
    world.advance(1000);
    const answer = await world.call(route.startsWith('GET') ? 'GET' : 'POST', path, body);
    const rows = await readEveryRow(file);
    // No call waits until the last use of its key is stored.
    const stored: Rows = { ...rows, api_keys: without(['last_used_at'], rows['api_keys']) };
    return { answer, stored };
  };
  const calls = { first: await call(), second: await call() };
  expect(calls.first.answer.status).toBeLessThan(300);
  expect(calls.second.answer.status).toBe(calls.first.answer.status);
  return calls;
}

// requests#idempotent-calls
it('every route of the contract is called twice in this file', () => {
  const { paths } = openApiDocument();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(Object.keys(ROUTES).toSorted()).toEqual(routes.toSorted());
});

it.each(READS_AND_SETTLES)(
  '%s, called twice, answers the same and stores what one call stores',
  async (route) => {
    const { first, second } = await callTwice(route);
    expect(second.answer.body).toEqual(first.answer.body);
    expect(second.stored).toEqual(first.stored);
  },
);

it.each(BUILDS)(
  '%s, called twice, stores what one call stores, apart from a fresh transaction',
  async (route) => {
    const { first, second } = await callTwice(route);
    expect(second.answer.body['terms']).toEqual(first.answer.body['terms']);
    expect(second.answer.body['transaction']).not.toBe(first.answer.body['transaction']);
    expect(withoutRefreshedColumns(second.stored)).toEqual(withoutRefreshedColumns(first.stored));
    expect(JSON.stringify(second.stored['subscriptions'])).toContain(
      String(second.answer.body['transaction']),
    );
  },
);
