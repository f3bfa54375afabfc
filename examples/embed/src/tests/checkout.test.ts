import { randomBytes } from 'node:crypto';
import { address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getMintEncoder } from '@solana-program/token-2022';
import { createClock } from '@subrail/adapters/clock';
import { openBilling, type OpenedBilling } from '@subrail/adapters/node';
import type { Clock, HttpPost } from '@subrail/core/ports';
import { createLocalnet, localnetRpc, localnetTransport, type Localnet } from '@subrail/localnet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  call,
  changeSubscription,
  hasAccess,
  ApiError,
  playSubscription,
  subscribe,
  type Shop,
} from '../checkout.js';
import { setUp } from '../set-up.js';
import type { WebhookEvent } from '@subrail/core/webhooks';
import { AccessRecords, describeEvent, isValidWebhook, receive } from '../webhooks.js';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const PRICE = 5_000_000n;

let solana: Localnet;
let billing: OpenedBilling;
let shop: Shop;
let secret: string;
let wallet: KeyPairSigner;
let records: AccessRecords;
let posts: HttpPost[];

beforeEach(async () => {
  solana = createLocalnet();
  records = new AccessRecords();
  posts = [];
  const system = createClock();
  const clock: Clock = {
    now: () => solana.now(),
    sleep: (ms, signal) => system.sleep(ms, signal),
  };
  const [charger, owner, customer, mint] = await Promise.all(
    Array.from({ length: 4 }, () => generateKeyPairSigner()),
  );
  if (!charger || !owner || !customer || !mint) throw new Error('Expected four keys.');
  wallet = customer;
  for (const signer of [charger, owner, wallet]) solana.airdrop(signer.address, 1_000_000_000n);
  solana.setAccount(mint.address, {
    lamports: 10_000_000n,
    owner: TOKEN_PROGRAM,
    data: new Uint8Array(
      getMintEncoder().encode({
        mintAuthority: owner.address,
        supply: 0n,
        decimals: 6,
        isInitialized: true,
        freezeAuthority: null,
        extensions: null,
      }),
    ),
  });
  solana.setTokenAccount(owner.address, mint.address, { amount: 0n });
  solana.setTokenAccount(wallet.address, mint.address, { amount: 10n * PRICE });
  billing = await openBilling({
    database: ':memory:',
    rpc: localnetTransport(solana),
    charger,
    sealingKey: randomBytes(32),
    handler: { basePath: '/billing' },
    clock,
    sender: {
      async post(post) {
        posts.push(post);
        const { status } = await deliver(post);
        return { kind: 'answered', status, retryAfter: null, excerpt: '' };
      },
    },
  });
  const project = await setUp(
    billing,
    localnetRpc(solana),
    owner,
    mint.address,
    'https://shop.example.com/webhooks',
  );
  secret = project.secret;
  shop = {
    url: 'http://shop.test/billing',
    key: project.key,
    fetch: (request) => billing.handler(request),
    wait: async () => undefined,
  };
});
afterEach(() => billing.close());

const request = ({ url, headers, body }: HttpPost) => new Request(url, { method: 'POST', headers, body });
const deliver = (post: HttpPost) => receive(request(post), secret, records, { now: solana.now() });

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    solana.advance({ seconds: 86_400 });
    await billing.worker.charge();
    await billing.worker.deliver();
  }
}

it('plays a subscription from its first signature to its comeback', async () => {
  const { cancelled, resumed, closed, back } = await playSubscription(
    shop,
    localnetRpc(solana),
    wallet,
    passDays,
  );
  expect(cancelled).toMatchObject({ status: 'cancelled', access: true });
  expect(resumed).toMatchObject({ id: cancelled.id, status: 'active', access: true });
  expect(closed).toMatchObject({ id: cancelled.id, status: 'ended', end_reason: 'closed', access: false });
  expect(back).toMatchObject({ status: 'active', access: true });
  expect(back.id).not.toBe(cancelled.id);
  expect(await hasAccess(shop, 'customer-42', 'pro')).toBe(true);
  expect(await call(shop, 'GET', `/subscriptions/${cancelled.id}/attempts`)).toMatchObject({
    paid: { count: 2, amount: String(2n * PRICE) },
  });
});

