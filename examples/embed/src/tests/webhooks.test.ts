// Heavy: each test has a shop with its own local chain, on which months pass.

import Database from 'better-sqlite3';
import { createClient, type Client } from '@subrail/core/client';
import type { HttpPost } from '@subrail/core/ports';
import type { WebhookEvent } from '@subrail/core/webhooks';
import { localnetRpc } from '@subrail/localnet';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeSubscription, subscribe } from '../checkout.js';
import { AccessRecords } from '../webhooks/access-records.js';
import { isValidWebhook } from '../webhooks/by-hand.js';
import { catchUp } from '../webhooks/catch-up.js';
import { describeEvent } from '../webhooks/describe-event.js';
import { bringBack, givenUp, tryEndpoint } from '../webhooks/operate.js';
import { receive, type Receiver } from '../webhooks/receive.js';
import { receiveWithLibrary } from '../webhooks/standard-library.js';
import { openLocalShop, type LocalShop } from './local-shop.js';

const newRecords = () => new AccessRecords(new Database(':memory:'));
const requestOf = ({ url, headers, body }: HttpPost) => new Request(url, { method: 'POST', headers, body });

/** Sets the receiver's clock to the time of a webhook. */
const atTimeOf = ({ headers }: HttpPost) => vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('what a local shop delivers', () => {
  let local: LocalShop;
  let client: Client;
  let records: AccessRecords;
  let receiver: Receiver;

  beforeEach(async () => {
    local = await openLocalShop();
    const { shop, secret } = local;
    client = createClient({ url: shop.url, key: shop.key, fetch: (request) => shop.fetch(request) });
    records = newRecords();
    receiver = { secret, records, client };
  });
  afterEach(() => local.billing.close());

  const play = async () => {
    const { shop, solana, wallet } = local;
    const { id } = await subscribe(shop, wallet, 'pro', 'customer-42');
    await local.passDays(1);
    await changeSubscription(shop, localnetRpc(solana), wallet, id, 'cancel');
    await local.passDays(31);
    return id;
  };
  const events = () => local.posts.map(({ body }) => JSON.parse(body) as WebhookEvent);

  it('is applied by sequence, in any order and with repetitions, and refused when it was changed', async () => {
    await play();
    expect(local.posts.length).toBeGreaterThan(4);
    for (const post of [...local.posts, ...local.posts].reverse()) {
      atTimeOf(post);
      expect(await receive(requestOf(post), receiver)).toBe(204);
      expect(await receive(requestOf({ ...post, body: `${post.body} ` }), receiver)).toBe(400);
    }
    expect(records.hasAccess('customer-42', 'pro')).toBe(false);

    const kept: string[] = [];
    await records.handleKept(async ({ id }) => void kept.push(id));
    await records.handleKept(async ({ id }) => void kept.push(id));
    expect(kept.toSorted()).toEqual(
      events()
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('is tested, looked at and sent again by whoever runs the service', async () => {
    const [project] = await local.billing.projects.list();
    const shop = local.billing.project(project?.id ?? '');
    const [endpoint] = await shop.endpoints.list();
    const id = endpoint?.id ?? '';
    expect(await tryEndpoint(shop, id)).toMatch(/^204 after \d+ ms$/);
    const since = local.solana.now().toISOString();
    await subscribe(local.shop, local.wallet, 'pro', 'customer-42');
    await shop.endpoints.disable(id);
    const lines = await givenUp(shop, id);
    expect(lines.map((line) => line.replace(/^dlv_\w+, /, '')).toSorted()).toEqual([
      'subscription.access_granted, 0 attempts, never sent',
      'subscription.created, 0 attempts, never sent',
    ]);
    expect(await bringBack(shop, id, since)).toBe(2);
    await local.passDays(1);
    expect(events().map(({ type }) => type)).toEqual(
      expect.arrayContaining(['test', 'subscription.created', 'subscription.access_granted']),
    );
  });

  it('gives access while it lasts, and to nobody else', async () => {
    await subscribe(local.shop, local.wallet, 'pro', 'customer-42');
    await local.passDays(1);
    for (const event of events()) records.apply(event);
    expect(records.hasAccess('customer-42', 'pro')).toBe(true);
    expect(records.hasAccess('customer-43', 'pro')).toBe(false);
    expect(records.hasAccess('customer-42', 'other')).toBe(false);
  });

  it('is handled again when its work failed', async () => {
    await subscribe(local.shop, local.wallet, 'pro', 'customer-42');
    await local.passDays(1);
    for (const event of events()) records.apply(event);
    const failing = records.handleKept(() => Promise.reject(new Error('The mail server is down.')));
    await expect(failing).rejects.toThrow('The mail server is down.');
    const handled: string[] = [];
    await records.handleKept(async ({ id }) => void handled.push(id));
    expect(handled).toHaveLength(local.posts.length);
  });

  it('can be had by polling as well, each event once', async () => {
    await subscribe(local.shop, local.wallet, 'pro', 'customer-42');
    const first = await catchUp(client, records, null);
    expect(records.hasAccess('customer-42', 'pro')).toBe(true);
    expect(first).toMatch(/^evt_/);
    expect(await catchUp(client, records, first)).toBe(first);

    await local.passDays(31);
    await catchUp(client, records, first);
    const polled: string[] = [];
    await records.handleKept(async ({ id }) => void polled.push(id));
    expect(polled.toSorted()).toEqual(
      events()
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('is read from the service when it has no sequence, and ignored when it is a test', async () => {
    const id = await play();
    const [post] = local.posts;
    if (post === undefined) throw new Error('Nothing was delivered.');
    const { sequence: _, ...unplaced } = JSON.parse(post.body) as WebhookEvent;
    const sign = (body: string) => {
      atTimeOf(post);
      const signature = new Webhook(local.secret).sign('dlv_1', new Date(Date.now()), body);
      return requestOf({
        ...post,
        headers: { ...post.headers, 'webhook-id': 'dlv_1', 'webhook-signature': signature },
        body,
      });
    };
    // When it was raised there was access, and now there is none.
    expect(unplaced.data).toMatchObject({ id, access: true });
    expect(await receive(sign(JSON.stringify({ ...unplaced, test: true })), receiver)).toBe(204);
    expect(records.hasAccess('customer-42', 'pro')).toBe(false);
    await records.handleKept(() => Promise.reject(new Error('Nothing should have been kept.')));
    expect(await receive(sign(JSON.stringify(unplaced)), receiver)).toBe(204);
    expect(records.hasAccess('customer-42', 'pro')).toBe(false);
  });

  it('is verified by hand and by a library of Standard Webhooks', async () => {
    await play();
    for (const post of local.posts) {
      atTimeOf(post);
      const { headers } = requestOf(post);
      const now = new Date(Date.now());
      expect(isValidWebhook(headers, post.body, local.secret, now)).toBe(true);
      expect(isValidWebhook(headers, `${post.body} `, local.secret, now)).toBe(false);
      expect(isValidWebhook(headers, post.body, local.secret, new Date(now.getTime() + 301_000))).toBe(false);

      const received = { headers: Object.fromEntries(headers), body: Buffer.from(post.body) };
      expect(await receiveWithLibrary(received, local.secret, records, client)).toBe(204);
      const changed = { ...received, body: Buffer.from(`${post.body} `) };
      expect(await receiveWithLibrary(changed, local.secret, records, client)).toBe(400);
    }
    expect(records.hasAccess('customer-42', 'pro')).toBe(false);
  });

  it('is described in words, also when its type is not known', async () => {
    await subscribe(local.shop, local.wallet, 'pro', 'customer-42');
    await local.passDays(31);
    expect(events().map(describeEvent).sort()).toEqual([
      expect.stringMatching(/^paid 5000000 until 20/) as string,
      'subscription.access_granted: active',
      'subscription.created: active',
      'subscription.renewal_upcoming: active',
    ]);
    const body = local.posts[0]?.body.replace(/"subscription\.[a-z_]+"/, '"subscription.moved"') ?? '';
    expect(describeEvent(JSON.parse(body) as WebhookEvent)).toBe('subscription.moved: active');
  });
});
