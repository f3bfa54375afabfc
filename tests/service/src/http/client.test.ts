import type { KeyPairSigner } from '@solana/kit';
import { openApiDocument } from '@subrail/core';
import { ApiErrors, createClient, isApiError, type Client, type ClientOptions } from '@subrail/core/client';
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

/** The routes of the contract, by the paths that were called. */
function calledRoutes(): string[] {
  const routes = Object.entries(openApiDocument().paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return routes.filter((route) => {
    const pattern = new RegExp(`^${route.replace(/\{\w+\}/, '[^/]+')}$`);
    return called.some((call) => pattern.test(call));
  });
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

  it('called every route of the contract', () => {
    const all = Object.values(openApiDocument().paths).flatMap((operations) => Object.keys(operations));
    expect(calledRoutes()).toHaveLength(all.length);
  });
});

it('calls a service in the same process through its handler, without a socket', async () => {
  const before = called.length;
  const client = createClient({ url: 'http://in-process', key: served.key, fetch: world.billing.handler });
  expect((await client.plans.list()).plans.map(({ slug }) => slug)).toEqual(['pro']);
  expect(called).toHaveLength(before);
});
