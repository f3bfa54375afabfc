import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, PERIOD, PRICE, SECOND, short, type Scene, type SceneOptions } from './scenario.js';
import type { OutsideActions } from '@subrail/test-world';
import { openSuite } from './suite.js';

const suite = openSuite();

/** What makes create and transaction refuse, for the plan's side. */
type Wrong = readonly [string, SceneOptions, (outside: OutsideActions, scene: Scene) => Promise<void>];

const ENDING = { endsAfter: PERIOD + 6 * MINUTE };
async function pastTheEnd(_: OutsideActions, scene: Scene): Promise<void> {
  const { ends_at } = (await scene.api.get('/plans/pro')).body;
  await suite.control.pass(new Date(String(ends_at)).getTime() + MINUTE - suite.control.now().getTime());
}

const PLAN_SIDE: readonly Wrong[] = [
  ['409 plan_mismatch', {}, (they) => they.removeCharger()],
  ['409 receiver_account_missing', {}, (they) => they.remove('receiver')],
  ['409 plan_ended', ENDING, pastTheEnd],
  ['409 plan_sunset', ENDING, (they) => they.sunset()],
  [
    '409 plan_removed',
    ENDING,
    async (they, scene) => {
      await pastTheEnd(they, scene);
      await they.deletePlan();
    },
  ],
  [
    '409 plan_replaced',
    ENDING,
    async (they, scene) => {
      await pastTheEnd(they, scene);
      await they.deletePlan();
      await they.recreatePlan();
    },
  ],
  ['400 mint_not_on_chain', {}, (they) => they.remove('mint')],
];

