// Heavy: the checks of create are tried one by one over HTTP.

import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  HOUR,
  MINUTE,
  PERIOD,
  PRICE,
  SECOND,
  statusAndCode,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js';
import type { OutsideActions } from '@subrail/test-world';
import { openSuite } from './suite.js';

const suite = openSuite();

/**
 * A state of the plan, the token or the wallet that refuses create and transaction: the answer, the options
 * of the scenario, and the act that causes it.
 */
type Refusal = readonly [
  string,
  ScenarioOptions,
  (outside: OutsideActions, scenario: Scenario, wallet: Address) => Promise<void>,
];

const ENDING = { endsAfter: PERIOD + 6 * MINUTE };
async function pastTheEnd(_: OutsideActions, scenario: Scenario): Promise<void> {
  const { ends_at } = (await scenario.api.get('/plans/pro')).body;
  await suite.control.pass(new Date(String(ends_at)).getTime() + MINUTE - suite.control.now().getTime());
}

const EXTENDED = { extended: true };

const REFUSALS: readonly Refusal[] = [
  ['409 plan_mismatch', {}, (they) => they.removeCharger()],
  ['409 receiver_account_missing', {}, (they) => they.remove('receiver')],
  ['409 plan_ended', ENDING, pastTheEnd],
  ['409 plan_sunset', ENDING, (they) => they.sunset()],
  [
    '409 plan_removed',
    ENDING,
    async (they, scenario) => {
      await pastTheEnd(they, scenario);
      await they.deletePlan();
    },
  ],
  [
    '409 plan_replaced',
    ENDING,
    async (they, scenario) => {
      await pastTheEnd(they, scenario);
      await they.deletePlan();
      await they.recreatePlan();
    },
  ],
  ['400 mint_not_on_chain', {}, (they) => they.remove('mint')],
  ['409 mint_not_transferable', EXTENDED, (_, scenario) => scenario.extend({ untransferable: true })],
  ['409 mint_transfer_hook', EXTENDED, (_, scenario) => scenario.extend({ hook: true })],
  ['409 mint_paused', EXTENDED, (_, scenario) => scenario.extend({ paused: true })],
  ['409 receiver_account_frozen', {}, (they) => they.freeze('owner')],
  ['409 receiver_account_needs_memo', EXTENDED, (_, scenario) => scenario.extend({ memo: true })],
  [
    '409 receiver_account_confidential_only',
    EXTENDED,
    (_, scenario) => scenario.extend({ confidentialOnly: true }),
  ],
  ['409 token_account_reassigned', {}, (they) => they.reassignTokenAccount()],
  ['409 token_account_frozen', {}, (they) => they.freeze('wallet')],
  ['409 token_account_guarded', EXTENDED, (_, scenario, wallet) => scenario.guard(wallet)],
  [
    '409 insufficient_lamports',
    {},
    (_, __, wallet) => suite.control.putAccount(wallet, { lamports: 1_000_000n }),
  ],
];

