import type { KeyPairSigner } from '@solana/kit';
import { createHandler, type FetchHandler } from '@subrail/core';
import {
  type ApiAnswer,
  openTestWorld,
  PRICE,
  signatureOf,
  signCheckout,
  statusAndCode,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { appOf, type CustomerPage, openLink, pageOf, pageOfApp, servedTo, visit } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

const shop = () => world.billing.project(world.projectId);
const codeOf = ({ body }: ApiAnswer) => body['code'];

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: object }>>>>;
}

async function read(handler: FetchHandler, path: string): Promise<Response> {
  return handler(new Request(`https://pay.example${path}`));
}

const documentOf = async () =>
  (await (await read(servedTo(world), '/customer/openapi.json')).json()) as Document;

/** Every route on one subscription, as method and path below `/customer/v1`. */
async function routesOfOne(): Promise<readonly (readonly ['GET' | 'POST', string])[]> {
  const { paths } = await documentOf();
  return Object.entries(paths).flatMap(([path, methods]) =>
    path.includes('/subscriptions/{id}')
      ? Object.keys(methods).map(
          (method) => [method.toUpperCase() as 'GET' | 'POST', path.replace('/customer/v1', '')] as const,
        )
      : [],
  );
}

/** Calls each route on a subscription with a body that it takes. */
async function everyRoute(page: CustomerPage, id: string, transaction: string): Promise<readonly string[]> {
  const bodies = {
    submit: { transaction, terms_signature: signatureOf(transaction) },
    send: { transaction },
    confirm: { signature: signatureOf(transaction) },
  };
  const answers: string[] = [];
  for (const [method, path] of await routesOfOne()) {
    const last = path.slice(path.lastIndexOf('/') + 1) as keyof typeof bodies;
    const answer = await page.call(method, path.replace('{id}', id), bodies[last]);
    answers.push(`${method} ${path} ${statusAndCode(answer)}`);
  }
  return answers;
}

// portal#routes-of-a-customer
describe('the routes of a customer', () => {
  it('are those of the rules, each described, and served where they are asked for', async () => {
    const { paths } = await documentOf();
    const one = '/customer/v1/subscriptions/{id}';
    expect(Object.keys(paths).toSorted()).toEqual(
      [
        ...['/customer/v1/session', '/customer/v1/subscriptions', '/customer/v1/links/{id}/sessions', one],
        '/customer/v1/receipts/{id}',
        ...['attempts', 'transaction', 'submit', 'retry', 'send'].map((step) => `${one}/${step}`),
        ...['cancel', 'resume', 'close'].flatMap((step) => [`${one}/${step}`, `${one}/${step}/confirm`]),
      ].toSorted(),
    );
    expect(paths['/customer/v1/links/{id}/sessions']?.['post']?.security).toEqual([]);
    const plain = createHandler(world.billing);
    for (const path of ['/customer/openapi.json', '/customer/v1/session'])
      expect((await read(plain, path)).status).toBe(404);
    expect((await read(servedTo(world), '/customer/v1/none')).status).toBe(404);
  });
});

// checkout-sessions#another-customers-subscription
// portal#what-a-customer-cannot-do
describe('the subscription of another customer', () => {
  it('is none on every route, for every kind of caller, before and after it is paid', async () => {
    const { url } = await shop().checkouts.create({ plan: 'pro', external_id: 'victim' });
    const victim = pageOf(world, url);
    const checkout = await victim.create(wallet);
    const { id } = checkout.subscription;
    const signed = await signCheckout(wallet, checkout);
    const other = await world.billing.projects.create({ name: 'Day Library' });
    await world.publishPlan(other.id, 'pro');
    const callers: CustomerPage[] = [
      pageOf(world, (await shop().checkouts.create({ plan: 'pro', external_id: 'reader' })).url),
      pageOf(world, (await shop().checkouts.create({ plan: 'pro', email: 'victim' + '@example.test' })).url),
      pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url),
      pageOf(world, (await world.billing.project(other.id).portal.create({ external_id: 'victim' })).url),
      await openLink(world, (await shop().links.create({ plan: 'pro' })).url),
      pageOfApp(world, { external_id: 'reader' }),
      pageOfApp(world, { external_id: 'victim' }, appOf(world, { project: other.id })),
    ];
    const nobodys = await everyRoute(callers[0] as CustomerPage, 'sub_none', signed.transaction);
    expect(nobodys).toHaveLength(12);
    for (const answer of nobodys) expect(answer).toMatch(/ 404 subscription_not_found$/);
    const before = await storedSubscription(world, id);
    for (const caller of callers) expect(await everyRoute(caller, id, signed.transaction)).toEqual(nobodys);
    expect(await storedSubscription(world, id)).toEqual(before);
    await victim.call('POST', `/subscriptions/${id}/submit`, signed);
    const paid = await storedSubscription(world, id);
    world.advance(60_000);
    for (const caller of callers) {
      expect(await everyRoute(caller, id, signed.transaction)).toEqual(nobodys);
      expect(await caller.view()).toMatchObject({ subscriptions: [] });
    }
    expect(await storedSubscription(world, id)).toEqual(paid);
  });
});

