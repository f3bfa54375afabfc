import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { signBuilt, signText } from '@subrail/host-node/local';
import { signWithNonce } from '@subrail/test-world';
import { HOUR, MINUTE, PERIOD, PRICE, SECOND, short, type IssuedCheckout } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('POST /v1/subscriptions/{id}/submit', () => {
  it('co-signs, sends, waits for the chain, and answers the subscription, active', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const answer = await scene.submit(await scene.handed(wallet), wallet);
    expect(Object.keys(answer.body)).toEqual(['subscription']);
    expect(answer).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active', access: true, payment_status: 'paid' } },
    });
    expect(await scene.holding(wallet)).toBe(9n * PRICE);
    expect(await scene.holding(scene.owner)).toBe(PRICE);
  });

  it('raises created with the first payment, then access_granted (events#order-within-one-change)', async () => {
    const scene = await suite.scene();
    const id = await scene.subscribe(await scene.wallet());
    expect(await scene.told(id)).toEqual(['created', 'access_granted']);
    const one = await scene.read(id);
    const [attempt] = await scene.attempts(id);
    expect((await scene.events(id))[0]?.detail).toEqual({
      first_payment: {
        amount: PRICE.toString(),
        mint: scene.token.mint,
        period_start: one['current_period_start'],
        period_end: one['current_period_end'],
        signature: attempt?.['signature'],
      },
    });
  });

  it('is safe to repeat unchanged: it is answered from the chain, and nobody is charged twice', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const first = await scene.submit(handed, wallet);
    await suite.control.pass(HOUR);
    const again = await scene.submit(handed, wallet);
    expect(again).toMatchObject({ status: 201, body: { subscription: { id: handed.subscription.id } } });
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body));
    expect(await scene.holding(wallet)).toBe(9n * PRICE);
    expect(await scene.told(handed.subscription.id)).toEqual(['created', 'access_granted']);
  });

  it('the same holds for one that landed while the service could not see it: the sweep settles it', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const answer = await suite.during('landings_untold', () => scene.submit(handed, wallet));
    expect(short(answer)).toBe('201 nothing_landed');
    expect(answer.body).toMatchObject({ subscription: { status: 'pending' } });
    await suite.control.pass(MINUTE);
    expect(await scene.read(handed.subscription.id)).toMatchObject({ status: 'active' });
    expect(await scene.submit(handed, wallet)).toMatchObject({
      status: 201,
      body: { subscription: { access: true } },
    });
    expect(await scene.holding(wallet)).toBe(9n * PRICE);
  });
});

describe('submit settles nothing, and says why (Confirmation)', () => {
  it('transaction_expired: the blockhash ran out before it landed; it stays pending', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    await suite.control.pass(20 * SECOND);
    const answer = await suite.during('sends_lost', () => scene.submit(handed, wallet));
    expect(short(answer)).toBe('201 transaction_expired');
    expect(answer.body).toMatchObject({ subscription: { status: 'pending' } });
    expect(typeof answer.body['reason']).toBe('string');
    expect(short(await scene.submit(handed, wallet))).toBe('201 transaction_expired');
    // The terms stay spent: the next transaction comes with new ones.
    const fresh = (await scene.fresh(handed.subscription.id)).body as unknown as IssuedCheckout;
    expect(fresh.terms.message).not.toBe(handed.terms.message);
    expect(short(await scene.submit(fresh, wallet))).toBe('201');
  });

  it('transaction_failed: it landed and the chain refused it; it stays pending', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    suite.control.meanwhile('send', () => scene.holds(wallet, 0n));
    const answer = await scene.submit(handed, wallet);
    expect(short(answer)).toBe('201 transaction_failed');
    expect(answer.body).toMatchObject({ subscription: { status: 'pending' } });
    await scene.holds(wallet, PRICE);
    expect(short(await scene.submit(handed, wallet))).toBe('201 transaction_failed');
  });

  it.each([
    ['subscription_remade', 'no subscription stands any more', 'remove'],
    ['subscription_mismatch', 'another price stands', 'remake'],
  ] as const)('%s: it landed, and %s; it failed, and its payment is on record', async (code, _, how) => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const outside = await scene.outside(wallet);
    suite.control.meanwhile('look', () =>
      how === 'remove' ? outside.remove('subscription') : outside.alterPrice(),
    );
    const answer = await scene.submit(handed, wallet);
    expect(short(answer)).toBe(`201 ${code}`);
    expect(answer.body).toMatchObject({ subscription: { status: 'failed', access: false } });
    const { id } = handed.subscription;
    expect((await scene.api.get(`/subscriptions/${id}/attempts`)).body['paid']).toEqual({
      count: 1,
      amount: PRICE.toString(),
    });
    expect(await scene.read(id)).toMatchObject({ status: 'failed', payment_status: 'none' });
    expect(short(await scene.submit(handed, wallet))).toBe(`201 ${code}`);
  });
});