describe('POST /v1/subscriptions', () => {
  // events#silent-checkouts
  it('reserves a pending subscription and answers its transaction, costs and terms', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { body } = await scenario.create(wallet, { external_id: 'customer-7', email: 'ada@example.org' });
    const { subscription, transaction_expires_at, costs } = body as {
      subscription: { id: string };
      transaction_expires_at: string;
      costs: { rent: Record<string, string>; fee: Record<string, string>; total: string };
    };
    expect(Object.keys(body)).toEqual([
      ...['subscription', 'transaction', 'last_valid_block_height', 'transaction_expires_at'],
      ...['costs', 'terms'],
    ]);
    const lifetime = new Date(transaction_expires_at).getTime() - suite.control.now().getTime();
    expect(lifetime).toBeGreaterThan(20 * SECOND);
    expect(lifetime).toBeLessThan(90 * SECOND);
    // The costs are rent and fees, and add up (checkout#costs-of-a-checkout).
    const sum = (...parts: (string | undefined)[]) =>
      parts.reduce((all, part) => all + BigInt(part ?? '0'), 0n);
    expect(sum(costs.rent['subscription'], costs.rent['authority'])).toBe(BigInt(costs.rent['total'] ?? ''));
    expect(costs.fee).toEqual({ signatures: 2, per_signature: '5000', priority: '0', total: '10000' });
    expect(sum(costs.rent['total'], costs.fee['total'])).toBe(BigInt(costs.total));
    expect(await scenario.read(subscription.id)).toMatchObject({
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

  // checkout#costs-of-a-checkout
  it('costs.rent.authority is null when the wallet has an authority for the token', async () => {
    const scenario = await suite.scenario();
    await scenario.addPlan({ name: 'Atlas' });
    const wallet = await scenario.wallet();
    await scenario.subscribe(wallet);
    const { body } = await scenario.create(wallet, { plan: 'atlas' });
    expect(body).toMatchObject({ costs: { rent: { authority: null } } });
  });

  // checkout#customer-of-a-checkout
  it('identifies the customer by external_id, else by email, else by the wallet alone', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const createFor = async (customer: object) => {
      const { body } = await scenario.api.post('/subscriptions', {
        plan: 'pro',
        wallet: wallet.address,
        ...customer,
      });
      return (body['subscription'] as { id: string }).id;
    };
    const both = await createFor({ external_id: 'a', email: 'a@b.example' });
    expect(await createFor({ external_id: 'a' })).toBe(both);
    const byEmail = await createFor({ email: 'a@b.example' });
    expect(byEmail).not.toBe(both);
    const withoutCustomer = await createFor({});
    expect(await createFor({})).toBe(withoutCustomer);
    expect(new Set([both, byEmail, withoutCustomer]).size).toBe(3);
    expect(await scenario.read(withoutCustomer)).toMatchObject({ external_id: null, email: null });
  });

  // checkout#repeated-create-is-idempotent
  it('answers the same subscription with a fresh transaction and the same terms when repeated', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const first = await scenario.issue(wallet);
    await suite.control.pass(MINUTE);
    const second = await scenario.issue(wallet);
    expect(second.subscription).toEqual(first.subscription);
    expect(second.terms).toEqual(first.terms);
    expect(second.transaction).not.toBe(first.transaction);
  });

  // checkout#repeated-create-is-idempotent
  it('updates the email of the checkout when only the email differs', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { subscription } = await scenario.issue(wallet, { email: 'old@example.org' });
    await scenario.issue(wallet, { email: 'new@example.org' });
    expect(await scenario.read(subscription.id)).toMatchObject({ email: 'new@example.org' });
    await scenario.issue(wallet);
    expect(await scenario.read(subscription.id)).toMatchObject({ email: 'new@example.org' });
  });

  // checkout#other-checkouts-of-the-wallet, checkout#customer-of-a-checkout
  it('gives another customer of the same wallet a checkout, and only the one that lands stays', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const [mine, theirs] = [
      await scenario.issue(wallet, { external_id: 'a' }),
      await scenario.issue(wallet, { external_id: 'b' }),
    ];
    expect(mine.subscription.id).not.toBe(theirs.subscription.id);
    await scenario.submit(mine, wallet);
    expect(await scenario.read(theirs.subscription.id)).toMatchObject({ status: 'expired', access: false });
    expect(await scenario.eventTypes(theirs.subscription.id)).toEqual(['expired']);
  });

  // checkout#checkout-lifetime, checkout#sweep-before-expiry
  it('expires a checkout half an hour after its last transaction', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    await suite.control.pass(29 * MINUTE);
    expect((await scenario.fresh(subscription.id)).status).toBe(201);
    await suite.control.pass(29 * MINUTE);
    expect(await scenario.read(subscription.id)).toMatchObject({ status: 'pending' });
    await suite.control.pass(2 * MINUTE);
    expect(await scenario.read(subscription.id)).toMatchObject({ status: 'expired', payment_status: 'none' });
    expect(await scenario.eventTypes(subscription.id)).toEqual(['expired']);
  });
});

