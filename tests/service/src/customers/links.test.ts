import type { KeyPairSigner } from '@solana/kit';
import type { SessionId, SubscriptionId } from '@subrail/core/ports';
import { signMessage } from '@subrail/localnet';
import {
  type ApiAnswer,
  type IssuedCheckout,
  MINUTE,
  openTestWorld,
  PRICE,
  SECOND,
  signCheckout,
  statusAndCode,
  type TestWorld,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CustomerPage, openLink, pageOf, visit } from './customer-pages.js';

let world: TestWorld;
let wallet: KeyPairSigner;
let link: string;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
  link = (await shop().links.create({ plan: 'pro', ask_email: true })).url;
});

const shop = () => world.billing.project(world.projectId);
const codeOf = ({ body }: ApiAnswer) => body['code'];
const idOf = ({ subscription: { id } }: IssuedCheckout) => id;

const createOf = (page: CustomerPage, { address }: KeyPairSigner) =>
  page.call('POST', '/subscriptions', { plan: 'pro', wallet: address });

/** What a page can learn of a subscription: the codes of every way to read or change it. */
async function everyAnswer(page: CustomerPage, id: string): Promise<readonly unknown[]> {
  const path = `/subscriptions/${id}`;
  const answers = [
    await page.call('GET', path),
    await page.call('GET', `${path}/attempts`),
    ...(await Promise.all(
      ['retry', 'cancel', 'resume', 'close'].map((step) => page.call('POST', `${path}/${step}`)),
    )),
  ];
  return [...new Set(answers.map(codeOf))];
}

describe('a plan link', () => {
  // checkout-sessions#plan-links
  // checkout-sessions#kinds-of-sessions
  it('opens a new checkout for each visit, and is paid by whoever visits', async () => {
    const page = await openLink(world, link);
    const other = await openLink(world, link);
    const view = await page.view();
    expect(view).toMatchObject({
      kind: 'checkout',
      state: 'open',
      plans: [{ slug: 'pro', offered: true }],
      customer: { known: false, email: null },
      ask_email: true,
    });
    expect((await other.view())['id']).not.toBe(view['id']);
    const id = await page.pay(wallet, { email: 'reader@example.test' });
    expect(await page.view()).toMatchObject({
      state: 'complete',
      subscriptions: [{ id, email: 'reader@example.test' }],
    });
    expect(await other.view()).toMatchObject({ state: 'open', subscriptions: [] });
  });

  // checkout-sessions#plan-links
  it('that was ended, or that nobody made, opens nothing', async () => {
    const [{ id } = { id: '' }] = (await shop().links.list()).links;
    await shop().links.end(id);
    expect(statusAndCode(await visit(world, link))).toBe('409 link_ended');
    expect(statusAndCode(await visit(world, '/lnk_none'))).toBe('404 link_not_found');
  });
});

