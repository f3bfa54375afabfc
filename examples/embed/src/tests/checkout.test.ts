import type { KeyPairSigner } from '@solana/kit';
import { localnetRpc, type Localnet } from '@subrail/localnet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiError, call, hasAccess, playSubscription, subscribe, type Shop } from '../checkout.js';
import { openLocalShop, PRICE, type LocalShop } from './local-shop.js';

let local: LocalShop;
let solana: Localnet;
let shop: Shop;
let wallet: KeyPairSigner;

beforeEach(async () => {
  local = await openLocalShop();
  ({ solana, shop, wallet } = local);
});
afterEach(() => local.billing.close());

it('plays a subscription from its first signature to its comeback', async () => {
  const { cancelled, resumed, closed, back } = await playSubscription(
    shop,
    localnetRpc(solana),
    wallet,
    (days) => local.passDays(days),
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

it('reports the code of a refusal', async () => {
  await subscribe(shop, wallet, 'pro', 'customer-42');
  const second = subscribe(shop, wallet, 'pro', 'customer-42');
  await expect(second).rejects.toBeInstanceOf(ApiError);
  await expect(second).rejects.toMatchObject({ code: 'already_subscribed' });
});