// checkout#order-of-create-refusals, checkout#plan-checks-at-checkout
describe('create is refused', () => {
  it.each(REFUSALS)('%s, and so is transaction', async (expected, options, act) => {
    const scenario = await suite.scenario(options);
    const wallet = await scenario.wallet();
    // The worker would expire the checkout meanwhile, and charge the subscriptions of other tests.
    await suite.during('worker_stopped', async () => {
      // A checkout waits for half an hour, so it is created just before the plan's end.
      if (options.endsAfter !== undefined) await suite.control.pass(PERIOD - 10 * MINUTE);
      const { subscription } = await scenario.issue(wallet);
      await act(await scenario.outside(wallet), scenario, wallet.address);
      expect(statusAndCode(await scenario.fresh(subscription.id))).toBe(expected);
      expect(statusAndCode(await scenario.create(wallet, { external_id: 'refused' }))).toBe(expected);
      expect((await scenario.api.get('/subscriptions', { external_id: 'refused' })).body['data']).toEqual([]);
    });
  });

  it('404 plan_not_found for an unknown slug and a closed plan, 409 plan_not_on_chain for a draft', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    await scenario.addPlan({ name: 'Draft' }, 'draft');
    expect(statusAndCode(await scenario.create(wallet, { plan: 'nothing' }))).toBe('404 plan_not_found');
    expect(statusAndCode(await scenario.create(wallet, { plan: 'draft' }))).toBe('409 plan_not_on_chain');
    await suite.control.retirePlan(scenario.projectId, 'pro', 'closed');
    expect(statusAndCode(await scenario.create(wallet))).toBe('404 plan_not_found');
  });

  it('409 plan_sunset for a plan that takes no new subscribers', async () => {
    const scenario = await suite.scenario();
    await suite.control.retirePlan(scenario.projectId, 'pro', 'sunset');
    expect(statusAndCode(await scenario.create(await scenario.wallet()))).toBe('409 plan_sunset');
  });

  // checkout#balance-for-the-first-charge
  it('409 insufficient_balance when the wallet cannot pay the first charge, or has no token account', async () => {
    const scenario = await suite.scenario();
    expect(statusAndCode(await scenario.create(await scenario.wallet(PRICE - 1n)))).toBe(
      '409 insufficient_balance',
    );
    const wallet = await scenario.wallet(PRICE);
    await (await scenario.outside(wallet)).closeTokenAccount();
    expect(statusAndCode(await scenario.create(wallet))).toBe('409 insufficient_balance');
  });

  // checkout#wallet-already-on-the-plan
  it('409 already_subscribed while a subscription runs, whoever the customer is', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    await scenario.subscribe(wallet);
    expect(statusAndCode(await scenario.create(wallet))).toBe('409 already_subscribed');
    expect(statusAndCode(await scenario.create(wallet, { external_id: 'b' }))).toBe('409 already_subscribed');
  });

  // checkout#wallet-already-on-the-plan
  it('409 payment_pending while it is late and retried', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet(PRICE);
    await scenario.subscribe(wallet);
    await suite.control.pass(PERIOD);
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await scenario.create(wallet))).toBe('409 payment_pending');
  });

  // checkout#wallet-already-on-the-plan
  it('409 subscription_stopped after its authorisation was closed, until it is closed on chain', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await (await scenario.outside(wallet)).closeAuthority();
    await suite.control.pass(PERIOD);
    expect(statusAndCode(await scenario.create(wallet))).toBe('409 subscription_stopped');
    await scenario.act('close', id, wallet);
    expect(statusAndCode(await scenario.create(wallet))).toBe('201');
  });

  // cancel-resume-close#close-before-subscribing-again, checkout#wallet-already-on-the-plan
  it('409 subscription_cancelled while a cancellation runs, and past its end until it is closed', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await scenario.act('cancel', id, wallet);
    const running = await scenario.create(wallet);
    expect(statusAndCode(running)).toBe('409 subscription_cancelled');
    expect(running.body['message']).toMatch(/ runs until \d{4}-\d{2}-\d{2}T.*Z\. Close it from then on, /);
    await suite.control.pass(PERIOD);
    const refused = await scenario.create(wallet);
    expect(statusAndCode(refused)).toBe('409 subscription_cancelled');
    expect(refused.body['message']).toContain('Close it first, then subscribe again.');
    await scenario.act('close', id, wallet);
    expect(statusAndCode(await scenario.create(wallet))).toBe('201');
  });

  // checkout#pending-caps
  it('429 pending_cap_reached at the eleventh open checkout of one customer, until the oldest expires', async () => {
    const scenario = await suite.scenario();
    for (let open = 0; open < 10; open++) await scenario.issue(await scenario.wallet());
    const wallet = await scenario.wallet();
    const refused = await scenario.create(wallet);
    expect(statusAndCode(refused)).toBe('429 pending_cap_reached');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeLessThanOrEqual(30 * 60);
    expect(statusAndCode(await scenario.create(wallet, { external_id: 'somebody else' }))).toBe('201');
    await suite.control.pass(wait * SECOND);
    expect(statusAndCode(await scenario.create(wallet))).toBe('201');
  });

  // checkout#concurrent-calls-and-conflicts
  it('409 subscription_changed when every write conflicts', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const answer = await suite.during('writes_conflict', () => scenario.create(wallet));
    expect(statusAndCode(answer)).toBe('409 subscription_changed');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(statusAndCode(await scenario.create(wallet))).toBe('201');
  });

  it('503 network_unavailable while the chain is unreachable, and nothing is reserved', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const answer = await suite.during('chain_unreachable', () => scenario.create(wallet));
    expect(statusAndCode(answer)).toBe('503 network_unavailable');
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(answer.body).toMatchObject({ retryable: true });
    expect((await scenario.api.get('/subscriptions', { wallet: wallet.address })).body['data']).toEqual([]);
  });

  // seats-and-tiers#when-seats-are-checked, seats-and-tiers#subscriber-limit
  it('409 seat_cap_reached over the subscriber limit, for an open checkout too', async () => {
    const scenario = await suite.scenario({ tier: 'free' });
    const [waiting, late] = [await scenario.wallet(), await scenario.wallet()];
    for (let seat = 0; seat < 29; seat++) {
      await scenario.subscribe(await scenario.wallet(), { external_id: `customer-${seat}` });
    }
    const open = await scenario.issue(waiting, { external_id: 'waiting' });
    await scenario.subscribe(await scenario.wallet(), { external_id: 'last' });
    expect(statusAndCode(await scenario.create(late, { external_id: 'late' }))).toBe('409 seat_cap_reached');
    expect(statusAndCode(await scenario.fresh(open.subscription.id))).toBe('409 seat_cap_reached');
    expect(statusAndCode(await scenario.submit(open, waiting))).toBe('409 seat_cap_reached');
    expect(await scenario.holding(waiting)).toBe(10n * PRICE);
    expect((await scenario.api.get('/plans/pro')).body).toMatchObject({ available: false });
  });
});