it('repeats a call unchanged after no answer and after a retryable error only', async () => {
  const sent: string[] = [];
  const waits: number[] = [];
  const refusal = { code: 'unavailable', retryable: true, message: 'Later.', request_id: 'req_1' };
  const unreliable: Shop = {
    ...shop,
    wait: async (seconds) => void waits.push(seconds),
    async fetch(outgoing) {
      sent.push(await outgoing.clone().text());
      if (sent.length === 1) throw new TypeError('fetch failed');
      if (sent.length === 2) return Response.json(refusal, { status: 503, headers: { 'retry-after': '7' } });
      return shop.fetch(outgoing);
    },
  };
  const body = { plan: 'pro', wallet: wallet.address };
  await call(unreliable, 'POST', '/subscriptions', body);
  expect(sent).toEqual(Array.from({ length: 3 }, () => JSON.stringify(body)));
  expect(waits).toEqual([1, 7]);
  await expect(call(unreliable, 'GET', '/nowhere')).rejects.toMatchObject({ code: 'not_found' });
  expect(sent).toHaveLength(4);
});

it.each([
  ['transaction', 100],
  ['terms', 400],
])(
  'subscribes with a fresh transaction when the first one arrives after its %s expired',
  async (_, seconds) => {
    let submits = 0;
    const slow: Shop = {
      ...shop,
      fetch: (outgoing) => {
        if (outgoing.url.endsWith('/submit') && (submits += 1) === 1) solana.advance({ seconds });
        return shop.fetch(outgoing);
      },
    };
    expect(await subscribe(slow, wallet, 'pro', 'customer-42')).toMatchObject({ status: 'active' });
    expect(submits).toBe(2);
  },
);

it('records access from webhooks in any order and with repetitions', async () => {
  const { id } = await subscribe(shop, wallet, 'pro', 'customer-42');
  await changeSubscription(shop, localnetRpc(solana), wallet, id, 'cancel');
  await passDays(31);
  expect(posts.length).toBeGreaterThan(2);
  expect(records.access.get(id)).toBe(false);

  const replayed = new AccessRecords();
  for (const post of [...posts, ...posts].reverse()) {
    const now = new Date(Number(post.headers['webhook-timestamp']) * 1000);
    expect((await receive(request(post), secret, replayed, { now })).status).toBe(204);
    const { headers } = request(post);
    expect(isValidWebhook(headers, post.body, secret, now)).toBe(true);
    expect(isValidWebhook(headers, `${post.body} `, secret, now)).toBe(false);
    expect(isValidWebhook(headers, post.body, secret, new Date(now.getTime() + 301_000))).toBe(false);
    const changed = request({ ...post, body: `${post.body} ` });
    expect((await receive(changed, secret, replayed, { now })).status).toBe(400);
  }
  expect(replayed.access).toEqual(records.access);
});

it('describes the events of a subscription, and those of a type that it does not know', async () => {
  await subscribe(shop, wallet, 'pro', 'customer-42');
  await passDays(31);
  const events = posts.map(({ body }) => JSON.parse(body) as WebhookEvent);
  expect(events.map(describeEvent).sort()).toEqual([
    expect.stringMatching(/^paid 5000000 until 20/) as string,
    'subscription.access_granted: active',
    'subscription.created: active',
    'subscription.renewal_upcoming: active',
  ]);
  const body = posts[0]?.body.replace(/"subscription\.[a-z_]+"/, '"subscription.moved"') ?? '';
  expect(describeEvent(JSON.parse(body) as WebhookEvent)).toBe('subscription.moved: active');
});

it('reports the code of a refusal', async () => {
  await subscribe(shop, wallet, 'pro', 'customer-42');
  const second = subscribe(shop, wallet, 'pro', 'customer-42');
  await expect(second).rejects.toBeInstanceOf(ApiError);
  await expect(second).rejects.toMatchObject({ code: 'already_subscribed' });
});