describe('POST /v1/subscriptions', () => {
  it('reserves a subscription, pending, and hands out its transaction, costs and terms', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const { body } = await scene.create(wallet, { external_id: 'customer-7', email: 'ada@example.org' });
    const { subscription, transaction_expires_at, costs } = body as {
      subscription: { id: string };
      transaction_expires_at: string;
      costs: { rent: Record<string, string>; fee: Record<string, string>; total: string };
    };
    expect(Object.keys(body)).toEqual([
      ...['subscription', 'transaction', 'last_valid_block_height', 'transaction_expires_at'],
      ...['costs', 'terms'],
    ]);
    const life = new Date(transaction_expires_at).getTime() - suite.control.now().getTime();
    expect(life).toBeGreaterThan(20 * SECOND);
    expect(life).toBeLessThan(90 * SECOND);
    // checkout#costs-of-a-checkout: what it costs is rent and fees, and adds up.
    const sum = (...parts: (string | undefined)[]) =>
      parts.reduce((all, part) => all + BigInt(part ?? '0'), 0n);
    expect(sum(costs.rent['subscription'], costs.rent['authority'])).toBe(BigInt(costs.rent['total'] ?? ''));
    expect(costs.fee).toEqual({ signatures: 2, per_signature: '5000', priority: '0', total: '10000' });
    expect(sum(costs.rent['total'], costs.fee['total'])).toBe(BigInt(costs.total));
    expect(await scene.read(subscription.id)).toMatchObject({
      status: 'pending',
      payment_status: 'none',
      access: false,
      wallet: wallet.address,
      external_id: 'customer-7',
      email: 'ada@example.org',
      current_period_start: null,
      confirmed_at: null,
    });
  });

  it('checkout#costs-of-a-checkout: costs.rent.authority is null when the wallet has an authority for the token', async () => {
    const scene = await suite.scene();
    await scene.addPlan({ name: 'Atlas' });
    const wallet = await scene.wallet();
    await scene.subscribe(wallet);
    const { body } = await scene.create(wallet, { plan: 'atlas' });
    expect(body).toMatchObject({ costs: { rent: { authority: null } } });
  });

  it('the customer is the external_id, else the email, else nobody', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const ask = async (customer: object) => {
      const { body } = await scene.api.post('/subscriptions', {
        plan: 'pro',
        wallet: wallet.address,
        ...customer,
      });
      return (body['subscription'] as { id: string }).id;
    };
    const both = await ask({ external_id: 'a', email: 'a@b.example' });
    expect(await ask({ external_id: 'a' })).toBe(both);
    const byEmail = await ask({ email: 'a@b.example' });
    expect(byEmail).not.toBe(both);
    const nobody = await ask({});
    expect(await ask({})).toBe(nobody);
    expect(new Set([both, byEmail, nobody]).size).toBe(3);
    expect(await scene.read(nobody)).toMatchObject({ external_id: null, email: null });
  });

  it('checkout#repeated-create-is-idempotent: repeated while nothing landed it answers the same subscription with a fresh transaction and the same terms', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const first = await scene.handed(wallet);
    await suite.control.pass(MINUTE);
    const second = await scene.handed(wallet);
    expect(second.subscription).toEqual(first.subscription);
    expect(second.terms).toEqual(first.terms);
    expect(second.transaction).not.toBe(first.transaction);
  });

  it('checkout#repeated-create-is-idempotent: a different email under the same external_id updates that of the checkout', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const { subscription } = await scene.handed(wallet, { email: 'old@example.org' });
    await scene.handed(wallet, { email: 'new@example.org' });
    expect(await scene.read(subscription.id)).toMatchObject({ email: 'new@example.org' });
    await scene.handed(wallet);
    expect(await scene.read(subscription.id)).toMatchObject({ email: 'new@example.org' });
  });

  it('checkout#other-checkouts-of-the-wallet: a different customer naming the same wallet gets its own; only the one that lands stays', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const [mine, theirs] = [
      await scene.handed(wallet, { external_id: 'a' }),
      await scene.handed(wallet, { external_id: 'b' }),
    ];
    expect(mine.subscription.id).not.toBe(theirs.subscription.id);
    await scene.submit(mine, wallet);
    expect(await scene.read(theirs.subscription.id)).toMatchObject({ status: 'expired', access: false });
    expect(await scene.told(theirs.subscription.id)).toEqual(['expired']);
  });

  it('checkout#checkout-lifetime: a checkout waits for half an hour after its last transaction, and then expires', async () => {
    const scene = await suite.scene();
    const { subscription } = await scene.handed(await scene.wallet());
    await suite.control.pass(29 * MINUTE);
    expect((await scene.fresh(subscription.id)).status).toBe(201);
    await suite.control.pass(29 * MINUTE);
    expect(await scene.read(subscription.id)).toMatchObject({ status: 'pending' });
    await suite.control.pass(2 * MINUTE);
    expect(await scene.read(subscription.id)).toMatchObject({ status: 'expired', payment_status: 'none' });
    expect(await scene.told(subscription.id)).toEqual(['expired']);
  });
});