describe('two people with one link', () => {
  // checkout-sessions#reserved-and-submitted
  // checkout-sessions#another-customers-subscription
  it('see nothing of each other, also when a stranger names the same wallet', async () => {
    const page = await openLink(world, link);
    const stranger = await openLink(world, link);
    const id = idOf(await page.create(wallet));
    expect(idOf(await stranger.create(wallet))).not.toBe(id);
    expect(await everyAnswer(stranger, id)).toEqual(['subscription_not_found']);
    const checkout = await page.create(wallet);
    const signed = await signCheckout(wallet, checkout);
    expect(await page.call('POST', `/subscriptions/${id}/submit`, signed)).toMatchObject({
      body: { subscription: { status: 'active' } },
    });
    // The transaction is on chain for everybody, and even with the signature of the terms it is paid once.
    const otherSignature = await signMessage(await world.wallet(0n), checkout.terms.message);
    const forged = { ...signed, terms_signature: otherSignature };
    for (const body of [forged, signed]) {
      const replayed = await stranger.call('POST', `/subscriptions/${id}/submit`, body);
      expect(statusAndCode(replayed)).toBe('404 subscription_not_found');
      expect(JSON.stringify(replayed.body)).not.toContain(wallet.address);
    }
    expect(await everyAnswer(stranger, id)).toEqual(['subscription_not_found']);
    expect(await stranger.view()).toMatchObject({ state: 'open', subscriptions: [] });
  });

  // checkout-sessions#reserved-and-submitted
  it('learn nothing of one reserved subscription from the payment of another', async () => {
    const paid = await (await openLink(world, link)).create(await world.wallet(PRICE));
    const page = await openLink(world, link);
    const payer = await world.wallet(PRICE);
    const own = await page.create(payer);
    const signed = await signCheckout(payer, own);
    await page.call('POST', `/subscriptions/${idOf(own)}/submit`, signed);
    const stranger = await openLink(world, link);
    const victim = await stranger.create(wallet);
    for (const id of [idOf(victim), idOf(paid), idOf(own)]) {
      const answer = await stranger.call('POST', `/subscriptions/${id}/submit`, signed);
      expect(codeOf(answer)).toBe('subscription_not_found');
    }
  });

  // checkout-sessions#customer-of-a-session
  it('open nothing that is there already by typing the email of its customer', async () => {
    const first = await openLink(world, link);
    const id = await first.pay(wallet, { email: 'reader@example.test' });
    const stranger = await openLink(world, link);
    await stranger.create(await world.wallet(PRICE), { email: 'reader@example.test' });
    expect(await everyAnswer(stranger, id)).toEqual(['subscription_not_found']);
    expect(await stranger.view()).toMatchObject({ subscriptions: [] });
    // What the stranger did not pay is in no list of that customer either.
    const { url } = await shop().portal.create({ email: 'reader@example.test' });
    expect(await pageOf(world, url).view()).toMatchObject({ subscriptions: [{ id }], has_more: false });
  });
});

describe('the caps of what is reserved', () => {
  // checkout-sessions#reserved-and-submitted
  // checkout#pending-caps
  it('are ten of a session that are pending', async () => {
    const page = await openLink(world, link);
    const wallets = await Promise.all(Array.from({ length: 10 }, () => world.wallet(PRICE)));
    const [first] = wallets as [KeyPairSigner];
    const reserved: string[] = [];
    for (const one of wallets) reserved.push(idOf(await page.create(one)));
    const last = await world.wallet(PRICE);
    expect(statusAndCode(await createOf(page, last))).toBe('429 pending_cap_reached');
    expect(idOf(await page.create(first))).toBe(reserved[0]);
    // Expired subscriptions leave room, and the session forgets none of them.
    world.advance(30 * MINUTE + SECOND);
    await world.work();
    expect((await createOf(page, last)).status).toBe(201);
    await page.submit(first, await page.create(first));
    expect(codeOf(await createOf(page, last))).toBe('session_complete');
  });

  // checkout-sessions#session-that-is-full
  it('are a hundred of a session in all, in which the wallets that it has go on', async () => {
    const page = await openLink(world, link);
    const sessionId = String((await page.view())['id']) as SessionId;
    const pending = idOf(await page.create(wallet));
    for (let row = 1; row < 100; row++)
      await world.store.reserveForSession({
        sessionId,
        subscriptionId: `sub_${String(row).padStart(24, '0')}` as SubscriptionId,
        reservedAt: world.now(),
      });
    const other = await world.wallet(PRICE);
    const refused = await createOf(page, other);
    expect(statusAndCode(refused)).toBe('409 session_full');
    expect(refused.headers.get('retry-after')).toBeNull();
    // Nobody tops up a wallet for it.
    expect(statusAndCode(await createOf(page, await world.wallet(0n)))).toBe('409 session_full');
    await (await openLink(world, link)).create(other);
    const again = await page.create(wallet);
    expect(idOf(again)).toBe(pending);
    expect((await page.submit(wallet, again)).status).toBe(201);
  });
});
