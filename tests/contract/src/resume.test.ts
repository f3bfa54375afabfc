// Heavy: each answer is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import { SIGNATURE } from './routes.js';
import {
  MINUTE,
  PERIOD,
  PRICE,
  SECOND,
  statusAndCode,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

/** A subscription whose cancellation runs. */
async function cancelled(options: ScenarioOptions = {}) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet();
  const id = await scenario.subscribe(wallet);
  const outside = await scenario.outside(wallet);
  await scenario.act('cancel', id, wallet);
  return { scenario, wallet, id, outside };
}

const build = (scenario: Scenario, id: string) => scenario.api.post(`/subscriptions/${id}/resume`);

describe('POST /v1/subscriptions/{id}/resume', () => {
  // cancel-resume-close#resumed-subscription
  it('makes it active again before its end, with the next charge on schedule', async () => {
    const { scenario, wallet, id } = await cancelled();
    const { current_period_end } = await scenario.read(id);
    const answer = await scenario.act('resume', id, wallet);
    expect(answer).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active', next_charge_at: current_period_end, closable_from: null } },
    });
    expect(Object.keys(answer.body)).toEqual(['subscription']);
    await suite.control.pass(PERIOD);
    // While the paid period runs, a resume changes no access and raises no access event.
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      ...['cancelled', 'resumed'],
      ...['renewal_upcoming', 'renewed'],
    ]);
  });

  // cancel-resume-close#reads-at-the-expiry, cancel-resume-close#resume-seen-after-the-expiry
  it('takes back a cancellation when it landed before the expiry and is read after it', async () => {
    const { scenario, wallet, id } = await cancelled();
    // The daily read comes before the last minute.
    await suite.control.pass(PERIOD - MINUTE);
    const { wire } = await scenario.signed('resume', id, wallet);
    await scenario.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    await suite.control.pass(2 * MINUTE);
    expect(await scenario.read(id)).toMatchObject({ status: 'active', access: true });
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      ...['cancelled', 'access_revoked'],
      ...['resumed', 'access_granted', 'renewed'],
    ]);
  });

  it('409 subscription_not_cancelled when nothing cancelled it, on record or on chain', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_not_cancelled');
    const outside = await scenario.outside(wallet);
    await scenario.act('cancel', id, wallet);
    await outside.resume();
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_not_cancelled');
  });

  it('409 subscription_ended when the paid period is over, or it was cancelled while late', async () => {
    const { scenario, id } = await cancelled();
    await suite.control.pass(PERIOD);
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_ended');
    expect(statusAndCode(await scenario.confirm('resume', id, SIGNATURE))).toBe('409 subscription_ended');
    const wallet = await scenario.wallet(PRICE);
    const behind = await scenario.subscribe(wallet, { external_id: 'b' });
    await suite.control.pass(PERIOD);
    await scenario.act('cancel', behind, wallet);
    expect(statusAndCode(await build(scenario, behind))).toBe('409 subscription_ended');
  });

  // cancel-resume-close#when-resume-is-possible
  it('409 subscription_ended when the authorisation it was made under is gone', async () => {
    const { scenario, id, outside } = await cancelled();
    await outside.closeAuthority();
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_ended');
  });

  it.each(['plan_removed', 'plan_replaced'] as const)('409 %s', async (code) => {
    const ending = PERIOD + 6 * MINUTE;
    const { scenario, id, outside } = await cancelled({ endsAfter: ending });
    const answer = await suite.during('worker_stopped', async () => {
      await suite.control.pass(ending);
      await outside.deletePlan();
      if (code === 'plan_replaced') await outside.recreatePlan();
      return build(scenario, id);
    });
    expect(statusAndCode(answer)).toBe(`409 ${code}`);
  });

  it('409 subscription_not_on_chain when it is already closed', async () => {
    const { scenario, id, outside } = await cancelled();
    await outside.remove('subscription');
    expect(statusAndCode(await build(scenario, id))).toBe('409 subscription_not_on_chain');
  });
});

describe('POST /v1/subscriptions/{id}/resume/confirm', () => {
  // cancel-resume-close#order-of-confirm-checks
  it('409 subscription_not_cancelled for a checkout, and 400 nothing_to_confirm for one that was never cancelled', async () => {
    const scenario = await suite.scenario();
    const { subscription } = await scenario.issue(await scenario.wallet());
    expect(statusAndCode(await scenario.confirm('resume', subscription.id, SIGNATURE))).toBe(
      '409 subscription_not_cancelled',
    );
    const id = await scenario.subscribe(await scenario.wallet(), { external_id: 'b' });
    expect(statusAndCode(await scenario.confirm('resume', id, SIGNATURE))).toBe('400 nothing_to_confirm');
  });

  // cancel-resume-close#reason-codes-of-a-confirm
  it('transaction_failed when it landed and the chain refused it', async () => {
    const { scenario, wallet, id, outside } = await cancelled();
    const refused = await scenario.signed('resume', id, wallet);
    await outside.resume();
    await scenario.rpc.sendTransaction(refused.wire, { encoding: 'base64', skipPreflight: true }).send();
    await outside.cancel();
    expect(statusAndCode(await scenario.confirm('resume', id, refused.signature))).toBe(
      '201 transaction_failed',
    );
  });

  // cancel-resume-close#reason-codes-of-a-confirm
  it.each([
    ['cancelled_subscription_remade', 'it was closed and remade', 5],
    ['cancelled_subscription_remade', 'it was closed and remade on the same second of the grid', 0],
  ])('%s: %s; it stays cancelled', async (code, _, secondsLater) => {
    const { scenario, wallet, id, outside } = await cancelled();
    const { signature } = await scenario.signed('resume', id, wallet);
    const expiry = new Date(String((await scenario.read(id))['closable_from'])).getTime();
    await suite.control.advance(expiry + (secondsLater - 1) * SECOND - suite.control.now().getTime());
    await outside.remake();
    const answer = await scenario.confirm('resume', id, signature);
    expect(statusAndCode(answer)).toBe(`201 ${code}`);
    expect(answer.body).toMatchObject({ subscription: { id, next_charge_at: null } });
  });

  it('subscription_not_cancelled when it ended while the chain was read', async () => {
    const { scenario, wallet, id, outside } = await cancelled();
    const { wire, signature } = await scenario.signed('resume', id, wallet);
    await scenario.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    suite.control.before('write', async () => {
      await outside.cancel();
      await suite.control.pass(PERIOD);
    });
    const answer = await scenario.confirm('resume', id, signature);
    expect(statusAndCode(answer)).toBe('201 subscription_not_cancelled');
    expect(answer.body).toMatchObject({ subscription: { id, status: 'ended' } });
  });
});