describe('create is refused (checkout#order-of-create-refusals)', () => {
  it.each(PLAN_SIDE)('%s', async (expected, options, act) => {
    const scene = await suite.scene(options);
    const wallet = await scene.wallet();
    await act(await scene.outside(wallet), scene);
    expect(short(await scene.create(wallet))).toBe(expected);
    expect((await scene.api.get('/subscriptions', { wallet: wallet.address })).body['data']).toEqual([]);
  });

  it('404 plan_not_found for an unknown slug and a closed plan, 409 plan_not_on_chain for a draft', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    await scene.addPlan({ name: 'Draft' }, 'draft');
    expect(short(await scene.create(wallet, { plan: 'nothing' }))).toBe('404 plan_not_found');
    expect(short(await scene.create(wallet, { plan: 'draft' }))).toBe('409 plan_not_on_chain');
    await suite.control.retirePlan(scene.projectId, 'pro', 'closed');
    expect(short(await scene.create(wallet))).toBe('404 plan_not_found');
  });

  it('409 plan_sunset for one that takes no new subscriber', async () => {
    const scene = await suite.scene();
    await suite.control.retirePlan(scene.projectId, 'pro', 'sunset');
    expect(short(await scene.create(await scene.wallet()))).toBe('409 plan_sunset');
  });

  it('409 insufficient_balance when the wallet cannot pay the first charge, or has no token account', async () => {
    const scene = await suite.scene();
    expect(short(await scene.create(await scene.wallet(PRICE - 1n)))).toBe('409 insufficient_balance');
    const wallet = await scene.wallet(PRICE);
    await (await scene.outside(wallet)).closeTokenAccount();
    expect(short(await scene.create(wallet))).toBe('409 insufficient_balance');
  });

  it('409 already_subscribed while one runs, whoever the customer is', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    await scene.subscribe(wallet);
    expect(short(await scene.create(wallet))).toBe('409 already_subscribed');
    expect(short(await scene.create(wallet, { external_id: 'b' }))).toBe('409 already_subscribed');
  });

  it('409 payment_pending while it is late and being retried', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet(PRICE);
    await scene.subscribe(wallet);
    await suite.control.pass(PERIOD);
    await scene.holds(wallet, PRICE);
    expect(short(await scene.create(wallet))).toBe('409 payment_pending');
  });

  it('409 subscription_stopped after its authorisation was closed, until it is closed on chain', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    await (await scene.outside(wallet)).closeAuthority();
    await suite.control.pass(PERIOD);
    expect(short(await scene.create(wallet))).toBe('409 subscription_stopped');
    await scene.act('close', id, wallet);
    expect(short(await scene.create(wallet))).toBe('201');
  });

  it('409 subscription_cancelled while a cancellation runs, and past its end until it is closed (cancel-resume-close#close-before-subscribing-again)', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    await scene.act('cancel', id, wallet);
    const running = await scene.create(wallet);
    expect(short(running)).toBe('409 subscription_cancelled');
    expect(running.body['message']).toMatch(/ runs until \d{4}-\d{2}-\d{2}T.*Z\. Close it from then on, /);
    await suite.control.pass(PERIOD);
    const refused = await scene.create(wallet);
    expect(short(refused)).toBe('409 subscription_cancelled');
    expect(refused.body['message']).toContain('Close it first, then subscribe again.');
    await scene.act('close', id, wallet);
    expect(short(await scene.create(wallet))).toBe('201');
  });

  it('429 pending_cap_reached at the eleventh open checkout of one customer, until the oldest frees (checkout#pending-caps)', async () => {
    const scene = await suite.scene();
    for (let open = 0; open < 10; open++) await scene.handed(await scene.wallet());
    const wallet = await scene.wallet();
    const refused = await scene.create(wallet);
    expect(short(refused)).toBe('429 pending_cap_reached');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeLessThanOrEqual(30 * 60);
    expect(short(await scene.create(wallet, { external_id: 'somebody else' }))).toBe('201');
    await suite.control.pass(wait * SECOND);
    expect(short(await scene.create(wallet))).toBe('201');
  });

  it('409 subscription_changed when other calls are faster all the time', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const answer = await suite.during('writes_lost', () => scene.create(wallet));
    expect(short(answer)).toBe('409 subscription_changed');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(short(await scene.create(wallet))).toBe('201');
  });

  it('503 network_unavailable while the chain is silent, and nothing is reserved', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const answer = await suite.during('chain_silent', () => scene.create(wallet));
    expect(short(answer)).toBe('503 network_unavailable');
    expect(answer.headers.get('retry-after')).toBe('10');
    expect((await scene.api.get('/subscriptions', { wallet: wallet.address })).body['data']).toEqual([]);
  });

  it('409 seat_cap_reached over the subscriber limit; a checkout that was open is refused as well (seats-and-tiers#when-seats-are-checked)', async () => {
    const scene = await suite.scene({ tier: 'free' });
    const [waiting, late] = [await scene.wallet(), await scene.wallet()];
    for (let seat = 0; seat < 29; seat++) {
      await scene.subscribe(await scene.wallet(), { external_id: `customer-${seat}` });
    }
    const open = await scene.handed(waiting, { external_id: 'waiting' });
    await scene.subscribe(await scene.wallet(), { external_id: 'last' });
    expect(short(await scene.create(late, { external_id: 'late' }))).toBe('409 seat_cap_reached');
    expect(short(await scene.fresh(open.subscription.id))).toBe('409 seat_cap_reached');
    expect(short(await scene.submit(open, waiting))).toBe('409 seat_cap_reached');
    expect(await scene.holding(waiting)).toBe(10n * PRICE);
  });
});

