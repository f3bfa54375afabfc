import type { KeyPairSigner } from '@solana/kit';
import type { OpenApiDocument } from '@subrail/core';
import { ApiErrors, createClient, isApiError, type Client, type ClientOptions } from '@subrail/core/client';
import type { SessionId, SubscriptionId } from '@subrail/core/ports';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import { DAY, missSecondMonth, PRICE, signatureOf, signCheckout, type TestWorld } from '@subrail/test-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServedWorld, type ServedWorld } from './served-world.js';

let served: ServedWorld;
let world: TestWorld;
/** Every call that was sent over the socket, such as `GET /v1/plans`. */
const called: string[] = [];

beforeAll(async () => {
  served = await openServedWorld();
  ({ world } = served);
});
afterAll(() => served.close());

function clientOf(options: Partial<ClientOptions> = {}): Client {
  return createClient({
    url: served.url,
    key: served.key,
    fetch: (request) => {
      called.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    },
    ...options,
  });
}

/** The routes of the documents, in `GET /v1/plans` form. */
async function documentedRoutes(): Promise<readonly string[]> {
  const documents = await Promise.all(
    ['/openapi.json', '/checkout/openapi.json'].map(async (path) => {
      const answer = await fetch(`${served.url}${path}`);
      return (await answer.json()) as Pick<OpenApiDocument, 'paths'>;
    }),
  );
  return documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
}

/** Whether a route was called. */
function wasCalled(route: string): boolean {
  const pattern = new RegExp(`^${route.replace(/\{\w+\}/, '[^/]+')}$`);
  return called.some((call) => pattern.test(call));
}

async function subscribe(client: Client, wallet: KeyPairSigner, externalId: string) {
  const first = await client.subscriptions.create({
    plan: 'pro',
    wallet: wallet.address,
    external_id: externalId,
  });
  const checkout = await client.subscriptions.transaction(first.subscription.id);
  return client.subscriptions.submit(first.subscription.id, await signCheckout(wallet, checkout));
}

/** Builds an action of a wallet, signs and sends it; returns the signature to confirm it with. */
async function sent(wallet: KeyPairSigner, build: () => Promise<{ readonly transaction: string }>) {
  world.advance(1_000);
  const wire = await signTransaction(wallet, (await build()).transaction);
  await sendTransaction(world.rpc, wire);
  return { signature: signatureOf(wire) };
}