describe('the secret of a session', () => {
  // checkout-sessions#secret-of-a-session
  it('opens, and nothing else does: no id, no hash, no key, no secret of another', async () => {
    const { id, url } = await shop().checkouts.create({ plan: 'pro' });
    const secret = url.slice(url.indexOf('#') + 1);
    expect(secret).toMatch(/^chs_[0-9A-Za-z]{43}$/);
    const { key } = await shop().keys.create();
    const codes = async (sent: string) => codeOf(await pageOf(world, sent).call('GET', '/session'));
    expect(await codes(secret)).toBeUndefined();
    for (const sent of [id, '', `${secret}x`, secret.slice(0, -1), key, secret.replace('chs_', 'SUB_')])
      expect(await codes(sent)).toBe('missing_api_key');
    expect(await codes(`chs_${'0'.repeat(43)}`)).toBe('invalid_session');
    expect((await world.call('GET', '/plans')).status).toBe(200);
    const withSecret = new Request('https://pay.example/v1/plans', {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect((await servedTo(world)(withSecret)).status).toBe(401);
    const page = pageOf(world, url);
    expect(JSON.stringify(await page.view())).not.toContain(secret);
    expect(JSON.stringify(world.log.entries)).not.toContain(secret);
  });

  // checkout-sessions#secret-of-a-session
  // portal#what-a-customer-cannot-do
  it('of a portal does in a checkout what a portal does, and the other way round', async () => {
    const id = await world.subscribe(wallet, 'reader');
    const portal = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    const checkout = pageOf(
      world,
      (await shop().checkouts.create({ plan: 'pro', external_id: 'reader' })).url,
    );
    for (const page of [portal, checkout])
      expect(await page.view()).toMatchObject({ subscriptions: [{ id }] });
    const ofProject = await world.call('GET', `/subscriptions/${id}`);
    expect((await portal.call('GET', `/subscriptions/${id}`)).body).toEqual(ofProject.body);
  });
});

describe('calls from other pages', () => {
  // checkout-sessions#calls-from-other-pages
  it('are refused, because they cannot name a version, and none is let in', async () => {
    const { url } = await shop().checkouts.create({ plan: 'pro' });
    const session = pageOf(world, url);
    const link = (await shop().links.create({ plan: 'pro' })).url;
    const app = pageOfApp(world, { external_id: 'reader' });
    const body = { plan: 'pro', wallet: wallet.address };
    const plain = { headers: { authorization: `Bearer ${url.slice(url.indexOf('#') + 1)}` } };
    expect(statusAndCode(await session.call('POST', '/subscriptions', body, plain))).toBe(
      '400 invalid_request',
    );
    const login = { headers: { 'x-login': '{"external_id":"reader"}', origin: 'https://evil.example' } };
    const refused = await app.call('POST', '/subscriptions', body, login);
    expect(statusAndCode(refused)).toBe('400 invalid_request');
    expect(refused.body['message']).toContain('Service-Version');
    expect((await app.call('GET', '/session', undefined, login)).status).toBe(200);
    const visited = await session.call(
      'POST',
      `/links/${link.slice(link.lastIndexOf('/') + 1)}/sessions`,
      undefined,
      {
        headers: {},
      },
    );
    expect(statusAndCode(visited)).toBe('400 invalid_request');
    const old = { headers: { ...plain.headers, 'service-version': '1999-01-01' } };
    expect(codeOf(await session.call('POST', '/subscriptions', body, old))).toBe('unsupported_version');
    for (const handler of [servedTo(world), appOf(world)])
      for (const path of ['/customer/v1/session', '/api/billing/session']) {
        const preflight = await handler(
          new Request(`https://pay.example${path}`, {
            method: 'OPTIONS',
            headers: { origin: 'https://evil.example', 'access-control-request-headers': 'service-version' },
          }),
        );
        expect(preflight.status).toBe(404);
        expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    const { headers } = await session.call('GET', '/session');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('the limits', () => {
  const times = async (count: number, call: () => Promise<ApiAnswer>) => {
    const answers = await Promise.all(Array.from({ length: count }, call));
    return answers.filter(({ status }) => status === 429).length;
  };

  // checkout-sessions#rate-limit-of-sessions
  it('are of a session and a route, and of an address over all of them', async () => {
    const open = async () =>
      pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url, handler);
    const handler = servedTo(world);
    const read = (page: CustomerPage, client: string) => () =>
      page.call('GET', '/session', undefined, { client });
    const retry = (page: CustomerPage, client: string) => () =>
      page.call('POST', '/subscriptions/sub_none/retry', undefined, { client });
    const page = await open();
    expect(await times(61, read(page, '198.51.100.1'))).toBe(1);
    expect(await times(21, retry(page, '198.51.100.1'))).toBe(1);
    expect(statusAndCode(await page.call('GET', '/subscriptions'))).toBe('200');
    // The address has 239 reads and 79 others left.
    for (let session = 0; session < 3; session++) {
      const another = await open();
      expect(await times(60, read(another, '198.51.100.1'))).toBe(0);
      expect(await times(20, retry(another, '198.51.100.1'))).toBe(0);
    }
    const last = await open();
    expect(await times(60, read(last, '198.51.100.1'))).toBe(1);
    expect(await times(20, retry(last, '198.51.100.1'))).toBe(1);
    expect(await times(1, retry(await open(), '198.51.100.2'))).toBe(0);
  });

  // checkout-sessions#rate-limit-of-sessions
  it('are 20 opened links of an address', async () => {
    const { url } = await shop().links.create({ plan: 'pro' });
    const handler = servedTo(world);
    expect(await times(21, () => visit(world, url, handler))).toBe(1);
  });

  // portal#customers-of-an-app
  it('are of no address, when an app does not say which', async () => {
    const handler = appOf(world, { clientAddress: undefined });
    for (let customer = 0; customer < 6; customer++) {
      const page = pageOfApp(world, { external_id: `customer-${customer}` }, handler);
      expect(await times(60, () => page.call('GET', '/session'))).toBe(0);
    }
  });

  // portal#customers-of-an-app
  it('are of a customer of an app as of a session', async () => {
    const handler = appOf(world);
    const read = (external_id: string, client: string) => () =>
      pageOfApp(world, { external_id }, handler).call('GET', '/session', undefined, { client });
    expect(await times(61, read('one', '198.51.100.1'))).toBe(1);
    expect(await times(1, read('one', '198.51.100.2'))).toBe(1);
    expect(await times(60, read('two', '198.51.100.1'))).toBe(0);
    const nobody = pageOfApp(world, null, handler);
    expect(
      await times(301, () => nobody.call('GET', '/session', undefined, { client: '198.51.100.9' })),
    ).toBe(1);
  });

  // checkout-sessions#secret-of-a-session
  it('count what is guessed against its address', async () => {
    const handler = servedTo(world);
    const guess = () => pageOf(world, `chs_${'1'.repeat(43)}`, handler).call('GET', '/session');
    expect(await times(121, guess)).toBe(1);
  });
});

describe('hostile input', () => {
  // portal#subscriptions-a-customer-sees
  it('is answered as the text that it is', async () => {
    const name = `<img src=x onerror=a(1)>"'&`;
    await world.billing.project(world.projectId).update({ name });
    await world.publishPlan(world.projectId, 'odd', { name, description: '</script><script>' });
    const customer = { external_id: '__proto__\u2028"<b>' };
    const page = pageOfApp(world, customer);
    const answer = await page.call('GET', '/session');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toMatchObject({ project: { name } });
    const id = await page.pay(wallet, { plan: 'odd' });
    expect(await storedSubscription(world, id)).toMatchObject({ externalId: customer.external_id });
    expect(await page.view()).toMatchObject({ subscriptions: [{ id, external_id: customer.external_id }] });
    const { url } = await shop().portal.create({ external_id: '__proto__' });
    expect(await pageOf(world, url).view()).toMatchObject({ subscriptions: [] });
  });

  // checkout-sessions#another-customers-subscription
  it('in the place of an id is no subscription', async () => {
    const page = pageOf(world, (await shop().portal.create({ external_id: 'reader' })).url);
    for (const id of [
      '__proto__',
      'constructor',
      '%2e%2e',
      '..%2fv1',
      "'%20or%201=1",
      '%00',
      'x'.repeat(200),
    ])
      expect((await page.call('GET', `/subscriptions/${id}`)).status, id).toBe(404);
    const bad = { plan: 'pro', wallet: wallet.address, external_id: 'victim' };
    expect(codeOf(await page.call('POST', '/subscriptions', bad))).toBe('invalid_request');
    expect(codeOf(await page.call('GET', '/subscriptions?external_id=victim'))).toBe('invalid_request');
  });
});