describe('POST /v1/subscriptions/{id}/transaction', () => {
  it('builds a fresh transaction: only that of the last call can be submitted', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const first = await scene.handed(wallet);
    await suite.control.pass(SECOND);
    const answer = await scene.fresh(first.subscription.id);
    expect(Object.keys(answer.body)).toEqual(Object.keys(first));
    expect(short(await scene.submit(first, wallet))).toBe('400 not_our_transaction');
    const fresh = { ...first, transaction: String(answer.body['transaction']) };
    expect(await scene.submit(fresh, wallet)).toMatchObject({ body: { subscription: { status: 'active' } } });
  });

  it('terms#stable-terms: the terms keep their text until they expire; new text comes with a new nonce and five minutes', async () => {
    const scene = await suite.scene();
    const { subscription, terms } = await scene.handed(await scene.wallet());
    const { id } = subscription;
    await suite.control.pass(4 * MINUTE);
    expect((await scene.fresh(id)).body['terms']).toEqual(terms);
    await suite.control.pass(2 * MINUTE);
    const fresh = (await scene.fresh(id)).body['terms'] as typeof terms;
    expect(fresh.message).not.toBe(terms.message);
    const lines = (text: string) => text.split('\n').filter((line) => !/^(Nonce|Expires)/.test(line));
    expect(lines(fresh.message)).toEqual(lines(terms.message));
  });

  it.each(PLAN_SIDE)('is refused as create is: %s', async (expected, options, act) => {
    const scene = await suite.scene(options);
    const wallet = await scene.wallet();
    // A checkout waits half an hour: it is begun just before the plan's end.
    if (options.endsAfter !== undefined) await suite.control.pass(PERIOD - 10 * MINUTE);
    const { subscription } = await scene.handed(wallet);
    const outside = await scene.outside(wallet);
    // The worker would let the checkout expire on the way.
    const answer = await suite.during('worker_stopped', async () => {
      await act(others, scene);
      return scene.fresh(subscription.id);
    });
    expect(short(answer)).toBe(expected);
  });

  it('409 insufficient_balance when the wallet was emptied meanwhile', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const { subscription } = await scene.handed(wallet);
    await scene.holds(wallet, 0n);
    expect(short(await scene.fresh(subscription.id))).toBe('409 insufficient_balance');
  });

  it('409 not_awaiting_signature once it is settled or expired', async () => {
    const scene = await suite.scene();
    const id = await scene.subscribe(await scene.wallet());
    expect(short(await scene.fresh(id))).toBe('409 not_awaiting_signature');
    const { subscription } = await scene.handed(await scene.wallet(), { external_id: 'b' });
    await suite.control.pass(HOUR);
    expect(short(await scene.fresh(subscription.id))).toBe('409 not_awaiting_signature');
  });

  it('409 subscription_changed when other calls are faster all the time', async () => {
    const scene = await suite.scene();
    const { subscription } = await scene.handed(await scene.wallet());
    await suite.control.pass(SECOND);
    const answer = await suite.during('writes_lost', () => scene.fresh(subscription.id));
    expect(short(answer)).toBe('409 subscription_changed');
  });

  it('503 network_unavailable while the chain is silent', async () => {
    const scene = await suite.scene();
    const { subscription } = await scene.handed(await scene.wallet());
    const answer = await suite.during('chain_silent', () => scene.fresh(subscription.id));
    expect(short(answer)).toBe('503 network_unavailable');
  });
});