describe('the client, over the socket of the host', () => {
  it('subscribes a wallet, and reads what came of it', async () => {
    const client = clientOf();
    const wallet = await world.wallet(10n * PRICE);
    const { subscription } = await subscribe(client, wallet, 'reader');
    expect(subscription).toMatchObject({ status: 'active', wallet: wallet.address, external_id: 'reader' });

    expect(await client.retrieve()).toMatchObject({ id: world.projectId, name: 'Night Library' });
    const plan = await client.plans.retrieve('pro');
    expect(plan).toMatchObject({ slug: 'pro', amount: PRICE.toString() });
    expect((await client.plans.list()).plans).toEqual([plan]);
    const one = await client.access.check({ external_id: 'reader', plan: 'pro', attempts: true });
    expect([one.access, one.attempts?.length]).toEqual([true, 1]);
    expect((await client.access.check({ wallet: wallet.address })).plans).toHaveLength(1);
    expect(await client.subscriptions.retrieve(subscription.id)).toEqual(subscription);
    const { data } = await client.subscriptions.list({ external_id: 'reader' });
    expect(data).toEqual([subscription]);
    const attempts = await client.subscriptions.attempts(subscription.id);
    expect(attempts.paid).toEqual({ count: 1, amount: PRICE.toString() });
    const [event] = (await client.events.list({ subscription: subscription.id })).data;
    expect(event?.data.id).toBe(subscription.id);
    expect(await client.events.retrieve(String(event?.id))).toEqual(event);
  });

  it('retries a missed payment', async () => {
    const client = clientOf();
    const id = await missSecondMonth(world, await world.wallet(10n * PRICE), 0);
    expect(await client.subscriptions.retry(id)).toMatchObject({ id, payment_status: 'late' });
    await world.work();
    expect(await client.subscriptions.retrieve(id)).toMatchObject({
      status: 'active',
      payment_status: 'paid',
    });
  });

  it('cancels, resumes and closes a subscription with its wallet', async () => {
    const client = clientOf();
    const { subscriptions } = client;
    const wallet = await world.wallet(10n * PRICE);
    const { id } = (await subscribe(client, wallet, 'leaver')).subscription;
    const cancel = () => sent(wallet, () => subscriptions.cancel(id));

    const cancelled = await subscriptions.confirmCancel(id, await cancel());
    expect(cancelled.subscription.status).toBe('cancelled');
    const resumed = await subscriptions.confirmResume(id, await sent(wallet, () => subscriptions.resume(id)));
    expect(resumed.subscription.status).toBe('active');
    await subscriptions.confirmCancel(id, await cancel());
    world.advance(31 * DAY);
    await world.work();
    const closed = await subscriptions.confirmClose(id, await sent(wallet, () => subscriptions.close(id)));
    expect(closed.subscription).toMatchObject({ status: 'ended', end_reason: 'closed', closable: false });
  });

  // checkout-sessions#checkout-of-the-server
  it('sends a customer to a checkout and to the portal, and reads what became of it', async () => {
    const client = clientOf();
    const { id, url } = await client.checkouts.create({ plan: 'pro', external_id: 'buyer' });
    expect(url).toMatch(/\/checkout#chs_\w{43}$/);
    expect(await client.checkouts.retrieve(id)).toMatchObject({ state: 'open', subscription: null });
    const { subscription } = await subscribe(client, await world.wallet(10n * PRICE), 'buyer');
    const [session, paid] = [id as SessionId, subscription.id as SubscriptionId];
    await world.store.submitForSession(session, paid, world.now());
    expect(await client.checkouts.retrieve(id)).toMatchObject({
      state: 'complete',
      external_id: 'buyer',
      subscription,
    });
    const portal = await client.portal.create({ subscription: subscription.id });
    expect([portal.id, portal.url]).toEqual([
      expect.stringMatching(/^prt_/),
      expect.stringMatching(/\/portal#chs_\w{43}$/),
    ]);
    await expect(client.checkouts.retrieve(portal.id)).rejects.toBeInstanceOf(ApiErrors.SessionNotFound);
  });

  // checkout-sessions#plan-links
  // checkout-sessions#another-customers-subscription
  it('makes plan links, lists and ends them, and reaches no session or link of another project', async () => {
    const client = clientOf();
    const link = await client.links.create({ plan: 'pro', ask_email: true });
    expect(link.url).toMatch(new RegExp(`/checkout/${link.id}$`));
    expect((await client.links.list()).links).toEqual([link]);
    const checkout = await client.checkouts.create({ plan: 'pro' });
    const { id } = await world.billing.projects.create({ name: 'Another' });
    const other = clientOf({ key: (await world.billing.project(id).keys.create()).key });
    expect((await other.links.list()).links).toEqual([]);
    await expect(other.links.end(link.id)).rejects.toBeInstanceOf(ApiErrors.LinkNotFound);
    await expect(other.checkouts.retrieve(checkout.id)).rejects.toBeInstanceOf(ApiErrors.SessionNotFound);
    await expect(other.checkouts.create({ plan: 'pro' })).rejects.toBeInstanceOf(ApiErrors.PlanNotFound);
    const ended = await client.links.end(link.id);
    expect(ended).toEqual({ ...link, ended_at: expect.any(String) as string });
    world.advance(1_000);
    expect(await client.links.end(link.id)).toEqual(ended);
  });

  // checkout-sessions#secret-of-a-session
  it('opens no route of an API key with the secret of a session, nor with a management key', async () => {
    const { url } = await clientOf().checkouts.create({ plan: 'pro' });
    const secret = url.slice(url.indexOf('#') + 1);
    const { key } = await world.billing.management.createKey({ name: 'Dashboard', access: 'write' });
    for (const other of [secret, key])
      for (const call of [
        (client: Client) => client.checkouts.create({ plan: 'pro' }),
        (client: Client) => client.links.list(),
        (client: Client) => client.retrieve(),
      ])
        await expect(call(clientOf({ key: other }))).rejects.toMatchObject({ code: 'missing_api_key' });
  });

  it('throws the class of the code that the service refuses with', async () => {
    const client = clientOf();
    await expect(client.subscriptions.retrieve('sub_nothing')).rejects.toBeInstanceOf(
      ApiErrors.SubscriptionNotFound,
    );
    await expect(client.plans.retrieve('nothing')).rejects.toBeInstanceOf(ApiErrors.PlanNotFound);
    const stranger = clientOf({ key: `SUB_${'x'.repeat(43)}` });
    await expect(stranger.retrieve()).rejects.toBeInstanceOf(ApiErrors.InvalidApiKey);
    const error: unknown = await client.access
      .check({ plan: 'pro', email: 'nobody' })
      .catch((thrown: unknown) => thrown);
    if (!isApiError(error, 'invalid_request')) throw error;
    expect(error.requestId).toMatch(/^req_/);
    expect(error.sentences?.join()).toMatch(/email/);
  });

  it('repeats a submit whose answer was lost, and gets its outcome', async () => {
    const wallet = await world.wallet(10n * PRICE);
    let isLost = false;
    const client = clientOf({
      sleep: async (ms) => world.advance(Math.ceil(ms / 1_000) * 1_000),
      fetch: async (request) => {
        const response = await fetch(request);
        if (isLost || !request.url.endsWith('/submit')) return response;
        isLost = true;
        throw new TypeError('fetch failed');
      },
    });
    const { subscription } = await subscribe(client, wallet, 'unlucky');
    expect([isLost, subscription.status]).toEqual([true, 'active']);
    expect(await world.holding(wallet)).toBe(9n * PRICE);
  });

  it('called every route of the contract, and of checkouts, portals and links', async () => {
    const routes = await documentedRoutes();
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter((route) => !wasCalled(route))).toEqual([]);
  });
});

it('calls a service in the same process through its handler, without a socket', async () => {
  const before = called.length;
  const client = createClient({ url: 'http://in-process', key: served.key, fetch: world.billing.handler });
  expect((await client.plans.list()).plans.map(({ slug }) => slug)).toEqual(['pro']);
  expect(called).toHaveLength(before);
});
