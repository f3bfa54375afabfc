// Heavy: each answer of a submit is reached over HTTP, some of them after months.

import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { signMessage, signTransaction } from '@subrail/localnet';
import { signWithNonce } from '@subrail/test-world';
import { HOUR, MINUTE, PERIOD, PRICE, SECOND, statusAndCode, type IssuedCheckout } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('POST /v1/subscriptions/{id}/submit', () => {
  // checkout#fee-payer-and-first-charge
  it('co-signs, sends, waits for the chain, and answers the active subscription', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const answer = await scenario.submit(await scenario.issue(wallet), wallet);
    expect(Object.keys(answer.body)).toEqual(['subscription']);
    expect(answer).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active', access: true, payment_status: 'paid' } },
    });
    expect(await scenario.holding(wallet)).toBe(9n * PRICE);
    expect(await scenario.holding(scenario.owner)).toBe(PRICE);
  });

  // events#order-within-one-change
  it('raises created with the first payment, then access_granted', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    expect(await scenario.eventTypes(id)).toEqual(['created', 'access_granted']);
    const one = await scenario.read(id);
    const [attempt] = await scenario.attempts(id);
    expect((await scenario.events(id))[0]?.detail).toEqual({
      first_payment: {
        amount: PRICE.toString(),
        mint: scenario.token.mint,
        period_start: one['current_period_start'],
        period_end: one['current_period_end'],
        signature: attempt?.['signature'],
      },
    });
  });

  // checkout#repeated-submit-is-idempotent
  it('is answered from the chain when repeated unchanged, and charges once', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const first = await scenario.submit(checkout, wallet);
    await suite.control.pass(HOUR);
    const again = await scenario.submit(checkout, wallet);
    expect(again).toMatchObject({ status: 201, body: { subscription: { id: checkout.subscription.id } } });
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body));
    expect(await scenario.holding(wallet)).toBe(9n * PRICE);
    expect(await scenario.eventTypes(checkout.subscription.id)).toEqual(['created', 'access_granted']);
  });

  // checkout#sweep-before-expiry
  it('answers a checkout that the sweep settled when it landed unseen', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const answer = await suite.during('outcomes_unknown', () => scenario.submit(checkout, wallet));
    expect(statusAndCode(answer)).toBe('201 nothing_landed');
    expect(answer.body).toMatchObject({ subscription: { status: 'pending' } });
    await suite.control.pass(MINUTE);
    expect(await scenario.read(checkout.subscription.id)).toMatchObject({ status: 'active' });
    expect(await scenario.submit(checkout, wallet)).toMatchObject({
      status: 201,
      body: { subscription: { access: true } },
    });
    expect(await scenario.holding(wallet)).toBe(9n * PRICE);
  });
});

describe('submit settles nothing and says why', () => {
  // checkout#outcomes-of-a-submit
  it('transaction_expired when the blockhash expired before it landed; it stays pending', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    await suite.control.pass(20 * SECOND);
    const answer = await suite.during('sends_lost', () => scenario.submit(checkout, wallet));
    expect(statusAndCode(answer)).toBe('201 transaction_expired');
    expect(answer.body).toMatchObject({ subscription: { status: 'pending' } });
    expect(typeof answer.body['reason']).toBe('string');
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201 transaction_expired');
    // The terms stay spent: the next transaction comes with new ones.
    const fresh = (await scenario.fresh(checkout.subscription.id)).body as unknown as IssuedCheckout;
    expect(fresh.terms.message).not.toBe(checkout.terms.message);
    expect(statusAndCode(await scenario.submit(fresh, wallet))).toBe('201');
  });

  // checkout#outcomes-of-a-submit, checkout#terms-stay-spent-after-failure
  it('transaction_failed when it landed and the chain refused it; it stays pending', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    suite.control.before('send', () => scenario.setHolding(wallet, 0n));
    const answer = await scenario.submit(checkout, wallet);
    expect(statusAndCode(answer)).toBe('201 transaction_failed');
    expect(answer.body).toMatchObject({ subscription: { status: 'pending' } });
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201 transaction_failed');
  });

  // checkout#outcomes-of-a-submit
  it.each([
    ['subscription_remade', 'the subscription is gone from the chain', 'remove'],
    ['subscription_mismatch', 'the subscription on chain has another price', 'remake'],
  ] as const)('%s when it landed and %s; it failed, and its payment is on record', async (code, _, how) => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const outside = await scenario.outside(wallet);
    suite.control.before('resolve', () =>
      how === 'remove' ? outside.remove('subscription') : outside.alterPrice(),
    );
    const answer = await scenario.submit(checkout, wallet);
    expect(statusAndCode(answer)).toBe(`201 ${code}`);
    expect(answer.body).toMatchObject({ subscription: { status: 'failed', access: false } });
    const { id } = checkout.subscription;
    expect((await scenario.api.get(`/subscriptions/${id}/attempts`)).body['paid']).toEqual({
      count: 1,
      amount: PRICE.toString(),
    });
    expect(await scenario.read(id)).toMatchObject({ status: 'failed', payment_status: 'none' });
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe(`201 ${code}`);
  });
});