describe('POST /v1/subscriptions/{id}/transaction', () => {
  // checkout#fresh-transaction-for-a-checkout, checkout#which-transaction-can-be-submitted
  it('builds a fresh transaction, and only the last one can be submitted', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const first = await scenario.issue(wallet);
    await suite.control.pass(SECOND);
    const answer = await scenario.fresh(first.subscription.id);
    expect(Object.keys(answer.body)).toEqual(Object.keys(first));
    expect(statusAndCode(await scenario.submit(first, wallet))).toBe('400 not_our_transaction');
    const fresh = { ...first, transaction: String(answer.body['transaction']) };
    expect(await scenario.submit(fresh, wallet)).toMatchObject({
      body: { subscription: { status: 'active' } },
    });
  });

  // terms#stable-terms, terms#terms-lifetime-and-nonce
  it('keeps the text of the terms until they expire, and then makes a new nonce and five more minutes', async () => {
    const scenario = await suite.scenario();
    const { subscription, terms } = await scenario.issue(await scenario.wallet());
    const { id } = subscription;
    await suite.control.pass(4 * MINUTE);
    expect((await scenario.fresh(id)).body['terms']).toEqual(terms);
    await suite.control.pass(2 * MINUTE);
    const fresh = (await scenario.fresh(id)).body['terms'] as typeof terms;
    expect(fresh.message).not.toBe(terms.message);
    const lines = (text: string) => text.split('\n').filter((line) => !/^(Nonce|Expires)/.test(line));
    expect(lines(fresh.message)).toEqual(lines(terms.message));
  });

  // checkout#balance-for-the-first-charge
  it('409 insufficient_balance when the wallet was emptied meanwhile', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { subscription } = await scenario.issue(wallet);
    await scenario.setHolding(wallet, 0n);
    expect(statusAndCode(await scenario.fresh(subscription.id))).toBe('409 insufficient_balance');
  });

  it('409 not_awaiting_signature once it is settled or expired', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    expect(statusAndCode(await scenario.fresh(id))).toBe('409 not_awaiting_signature');
    const { subscription } = await scenario.issue(await scenario.wallet(), { external_id: 'b' });
    await suite.control.pass(HOUR);
    expect(statusAndCode(await scenario.fresh(subscription.id))).toBe('409 not_awaiting_signature');
  });

  it('409 subscription_changed when every write conflicts', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    await suite.control.pass(SECOND);
    const answer = await suite.during('writes_conflict', () => scenario.fresh(subscription.id));
    expect(statusAndCode(answer)).toBe('409 subscription_changed');
  });

  it('503 network_unavailable while the chain is unreachable', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    const answer = await suite.during('chain_unreachable', () => scenario.fresh(subscription.id));
    expect(statusAndCode(answer)).toBe('503 network_unavailable');
  });
});
