// Heavy: each answer is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import { SIGNATURE } from './routes.js';
import {
  DAY,
  MINUTE,
  PERIOD,
  PRICE,
  statusAndCode,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

async function subscribed(options: ScenarioOptions = {}) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet();
  const id = await scenario.subscribe(wallet);
  return { scenario, wallet, id, outside: await scenario.outside(wallet) };
}

/** A subscription that stopped because its authorisation was closed: it can be closed at once. */
async function abandoned() {
  const world = await subscribed();
  await world.outside.closeAuthority();
  await suite.control.pass(PERIOD);
  expect(await world.scenario.read(world.id)).toMatchObject({
    status: 'stopped',
    stop_reason: 'authority_closed',
    closable: true,
  });
  return world;
}

const build = (scenario: Scenario, id: string) => scenario.api.post(`/subscriptions/${id}/close`);
const lamports = async (scenario: Scenario, wallet: { readonly address: string }) =>
  (await scenario.rpc.getBalance(wallet.address as Parameters<Scenario['rpc']['getBalance']>[0]).send())
    .value;

describe('POST /v1/subscriptions/{id}/close', () => {
  // cancel-resume-close#end-reason-after-closing, cancel-resume-close#deposit-returns-to-its-payer
  it('closes a cancellation whose end has passed, and returns the deposit to the wallet', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await suite.control.pass(PERIOD);
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'cancelled',
      closable: true,
    });
    const before = await lamports(scenario, wallet);
    const answer = await scenario.act('close', id, wallet);
    expect(answer.body).toMatchObject({
      subscription: { status: 'ended', end_reason: 'closed', closable: false },
    });
    expect(await scenario.read(id)).toEqual(answer.body['subscription']);
    expect(await lamports(scenario, wallet)).toBeGreaterThan(before);
    expect((await scenario.eventTypes(id)).slice(2)).toEqual(['cancelled', 'access_revoked', 'ended']);
  });

  // cancel-resume-close#closing-a-stopped-subscription
  it('closes a subscription stopped with authority_closed at once, and raises ended', async () => {
    const { scenario, wallet, id } = await abandoned();
    const answer = await scenario.act('close', id, wallet);
    expect(answer.body).toMatchObject({
      subscription: { status: 'ended', end_reason: 'closed', closable: false },
    });
    expect((await scenario.events(id)).at(-1)).toMatchObject({
      type: 'subscription.ended',
      detail: {},
      data: { end_reason: 'closed' },
    });
  });

  // cancel-resume-close#end-reason-after-closing
  it('keeps the end_reason of a subscription that ended with its plan', async () => {
    const ending = PERIOD + 6 * MINUTE;
    const { scenario, wallet, id } = await subscribed({ endsAfter: ending });
    await suite.control.pass(ending + MINUTE);
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'plan_ended',
      closable: true,
    });
    const answer = await scenario.act('close', id, wallet);
    expect(answer.body).toMatchObject({ subscription: { end_reason: 'plan_ended', closable: false } });
  });

  // cancel-resume-close#close-too-early
  it('409 close_too_early while a cancellation runs, with the date in the message', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    const { closable_from } = await scenario.read(id);
    const answer = await build(scenario, id);
    expect(statusAndCode(answer)).toBe('409 close_too_early');
    expect(answer.body['message']).toContain(closable_from);
  });

  // cancel-resume-close#closing-a-stopped-subscription
  it('409 subscription_not_cancelled when it runs, or stopped out of retries or past its deadline', async () => {
    const { scenario, id } = await subscribed();
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_not_cancelled');
    expect(statusAndCode(await scenario.confirm('close', id, SIGNATURE))).toBe(
      '409 subscription_not_cancelled',
    );
    const poor = await scenario.subscribe(await scenario.wallet(PRICE), { external_id: 'b' });
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await scenario.read(poor)).toMatchObject({ stop_reason: 'out_of_retries' });
    expect(statusAndCode(await build(scenario, poor))).toBe('409 subscription_not_cancelled');
  });

  it('409 subscription_not_on_chain when it is already closed, on build and on confirm', async () => {
    const { scenario, id, outside } = await subscribed();
    await outside.remove('subscription');
    await suite.control.pass(PERIOD + 5 * MINUTE);
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'closed_elsewhere',
      closable: false,
    });
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_not_on_chain');
    expect(statusAndCode(await scenario.confirm('close', id, SIGNATURE))).toBe(
      '409 subscription_not_on_chain',
    );
    const second = await abandoned();
    await second.scenario.act('close', second.id, second.wallet);
    expect(statusAndCode(await build(second.scenario, second.id))).toBe('409 subscription_not_on_chain');
  });
});

describe('POST /v1/subscriptions/{id}/close/confirm', () => {
  // cancel-resume-close#order-of-confirm-checks
  it('confirming again answers the subscription', async () => {
    const { scenario, wallet, id } = await abandoned();
    const first = await scenario.act('close', id, wallet);
    expect((await scenario.confirm('close', id, SIGNATURE)).body).toEqual(first.body);
  });
});