it('submit answers not_our_transaction for one that was co-signed for another subscription of the wallet', async () => {
  const scenario = await suite.scenario();
  const wallet = await scenario.wallet();
  const mine = await scenario.issue(wallet);
  const theirs = await scenario.issue(wallet, { external_id: 'b' });
  expect(statusAndCode(await scenario.submit(theirs, wallet))).toBe('201');
  const answer = await scenario.submit({ ...theirs, subscription: mine.subscription }, wallet);
  expect(statusAndCode(answer)).toBe('201 not_our_transaction');
  expect(answer.body).toMatchObject({ subscription: { id: mine.subscription.id, status: 'expired' } });
  expect(await scenario.holding(wallet)).toBe(9n * PRICE);
});

// checkout#order-of-submit-checks
describe('submit is refused in this order', () => {
  it('409 not_awaiting_signature once another transaction settled it, or it expired', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const first = await scenario.issue(wallet);
    await suite.control.pass(SECOND);
    const second = (await scenario.fresh(first.subscription.id)).body as unknown as IssuedCheckout;
    expect(statusAndCode(await scenario.submit(second, wallet))).toBe('201');
    expect(statusAndCode(await scenario.submit(first, wallet))).toBe('409 not_awaiting_signature');
    const other = await scenario.wallet();
    const expired = await scenario.issue(other, { external_id: 'b' });
    await suite.control.pass(HOUR);
    expect(statusAndCode(await scenario.submit(expired, other))).toBe('409 not_awaiting_signature');
  });

  it('409 transaction_not_built when the chain became unreachable before there was one', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const other = await scenario.issue(wallet, { external_id: 'b' });
    suite.control.before('build', async () => {
      suite.control.fault('chain_unreachable', true);
    });
    expect(statusAndCode(await scenario.create(wallet))).toBe('503 network_unavailable');
    suite.control.fault('chain_unreachable', false);
    const { body } = await scenario.api.get('/subscriptions', { external_id: 'customer-1' });
    const [subscription] = body['data'] as readonly { readonly id: string }[];
    if (subscription === undefined) throw new Error('The checkout was not reserved.');
    expect(statusAndCode(await scenario.submit({ ...other, subscription }, wallet))).toBe(
      '409 transaction_not_built',
    );
  });

  it('400 not_our_transaction for no transaction, another message, or one the wallet did not sign', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const [mine, other] = [await scenario.issue(wallet), await scenario.issue(wallet, { external_id: 'b' })];
    const terms_signature = await signMessage(wallet, mine.terms.message);
    const submit = (transaction: string) =>
      scenario.api.post(`/subscriptions/${mine.subscription.id}/submit`, { transaction, terms_signature });
    expect(statusAndCode(await submit('AAAA'))).toBe('400 not_our_transaction');
    expect(statusAndCode(await submit('not base64'))).toBe('400 not_our_transaction');
    expect(statusAndCode(await submit(mine.transaction))).toBe('400 not_our_transaction');
    await suite.control.pass(SECOND);
    await scenario.fresh(other.subscription.id);
    await scenario.fresh(mine.subscription.id);
    expect(statusAndCode(await submit(await signTransaction(wallet, mine.transaction)))).toBe(
      '400 not_our_transaction',
    );
  });

  it('409 wallet_mismatch when another wallet signed it', async () => {
    const scenario = await suite.scenario();
    const [wallet, other] = [await scenario.wallet(), await scenario.wallet()];
    const mine = await scenario.issue(wallet);
    const theirs = await scenario.issue(other, { external_id: 'b' });
    const answer = await scenario.submit({ ...theirs, subscription: mine.subscription }, other);
    expect(statusAndCode(answer)).toBe('409 wallet_mismatch');
  });

  // terms#terms-refusals-at-submit, terms#terms-signature-encoding
  it("403 invalid_terms_signature when it is not the wallet's signature of the current text", async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const other = { ...checkout, terms: { ...checkout.terms, message: `${checkout.terms.message} ` } };
    expect(statusAndCode(await scenario.submit(other, wallet))).toBe('403 invalid_terms_signature');
    const ofAnother = await signMessage(await scenario.wallet(), checkout.terms.message);
    for (const terms_signature of ['no signature', ofAnother]) {
      const answer = await scenario.api.post(`/subscriptions/${checkout.subscription.id}/submit`, {
        transaction: await signTransaction(wallet, checkout.transaction),
        terms_signature,
      });
      expect(statusAndCode(answer)).toBe('403 invalid_terms_signature');
    }
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201');
  });

  // terms#terms-are-spent-once
  it('403 terms_used when a submit with another valid signature spent the terms', async () => {
    const scenario = await suite.scenario();
    const seed = new Uint8Array(32).fill(5);
    const wallet = await scenario.wallet(PRICE, await createKeyPairSignerFromPrivateKeyBytes(seed));
    const checkout = await scenario.issue(wallet);
    const again = {
      transaction: await signWithNonce(wallet, seed, checkout.transaction, 77n),
      terms_signature: await signMessage(wallet, checkout.terms.message),
    };
    const path = `/subscriptions/${checkout.subscription.id}/submit`;
    await suite.during('blocks_stopped', async () => {
      expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201 nothing_landed');
      expect(statusAndCode(await scenario.api.post(path, again))).toBe('403 terms_used');
    });
  });

  // terms#terms-refusals-at-submit
  it('403 terms_expired when the signature fits and the five minutes are over', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    await suite.control.pass(5 * MINUTE);
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('403 terms_expired');
  });

  it('409 terms_changed when the plan changed since', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const outside = await scenario.outside(wallet);
    const checkout = await scenario.issue(wallet);
    await outside.removeCharger();
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('409 terms_changed');
  });

  // terms#stable-terms
  it('409 terms_changed when the verified symbol changed since', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    suite.control.setToken(scenario.token.mint, { symbol: 'USDX', name: 'Dollar X', logoUrl: null });
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('409 terms_changed');
    const fresh = (await scenario.fresh(checkout.subscription.id)).body as unknown as IssuedCheckout;
    expect(statusAndCode(await scenario.submit({ ...fresh, terms: checkout.terms }, wallet))).toBe(
      '403 invalid_terms_signature',
    );
  });

  // checkout#expired-transaction-at-submit
  it('409 transaction_expired past its 150 blocks; nothing is sent and the terms are not spent', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    await suite.control.pass(61 * SECOND);
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('409 transaction_expired');
    expect(await scenario.holding(wallet)).toBe(10n * PRICE);
    const fresh = (await scenario.fresh(checkout.subscription.id)).body as unknown as IssuedCheckout;
    expect(fresh.terms).toEqual(checkout.terms);
    expect(statusAndCode(await scenario.submit(fresh, wallet))).toBe('201');
  });

  // checkout#wallet-checked-again-at-submit
  it('409 already_subscribed when the wallet subscribed on chain without the service', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const outside = await scenario.outside(wallet);
    const checkout = await scenario.issue(wallet);
    await outside.subscribe();
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('409 already_subscribed');
    expect(await scenario.holding(wallet)).toBe(10n * PRICE);
    const again = await scenario.create(wallet);
    expect(statusAndCode(again)).toBe('409 already_subscribed');
    expect(again.body['message']).toMatch(
      /on chain that is not on record here.*can cancel it on chain, close it/,
    );
  });

  // checkout#other-checkouts-of-the-wallet
  it('409 not_awaiting_signature when another checkout of the wallet landed first', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const mine = await scenario.issue(wallet);
    await suite.control.advance(SECOND);
    const theirs = await scenario.issue(wallet, { external_id: 'b' });
    suite.control.before('read', async () => {
      await scenario.submit(theirs, wallet);
    });
    expect(statusAndCode(await scenario.submit(mine, wallet))).toBe('409 not_awaiting_signature');
    expect(await scenario.holding(wallet)).toBe(9n * PRICE);
  });

  // checkout#simulation-before-sending
  it('409 transaction_refused when the chain would refuse it; nothing is sent and the terms are not spent', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    await scenario.setHolding(wallet, 0n);
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('409 transaction_refused');
    await scenario.setHolding(wallet, PRICE);
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201');
  });

  it('409 subscription_changed when every write conflicts', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const answer = await suite.during('writes_conflict', () => scenario.submit(checkout, wallet));
    expect(statusAndCode(answer)).toBe('409 subscription_changed');
    expect(await scenario.holding(wallet)).toBe(10n * PRICE);
  });

  it('503 network_unavailable while the chain is unreachable, and the same submit goes through later', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const checkout = await scenario.issue(wallet);
    const answer = await suite.during('chain_unreachable', () => scenario.submit(checkout, wallet));
    expect(statusAndCode(answer)).toBe('503 network_unavailable');
    expect(statusAndCode(await scenario.submit(checkout, wallet))).toBe('201');
  });

  it("requires the signed transaction and the terms' signature", async () => {
    const { api } = await suite.scenario();
    const path = '/subscriptions/sub_000000000000000000000000/submit';
    for (const body of [{}, { transaction: 'AAAA' }, { transaction: '', terms_signature: 'a' }]) {
      expect(statusAndCode(await api.post(path, body))).toBe('400 invalid_request');
    }
    expect(
      statusAndCode(await api.post(path, { transaction: 'A', terms_signature: '1'.repeat(4_097) })),
    ).toBe('400 invalid_request');
  });
});

// checkout#checkout-lifetime
it('keeps a checkout open while it may still land', async () => {
  const scenario = await suite.scenario();
  const wallet = await scenario.wallet();
  const checkout = await scenario.issue(wallet);
  suite.control.fault('outcomes_unknown', true);
  await scenario.submit(checkout, wallet);
  await suite.control.pass(HOUR);
  expect(await scenario.read(checkout.subscription.id)).toMatchObject({ status: 'pending' });
  suite.control.fault('outcomes_unknown', false);
  await suite.control.pass(PERIOD / 2);
  expect(await scenario.read(checkout.subscription.id)).toMatchObject({ status: 'active' });
});
