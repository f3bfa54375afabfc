// Heavy: each answer of a cancellation is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import { SIGNATURE } from './routes.js';
import { DAY, HOUR, PERIOD, PRICE, SECOND, statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

describe('POST /v1/subscriptions/{id}/cancel', () => {
  it('answers a transaction to sign, and changes nothing', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const before = await scenario.read(id);
    const answer = await scenario.api.post(`/subscriptions/${id}/cancel`);
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual([
      'transaction',
      'last_valid_block_height',
      'transaction_expires_at',
    ]);
    const expires = new Date(String(answer.body['transaction_expires_at'])).getTime();
    expect(expires).toBeGreaterThan(suite.control.now().getTime());
    expect(await scenario.read(id)).toEqual(before);
  });

  // cancel-resume-close#cancel-while-paid-up, cancel-resume-close#what-can-be-cancelled,
  // cancel-resume-close#expiry-of-a-cancellation
  it('cancels an active subscription, which keeps access to the end of the paid period', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const { current_period_end } = await scenario.read(id);
    const answer = await scenario.act('cancel', id, wallet);
    expect(answer.status).toBe(201);
    expect(answer.body['subscription']).toMatchObject({
      status: 'cancelled',
      access: true,
      payment_status: 'paid',
      access_until: current_period_end,
      closable: false,
      closable_from: current_period_end,
      next_charge_at: null,
    });
    expect((await scenario.eventTypes(id)).slice(2)).toEqual(['cancelled']);
  });

  // cancel-resume-close#what-can-be-cancelled, cancel-resume-close#expiry-of-a-cancellation
  it('cancels an unpaid subscription: access ends at once and nothing is collected', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet(PRICE);
    const id = await scenario.subscribe(wallet);
    const { current_period_end } = await scenario.read(id);
    await suite.control.pass(PERIOD);
    await scenario.setHolding(wallet, PRICE);
    const answer = await scenario.act('cancel', id, wallet);
    const end = new Date(new Date(String(current_period_end)).getTime() + PERIOD).toISOString();
    expect(answer.body['subscription']).toMatchObject({
      status: 'cancelled',
      access: false,
      payment_status: 'none',
      late_reason: null,
      access_until: null,
      closable_from: end,
    });
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      'renewal_upcoming',
      'payment_failed',
      'cancelled',
      'access_revoked',
    ]);
    await suite.control.pass(2 * PERIOD);
    expect(await scenario.holding(wallet)).toBe(PRICE);
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'cancelled',
      closable: true,
    });
  });

  // cancel-resume-close#what-can-be-cancelled
  it('cancels a stopped subscription, so that it can be closed once the period ends', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet(PRICE);
    const id = await scenario.subscribe(wallet);
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await scenario.read(id)).toMatchObject({
      status: 'stopped',
      closable: false,
      closable_from: null,
    });
    expect(await scenario.act('cancel', id, wallet)).toMatchObject({
      body: { subscription: { status: 'cancelled' } },
    });
    await suite.control.pass(PERIOD);
    expect(await scenario.act('close', id, wallet)).toMatchObject({
      body: { subscription: { status: 'ended', end_reason: 'closed' } },
    });
  });

  // cancel-resume-close#what-can-be-cancelled
  it('409 subscription_cancelled when it is already cancelled', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await scenario.act('cancel', id, wallet);
    expect(statusAndCode(await scenario.api.post(`/subscriptions/${id}/cancel`))).toBe(
      '409 subscription_cancelled',
    );
  });

  // cancel-resume-close#what-can-be-cancelled
  it('409 subscription_not_active when it is pending, expired or ended, on build and on confirm', async () => {
    const scenario = await suite.scenario();
    const expectNotActive = async (id: string, status: string) => {
      expect(await scenario.read(id)).toMatchObject({ status });
      for (const answer of [
        await scenario.api.post(`/subscriptions/${id}/cancel`),
        await scenario.confirm('cancel', id, SIGNATURE),
      ])
        expect(statusAndCode(answer)).toBe('409 subscription_not_active');
    };
    const wallet = await scenario.wallet();
    const ended = await scenario.subscribe(wallet);
    await scenario.act('cancel', ended, wallet);
    await suite.control.pass(PERIOD);
    await expectNotActive(ended, 'ended');
    const { subscription } = await scenario.issue(await scenario.wallet(), { external_id: 'customer-2' });
    await expectNotActive(subscription.id, 'pending');
    await suite.control.pass(HOUR);
    await expectNotActive(subscription.id, 'expired');
  });

  // cancel-resume-close#what-can-be-cancelled
  it('409 subscription_not_on_chain when it is already closed', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await (await scenario.outside(wallet)).remove('subscription');
    expect(statusAndCode(await scenario.api.post(`/subscriptions/${id}/cancel`))).toBe(
      '409 subscription_not_on_chain',
    );
  });
});