it('Confirmation: not_our_transaction of one that was co-signed for another subscription of the wallet', async () => {
  const scene = await suite.scene();
  const wallet = await scene.wallet();
  const mine = await scene.handed(wallet);
  const theirs = await scene.handed(wallet, { external_id: 'b' });
  expect(short(await scene.submit(theirs, wallet))).toBe('201');
  const answer = await scene.submit({ ...theirs, subscription: mine.subscription }, wallet);
  expect(short(answer)).toBe('201 not_our_transaction');
  expect(answer.body).toMatchObject({ subscription: { id: mine.subscription.id, status: 'expired' } });
  expect(await scene.holding(wallet)).toBe(9n * PRICE);
});

describe('submit is refused, in this order (checkout#order-of-create-refusals)', () => {
  it('409 not_awaiting_signature once it is settled by another transaction, or expired', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const first = await scene.handed(wallet);
    await suite.control.pass(SECOND);
    const second = (await scene.fresh(first.subscription.id)).body as unknown as IssuedCheckout;
    expect(short(await scene.submit(second, wallet))).toBe('201');
    expect(short(await scene.submit(first, wallet))).toBe('409 not_awaiting_signature');
  });

  it('409 transaction_not_built: the chain fell silent before there was one', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const other = await scene.handed(wallet, { external_id: 'b' });
    suite.control.meanwhile('build', async () => {
      suite.control.fault('chain_silent', true);
    });
    expect(short(await scene.create(wallet))).toBe('503 network_unavailable');
    suite.control.fault('chain_silent', false);
    const { body } = await scene.api.get('/subscriptions', { external_id: 'customer-1' });
    const [subscription] = body['data'] as readonly { readonly id: string }[];
    if (subscription === undefined) throw new Error('it was reserved');
    expect(short(await scene.submit({ ...other, subscription }, wallet))).toBe('409 transaction_not_built');
  });

  it('400 not_our_transaction: no transaction, another message, or one the wallet did not sign', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const [mine, other] = [await scene.handed(wallet), await scene.handed(wallet, { external_id: 'b' })];
    const terms_signature = await signText(wallet, mine.terms.message);
    const submit = (transaction: string) =>
      scene.api.post(`/subscriptions/${mine.subscription.id}/submit`, { transaction, terms_signature });
    expect(short(await submit('AAAA'))).toBe('400 not_our_transaction');
    expect(short(await submit('not base64'))).toBe('400 not_our_transaction');
    expect(short(await submit(mine.transaction))).toBe('400 not_our_transaction');
    await suite.control.pass(SECOND);
    await scene.fresh(other.subscription.id);
    await scene.fresh(mine.subscription.id);
    expect(short(await submit(await signBuilt(wallet, mine.transaction)))).toBe('400 not_our_transaction');
  });

  it('409 wallet_mismatch: another wallet signed it', async () => {
    const scene = await suite.scene();
    const [wallet, stranger] = [await scene.wallet(), await scene.wallet()];
    const mine = await scene.handed(wallet);
    const theirs = await scene.handed(stranger, { external_id: 'b' });
    const answer = await scene.submit({ ...theirs, subscription: mine.subscription }, stranger);
    expect(short(answer)).toBe('409 wallet_mismatch');
  });

  it("403 invalid_terms_signature: not the wallet's signature of the current text", async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const other = { ...handed, terms: { ...handed.terms, message: `${handed.terms.message} ` } };
    expect(short(await scene.submit(other, wallet))).toBe('403 invalid_terms_signature');
    const answer = await scene.api.post(`/subscriptions/${handed.subscription.id}/submit`, {
      transaction: await signBuilt(wallet, handed.transaction),
      terms_signature: 'no signature',
    });
    expect(short(answer)).toBe('403 invalid_terms_signature');
    expect(short(await scene.submit(handed, wallet))).toBe('201');
  });

  it('403 terms_used: another submit of the same transaction, under another valid signature, spent them', async () => {
    const scene = await suite.scene();
    const seed = new Uint8Array(32).fill(5);
    const wallet = await scene.wallet(PRICE, await createKeyPairSignerFromPrivateKeyBytes(seed));
    const handed = await scene.handed(wallet);
    const again = {
      transaction: await signWithNonce(wallet, seed, handed.transaction, 77n),
      terms_signature: await signText(wallet, handed.terms.message),
    };
    const path = `/subscriptions/${handed.subscription.id}/submit`;
    await suite.during('blocks_stand', async () => {
      expect(short(await scene.submit(handed, wallet))).toBe('201 nothing_landed');
      expect(short(await scene.api.post(path, again))).toBe('403 terms_used');
    });
  });

  it('403 terms_expired: the signature fits, and its five minutes are over', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    await suite.control.pass(5 * MINUTE);
    expect(short(await scene.submit(handed, wallet))).toBe('403 terms_expired');
  });

  it('409 terms_changed: the plan changed since', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const outside = await scene.outside(wallet);
    const handed = await scene.handed(wallet);
    await outside.removeCharger();
    expect(short(await scene.submit(handed, wallet))).toBe('409 terms_changed');
  });

  it('409 terms_changed: what a symbol says changed since (terms#stable-terms)', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    suite.control.setToken(scene.token.mint, { symbol: 'USDX', name: 'Dollar X', logoUrl: null });
    expect(short(await scene.submit(handed, wallet))).toBe('409 terms_changed');
    const fresh = (await scene.fresh(handed.subscription.id)).body as unknown as IssuedCheckout;
    expect(short(await scene.submit({ ...fresh, terms: handed.terms }, wallet))).toBe(
      '403 invalid_terms_signature',
    );
  });

  it('409 transaction_expired: its 150 blocks are over; nothing is sent, and the terms are not spent', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    await suite.control.pass(2 * MINUTE);
    expect(short(await scene.submit(handed, wallet))).toBe('409 transaction_expired');
    expect(await scene.holding(wallet)).toBe(10n * PRICE);
    const fresh = (await scene.fresh(handed.subscription.id)).body as unknown as IssuedCheckout;
    expect(fresh.terms).toEqual(handed.terms);
    expect(short(await scene.submit(fresh, wallet))).toBe('201');
  });

  it('409 already_subscribed: the wallet subscribed on chain meanwhile, without the service', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const outside = await scene.outside(wallet);
    const handed = await scene.handed(wallet);
    await outside.subscribe();
    expect(short(await scene.submit(handed, wallet))).toBe('409 already_subscribed');
    expect(await scene.holding(wallet)).toBe(10n * PRICE);
  });

  it('409 not_awaiting_signature: another checkout of the wallet landed first (checkout#other-checkouts-of-the-wallet)', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const mine = await scene.handed(wallet);
    await suite.control.move(SECOND);
    const theirs = await scene.handed(wallet, { external_id: 'b' });
    suite.control.meanwhile('read', async () => {
      await scene.submit(theirs, wallet);
    });
    expect(short(await scene.submit(mine, wallet))).toBe('409 not_awaiting_signature');
    expect(await scene.holding(wallet)).toBe(9n * PRICE);
  });

  it('409 transaction_refused: the chain would refuse it; nothing is sent, and the terms are not spent', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    await scene.holds(wallet, 0n);
    expect(short(await scene.submit(handed, wallet))).toBe('409 transaction_refused');
    await scene.holds(wallet, PRICE);
    expect(short(await scene.submit(handed, wallet))).toBe('201');
  });

  it('409 subscription_changed: other calls are faster all the time', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const answer = await suite.during('writes_lost', () => scene.submit(handed, wallet));
    expect(short(answer)).toBe('409 subscription_changed');
    expect(await scene.holding(wallet)).toBe(10n * PRICE);
  });

  it('503 network_unavailable: the chain is silent, and the same submit goes through later', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const answer = await suite.during('chain_silent', () => scene.submit(handed, wallet));
    expect(short(answer)).toBe('503 network_unavailable');
    expect(short(await scene.submit(handed, wallet))).toBe('201');
  });

  it("the body is the signed transaction and the terms' signature, nothing less", async () => {
    const { api } = await suite.scene();
    const path = '/subscriptions/sub_000000000000000000000000/submit';
    for (const body of [{}, { transaction: 'AAAA' }, { transaction: '', terms_signature: 'a' }]) {
      expect(short(await api.post(path, body))).toBe('400 invalid_request');
    }
    expect(short(await api.post(path, { transaction: 'A', terms_signature: '1'.repeat(89) }))).toBe(
      '400 invalid_request',
    );
  });
});

it('a checkout that may still land is not expired (checkout#checkout-lifetime)', async () => {
  const scene = await suite.scene();
  const wallet = await scene.wallet();
  const handed = await scene.handed(wallet);
  suite.control.fault('landings_untold', true);
  await scene.submit(handed, wallet);
  await suite.control.pass(HOUR);
  expect(await scene.read(handed.subscription.id)).toMatchObject({ status: 'pending' });
  suite.control.fault('landings_untold', false);
  await suite.control.pass(PERIOD / 2);
  expect(await scene.read(handed.subscription.id)).toMatchObject({ status: 'active' });
});
