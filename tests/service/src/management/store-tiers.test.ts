import { createHandler, isServiceError } from '@subrail/core';
import { createManager, isApiError } from '@subrail/core/client';
import type { FullStore, FullStoreOperations, StoreCapability } from '@subrail/core/ports';
import { RecordingMailer, RecordingSender, withCapabilities } from '@subrail/core/testing';
import {
  actionsOf,
  aroundStore,
  createCheckout,
  freshTransaction,
  issueCheckout,
  MONTH,
  openTestWorld,
  PRICE,
  signCheckout,
  type TestWorld,
} from '@subrail/test-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FROM } from '../mails/mail-world.js';
import { CALLS } from './management-calls.js';

const EVERY: readonly StoreCapability[] = [
  'WalletStore',
  'SessionStore',
  'ManagementStore',
  'ReportStore',
  'FigureStore',
  'MailStore',
  'RetentionStore',
];

const refusalOf = (capability: string) =>
  `The store of this service lacks ${capability}, so it cannot do this. Ask whoever runs the service to add that to the store.`;

/** The methods that read, or claim nothing but work. */
const READING = /^(find|list|count|next|search|claim)/;

/** The store, which adds to a list each method that wrote, when its transaction was not undone. */
function recordingWrites(store: FullStore, wrote: string[]): FullStore {
  const transaction: FullStore['transaction'] = async (work) => {
    const written: string[] = [];
    const answer = await store.transaction((operations) => work(recorded(operations, written)));
    wrote.push(...written);
    return answer;
  };
  return recorded({ ...store, transaction }, wrote);
}

function recorded<Operations extends FullStoreOperations>(
  operations: Operations,
  wrote: string[],
): Operations {
  return aroundStore(operations, async (name, call) => {
    const answer = await call();
    if (!READING.test(name) && name !== 'transaction') wrote.push(name);
    return answer;
  });
}