describe('POST /v1/subscriptions/{id}/cancel/confirm', () => {
  it('confirming again, with whatever signature, answers the same subscription and no reason', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const { wire, signature } = await scenario.signed('cancel', id, wallet);
    await scenario.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    const first = await scenario.confirm('cancel', id, signature);
    const second = await scenario.confirm('cancel', id, SIGNATURE);
    expect(second.body).toEqual(first.body);
    expect(Object.keys(first.body)).toEqual(['subscription']);
  });

  // cancel-resume-close#chain-state-decides-a-confirm
  it('settles by the state of the chain, whatever transaction made the change', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const outside = await scenario.outside(wallet);
    const { signature } = await scenario.signed('cancel', id, wallet);
    await outside.cancel();
    expect(await scenario.confirm('cancel', id, signature)).toMatchObject({
      status: 201,
      body: { subscription: { status: 'cancelled' } },
    });
  });

  // cancel-resume-close#chain-state-decides-a-confirm
  it('cancellation_not_landed at once when the signature is of another transaction that landed', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    await scenario.signed('cancel', id, wallet);
    const { body } = await scenario.api.get(`/subscriptions/${id}/attempts`);
    const [paid] = body['data'] as { signature: string }[];
    const before = suite.control.now();
    const answer = await scenario.confirm('cancel', id, String(paid?.signature));
    expect(statusAndCode(answer)).toBe('201 cancellation_not_landed');
    expect(suite.control.now()).toEqual(before);
  });

  // cancel-resume-close#reason-codes-of-a-confirm
  it('transaction_failed when it landed and the chain refused it', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    const outside = await scenario.outside(wallet);
    const { wire, signature } = await scenario.signed('cancel', id, wallet);
    await outside.cancel();
    await scenario.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    await outside.resume();
    expect(statusAndCode(await scenario.confirm('cancel', id, signature))).toBe('201 transaction_failed');
    expect(await scenario.read(id)).toMatchObject({ status: 'active' });
  });

  // cancel-resume-close#reason-codes-of-a-confirm
  it('subscription_changed when it changed while the cancellation was read, and is left as it is', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet(PRICE);
    const id = await scenario.subscribe(wallet);
    await suite.control.pass(PERIOD);
    const { wire, signature } = await scenario.signed('cancel', id, wallet);
    await scenario.setHolding(wallet, PRICE);
    await scenario.api.post(`/subscriptions/${id}/retry`);
    await suite.control.runWorkerOnce();
    await scenario.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    // The charge in progress is settled while the service reads the cancellation.
    suite.control.before('resolve', () => suite.control.pass(5 * SECOND));
    const answer = await scenario.confirm('cancel', id, signature);
    expect(statusAndCode(answer)).toBe('201 subscription_changed');
    expect(answer.body).toMatchObject({ subscription: { status: 'active' } });
    expect(statusAndCode(await scenario.confirm('cancel', id, signature))).toBe('201');
  });
});
