import { describe, expect, it } from 'vitest';
import type { SubscriptionWire } from '@subrail/core';
import { DAY, HOUR, MINUTE, PERIOD, PRICE, short, type Scene, type SceneOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('for each test');

async function subscribed(tokens = 10n * PRICE, options: SceneOptions = {}) {
  const scene = await suite.scene(options);
  const wallet = await scene.wallet(tokens);
  const id = await scene.subscribe(wallet);
  return { scene, wallet, id, outside: await scene.outside(wallet) };
}

/** Every status a subscription was told to have, in its order, each once. */
async function path(scene: Scene, id: string): Promise<readonly SubscriptionWire['status'][]> {
  const statuses = (await scene.events(id)).map(({ data }) => data.status);
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}

describe('States and transitions', () => {
  it('(none) to pending by create, and to active by submit', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const handed = await scene.handed(wallet);
    const { id } = handed.subscription;
    expect(await scene.read(id)).toMatchObject({ status: 'pending' });
    expect(await scene.told(id)).toEqual([]);
    await scene.submit(handed, wallet);
    expect(await scene.read(id)).toMatchObject({ status: 'active', access: true });
    expect(await path(scene, id)).toEqual(['active']);
  });

  it('pending to expired: a checkout nobody signed', async () => {
    const scene = await suite.scene();
    const { subscription } = await scene.handed(await scene.wallet());
    await suite.control.pass(HOUR);
    expect(await path(scene, subscription.id)).toEqual(['expired']);
    expect(await scene.read(subscription.id)).toMatchObject({
      status: 'expired',
      end_reason: null,
      stop_reason: null,
    });
  });

  it('active to unpaid by a rejected charge, and back by a retry that pays', async () => {
    const { scene, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    expect(await scene.read(id)).toMatchObject({ status: 'unpaid', payment_status: 'late' });
    await scene.holds(wallet, PRICE);
    await suite.control.pass(DAY);
    expect(await path(scene, id)).toEqual(['active', 'unpaid', 'active']);
  });

  it('unpaid to stopped: the last allowed retry is spent', async () => {
    const { scene, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await path(scene, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scene.read(id)).toMatchObject({
      stop_reason: 'out_of_retries',
      late_reason: 'insufficient_balance',
    });
  });

  it('unpaid to stopped on Free: retry_deadline passes with no retry by hand that paid', async () => {
    const { scene, id } = await subscribed(PRICE, { tier: 'free' });
    await suite.control.pass(2 * PERIOD);
    expect(await path(scene, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scene.read(id)).toMatchObject({ stop_reason: 'retry_deadline_passed' });
  });

  it('active to stopped: the authorisation reads as closed', async () => {
    const { scene, id, outside } = await subscribed();
    await outside.closeAuthority();
    await suite.control.pass(PERIOD);
    expect(await path(scene, id)).toEqual(['active', 'stopped']);
  });

  it('unpaid to stopped: the same, whatever retries are left', async () => {
    const { scene, id, outside } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await outside.closeAuthority();
    await suite.control.pass(DAY);
    expect(await path(scene, id)).toEqual(['active', 'unpaid', 'stopped']);
    expect(await scene.read(id)).toMatchObject({ stop_reason: 'authority_closed', closable: true });
  });

  it.each(['active', 'unpaid', 'stopped'] as const)(
    '%s to cancelled by a confirmed cancellation',
    async (from) => {
      const { scene, wallet, id } = await subscribed(from === 'active' ? 10n * PRICE : PRICE);
      if (from !== 'active') await suite.control.pass(from === 'unpaid' ? PERIOD : PERIOD + 4 * DAY);
      expect(await scene.read(id)).toMatchObject({ status: from });
      expect(short(await scene.act('cancel', id, wallet))).toBe('201');
      expect((await path(scene, id)).slice(-2)).toEqual([from, 'cancelled']);
    },
  );

  it('cancelled to active by a resume before its end', async () => {
    const { scene, wallet, id } = await subscribed();
    await scene.act('cancel', id, wallet);
    await scene.act('resume', id, wallet);
    expect(await path(scene, id)).toEqual(['active', 'cancelled', 'active']);
  });

  it('cancelled to ended by time, and the wallet can close it', async () => {
    const { scene, wallet, id } = await subscribed();
    await scene.act('cancel', id, wallet);
    await suite.control.pass(PERIOD + MINUTE);
    expect(await path(scene, id)).toEqual(['active', 'cancelled', 'ended']);
    expect(await scene.act('close', id, wallet)).toMatchObject({
      body: { subscription: { end_reason: 'closed' } },
    });
  });

  it('any charged state to ended: unpaid with its plan, and cancelled when it is closed elsewhere', async () => {
    const late = await subscribed(PRICE, { endsAfter: PERIOD + DAY });
    await suite.control.pass(PERIOD + DAY + MINUTE);
    expect(await path(late.scene, late.id)).toEqual(['active', 'unpaid', 'ended']);
    expect(await late.scene.read(late.id)).toMatchObject({ end_reason: 'plan_ended' });
    const { scene, wallet, id, outside } = await subscribed();
    await scene.act('cancel', id, wallet);
    await outside.remove('subscription');
    await suite.control.pass(PERIOD + HOUR);
    expect(await scene.read(id)).toMatchObject({ status: 'ended', access: false });
  });

  it('stopped to superseded by a return of its wallet', async () => {
    const { scene, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    await scene.holds(wallet, PRICE);
    await scene.subscribe(wallet);
    expect(await scene.read(id)).toMatchObject({ status: 'superseded', stop_reason: null, closable: false });
  });

  it('a retry, while running, leaves it unpaid; the outcome arrives as an event', async () => {
    const { scene, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await scene.holds(wallet, PRICE);
    await scene.api.post(`/subscriptions/${id}/retry`);
    await suite.control.visit();
    expect(await scene.read(id)).toMatchObject({ status: 'unpaid' });
    await suite.control.pass(MINUTE);
    expect((await scene.told(id)).at(-1)).toBe('renewed');
  });

  it('an unpaid or stopped one keeps its missed period: it is never collected when it is cancelled', async () => {
    const { scene, wallet, id } = await subscribed(PRICE);
    await suite.control.pass(PERIOD);
    await scene.act('cancel', id, wallet);
    await scene.holds(wallet, 5n * PRICE);
    await suite.control.pass(2 * PERIOD);
    expect(await scene.holding(wallet)).toBe(5n * PRICE);
    expect(await scene.outcomes(id)).toEqual(['rejected insufficient_balance']);
  });
});