describe('what a store lacks', () => {
  let world: TestWorld;
  const wrote: string[] = [];

  beforeAll(async () => {
    world = await openTestWorld({
      ports: {
        sender: new RecordingSender(),
        mailer: new RecordingMailer(),
        prices: { usd: async () => '1.00' },
        settings: { privateTargets: ['hooks.example.com'], mailFrom: FROM },
      },
    });
    // The document of management is served once a key exists.
    await world.billing.management.createKey({ name: 'Dashboard', access: 'read' });
    await world.subscribe(await world.wallet(50_000_000n), 'reader');
  });
  afterAll(() => world.close());

  /** The service on a store with these capabilities only. */
  const hostWith = (capabilities: readonly StoreCapability[]) =>
    world.host(withCapabilities(recordingWrites(world.store, wrote), capabilities) as FullStore).billing;

  // management#what-a-store-lacks
  it.each(CALLS)('%s works without it, or answers one error', async (_, call, needs) => {
    const billing = hostWith([]);
    wrote.length = 0;
    const answer = await call({ world, manager: billing, shop: billing.project(world.projectId) }).catch(
      (error: unknown) => error,
    );
    if (needs === 'Store') {
      expect(answer).not.toBeInstanceOf(Error);
      return;
    }
    expect(answer).toMatchObject({ code: 'not_supported', status: 501, retryable: false });
    expect(isServiceError(answer, 'not_supported') && answer.message).toBe(refusalOf(needs));
    // No more is written than by the functions with which the call prepares itself.
    expect(wrote.filter((method) => !/^insert(Project|ApiKey|Endpoint)$/.test(method))).toEqual([]);
    expect(wrote.length).toBeLessThanOrEqual(1);
  });

  // management#what-a-store-lacks
  it.each(CALLS.filter(([, , needs]) => needs === 'ReportStore'))(
    'is the error of %s over HTTP too',
    async (_, call) => {
      const billing = hostWith(EVERY.filter((capability) => capability !== 'ReportStore'));
      const { key } = await billing.management.createKey({ name: 'Dashboard', access: 'write' });
      const manager = createManager({ url: 'https://billing.test', key, fetch: billing.handler });
      const shop = manager.project(world.projectId);
      const answer: unknown = await call({ world, manager, shop }).catch((error: unknown) => error);
      expect(answer).toMatchObject({ status: 501, message: refusalOf('ReportStore') });
      expect(isApiError(answer, 'not_supported')).toBe(true);
    },
  );

  // management#what-a-store-lacks
  it('is the error of every route of wallets, and nothing is under /manage without management keys', async () => {
    const handler = createHandler(hostWith([]), { walletRoutes: true });
    const headers = { Authorization: `Bearer SUBM_${'k'.repeat(43)}` };
    const transaction = 'AA==';
    const signature = '1'.repeat(64);
    const bodies: Readonly<Record<string, object | null>> = {
      '/wallet/v1/{wallet}/subscriptions': null,
      '/wallet/v1/{wallet}/subscriptions/{id}/transaction': { action: 'cancel' },
      '/wallet/v1/{wallet}/subscriptions/{id}/submit': { transaction },
      '/wallet/v1/{wallet}/subscriptions/{id}/confirm': { action: 'cancel', signature },
    };
    const document = await handler(new Request('https://billing.test/wallet/openapi.json'));
    const { paths } = (await document.json()) as { paths: object };
    expect(Object.keys(bodies)).toEqual(expect.arrayContaining(Object.keys(paths)));
    for (const path of ['/manage/v1/projects', '/manage/openapi.json'])
      expect((await handler(new Request(`https://billing.test${path}`, { headers }))).status).toBe(404);
    for (const [path, body] of Object.entries(bodies)) {
      const url = path.replace('{wallet}', world.owner.address).replace('{id}', 'sub_1');
      const answer = await handler(
        new Request(`https://billing.test${url}`, {
          headers: { ...headers, 'Content-Type': 'application/json' },
          ...(body !== null && { method: 'POST', body: JSON.stringify(body) }),
        }),
      );
      const message = refusalOf('WalletStore');
      expect([path, answer.status, await answer.json()]).toMatchObject([
        ...[path, 501, { code: 'not_supported', message }],
      ]);
    }
  });

  // checkout-sessions#store-without-sessions
  it('is the error of every route of checkouts, portals and links', async () => {
    const handler = createHandler(hostWith(EVERY.filter((capability) => capability !== 'SessionStore')));
    const { key } = await world.billing.project(world.projectId).keys.create();
    const bodies: Readonly<Record<string, object | null>> = {
      'POST /checkout/v1/sessions': { plan: 'unknown' },
      'GET /checkout/v1/sessions/{id}': null,
      'POST /portal/v1/sessions': { subscription: 'sub_unknown' },
      'POST /checkout/v1/links': { plan: 'unknown' },
      'GET /checkout/v1/links': null,
      'POST /checkout/v1/links/{id}/end': null,
    };
    const document = await handler(new Request('https://billing.test/checkout/openapi.json'));
    const { paths } = (await document.json()) as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(Object.keys(bodies)).toEqual(expect.arrayContaining(routes));
    for (const [route, body] of Object.entries(bodies)) {
      const [method = '', path = ''] = route.split(' ');
      const answer = await handler(
        new Request(`https://billing.test${path.replace('{id}', 'any')}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          ...(body !== null && { body: JSON.stringify(body) }),
        }),
      );
      const message = refusalOf('SessionStore');
      expect([route, answer.status, await answer.json()]).toMatchObject([
        ...[route, 501, { code: 'not_supported', message }],
      ]);
    }
  });

  // management#what-a-store-lacks
  it('is said once at the start, and by /health', async () => {
    const before = world.log.entries.length;
    const billing = hostWith(['ReportStore', 'ManagementStore']);
    const said = world.log.entries.slice(before).map(({ level, message }) => `${level}: ${message}`);
    expect(said).toEqual([
      'warn: The store lacks WalletStore. The service goes without the routes of wallets and a cancel page over them.',
      'warn: The store lacks SessionStore. The service goes without the sessions of the checkout and the portal, and plan links.',
      'warn: The store lacks FigureStore. The service goes without the figures of each day and the reports that are made of them.',
      'warn: The store lacks MailStore. The service goes without mails to customers, and reminders.',
      'warn: The store lacks RetentionStore. The service goes without retention: events, deliveries and checkouts are never deleted, and deliveries that wait by a clock that was ahead wait that long.',
    ]);
    const health = await billing.handler(new Request('https://billing.test/health'));
    expect(await health.json()).toMatchObject({
      store_lacks: ['WalletStore', 'SessionStore', 'FigureStore', 'MailStore', 'RetentionStore'],
    });
    const whole = await world.billing.handler(new Request('https://billing.test/health'));
    expect(await whole.json()).not.toHaveProperty('store_lacks');
  });

  it('lets every pass of the worker go on, and leaves what cannot be known unknown', async () => {
    const billing = hostWith([]);
    const { worker } = billing;
    expect(await billing.checkSealingKey()).toBe('unknown');
    expect(await billing.metrics()).toMatchObject({ backlog: null, overdueSeconds: null });
    for (const { run } of worker.passes()) await run();
    expect(await worker.prune()).toMatchObject({ finished: true, events: 0 });
    expect(Object.values(worker.states()).filter(({ failing }) => failing)).toEqual([]);
  });
});

// management#what-a-store-lacks
it('a store of the required tier serves a whole subscription, by every operation of the contract', async () => {
  const sender = new RecordingSender();
  const world = await openTestWorld({
    wrapStore: (store) => withCapabilities(store, []),
    ports: { sender, settings: { privateTargets: ['hooks.example.com'] } },
  });
  const called = new Set<string>();
  const call: TestWorld['call'] = async (method, path, ...more) => {
    const answer = await world.call(method, path, ...more);
    called.add(
      `${method} /v1${path
        .replace(/\?.*/, '')
        .replace(/(sub|evt)_\w+/, '{id}')
        .replace(/\/pro$/, '/{slug}')}`,
    );
    return answer;
  };
  const ok = async (...given: Parameters<TestWorld['call']>) => {
    const { status, body } = await call(...given);
    expect([given[1], status < 300 ? 'ok' : { status, body }]).toEqual([given[1], 'ok']);
    return body;
  };
  const shop = world.billing.project(world.projectId);
  await shop.endpoints.create({
    url: 'https://hooks.example.com/',
    types: ['subscription.created', 'subscription.renewed', 'subscription.cancelled'],
  });
  const wallet = await world.wallet(10n * PRICE);

  // A checkout.
  expect((await createCheckout({ call }, wallet, 'reader')).status).toBe(201);
  const checkout = await issueCheckout({ call }, wallet, 'reader');
  const { id } = checkout.subscription;
  const fresh = await freshTransaction({ call }, checkout);
  expect(fresh.status).toBe(201);
  await ok('POST', `/subscriptions/${id}/submit`, await signCheckout(wallet, { ...checkout, ...fresh.body }));
  const access = async () => (await ok('GET', '/access?external_id=reader&plan=pro'))['access'];
  expect(await access()).toBe(true);

  // A charge.
  world.advance(MONTH);
  await world.work();
  expect(await world.holding(world.owner)).toBe(2n * PRICE);
  expect(await ok('GET', `/subscriptions/${id}/attempts`)).toMatchObject({ data: [{}, {}] });
  expect((await call('POST', `/subscriptions/${id}/retry`)).body['code']).toBe('subscription_not_late');

  // What a shop reads.
  expect(await ok('GET', '/project')).toMatchObject({ name: 'Night Library' });
  expect(await ok('GET', '/plans')).toMatchObject({ plans: [{ slug: 'pro' }] });
  expect(await ok('GET', '/plans/pro')).toMatchObject({ slug: 'pro' });
  expect(await ok('GET', `/subscriptions/${id}`)).toMatchObject({ status: 'active' });
  expect(await ok('GET', '/subscriptions?external_id=reader')).toMatchObject({ data: [{ id }] });

  // A cancellation, taken back, made again, and closed at its end.
  const actions = actionsOf({ ...world, call }, wallet, id);
  for (const action of ['cancel', 'resume', 'cancel'] as const)
    expect((await actions.act(action)).status).toBe(201);
  world.advance(MONTH);
  await world.work();
  expect(await access()).toBe(false);
  expect((await actions.act('close')).status).toBe(201);

  // Its webhooks, in the order of what happened.
  await world.deliver();
  const sent = sender.posts.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(sent).toEqual([
    'subscription.created',
    'subscription.renewed',
    'subscription.cancelled',
    'subscription.cancelled',
  ]);
  const { data } = (await ok('GET', '/events')) as unknown as { data: { id: string }[] };
  await ok('GET', `/events/${data[0]?.id}`);

  const routes = await contractRoutes(world);
  expect(routes.filter((route) => !called.has(route))).toEqual([]);
  await world.close();
});

/** The routes of the contract, as its document lists them. */
async function contractRoutes({ billing }: TestWorld): Promise<readonly string[]> {
  const answer = await billing.handler(new Request('https://billing.test/openapi.json'));
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method === 'get' || method === 'post')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}
