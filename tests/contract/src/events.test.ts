// Heavy: each event is reached over HTTP, some of them after months.

import { describe, expect, it } from 'vitest';
import type { Body } from './client.js';
import { DAY, HOUR, PERIOD, PRICE, SECOND, statusAndCode, type ScenarioOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

async function subscribed(options: ScenarioOptions = {}, tokens = 10n * PRICE) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet(tokens);
  const id = await scenario.subscribe(wallet);
  return { scenario, wallet, id };
}

describe('the body of an event', () => {
  // events#event-body-fields
  it('has the documented fields', async () => {
    const { scenario, id } = await subscribed();
    const [created, granted] = await scenario.events(id);
    expect(created).toMatchObject({
      object: 'event',
      type: 'subscription.created',
      network: 'devnet',
      api_version: '2026-10-02',
      sequence: 1,
    });
    expect(Object.keys(created ?? {})).toEqual([
      ...['id', 'object', 'type', 'created_at', 'network', 'api_version', 'sequence', 'data', 'detail'],
    ]);
    // The events of one change share their data.
    expect(granted?.data).toEqual(created?.data);
    expect(granted).toMatchObject({ sequence: 2, created_at: created?.created_at });
  });

  // events#shared-snapshot-of-a-change, events#snapshot-stored-with-its-change
  it('data is the subscription right after the change, as retrieve answered then', async () => {
    const { scenario, id } = await subscribed();
    const then = await scenario.read(id);
    await suite.control.pass(2 * PERIOD);
    expect((await scenario.events(id))[0]?.data).toEqual(then);
  });

  // events#sequence-without-gaps, events#event-creation-time
  it('sequence counts from 1 without a gap, and created_at never precedes the event before', async () => {
    const { scenario, wallet, id } = await subscribed({}, PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    await scenario.act('cancel', id, wallet);
    const events = await scenario.events(id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    const dates = events.map(({ created_at }) => created_at);
    expect(dates).toEqual([...dates].sort());
  });
});

describe('the events of a subscription', () => {
  // events#access-event-per-change
  it('are these when it is paid, renewed, missed, recovered, missed again and stopped', async () => {
    const { scenario, wallet, id } = await subscribed({}, 2n * PRICE);
    await suite.control.pass(2 * PERIOD);
    await scenario.setHolding(wallet, PRICE);
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await scenario.eventTypes(id)).toEqual([
      ...['created', 'access_granted', 'renewal_upcoming', 'renewed'],
      ...['renewal_upcoming', 'payment_failed', 'renewed'],
      ...['renewal_upcoming', 'payment_failed', 'payment_failed', 'payment_failed'],
      ...['payment_failed', 'stopped', 'access_revoked'],
    ]);
    const events = await scenario.events(id);
    // A last retry that fails raises both events, and each shows the status stopped.
    const last = events.slice(-3);
    for (const { data } of last)
      expect(data).toMatchObject({ status: 'stopped', stop_reason: 'out_of_retries' });
    expect(last[1]?.detail).toEqual({ reason: 'insufficient_balance' });
  });

  // events#order-within-one-change, events#end-of-a-cancellation, cancel-resume-close#end-of-a-cancellation
  it('are access_revoked at the expiry of a cancellation, and ended once the chain agrees', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    const { access_until } = await scenario.read(id);
    await suite.control.pass(PERIOD);
    const [cancelled, revoked, ended] = (await scenario.events(id)).slice(2);
    expect(cancelled).toMatchObject({ type: 'subscription.cancelled', detail: {} });
    expect(revoked).toMatchObject({
      type: 'subscription.access_revoked',
      created_at: access_until,
      detail: { changed_at: access_until, blocked_reason: null, access_until },
    });
    expect(ended).toMatchObject({
      type: 'subscription.ended',
      detail: { changed_at: access_until, end_reason: 'cancelled' },
      data: { status: 'ended', end_reason: 'cancelled' },
    });
    expect((ended?.created_at ?? '') >= (revoked?.created_at ?? '')).toBe(true);
  });
});

// events#event-types-and-detail
describe('detail by event type', () => {
  // events#access-date-in-detail
  it('access_granted and access_revoked have changed_at, blocked_reason and access_until', async () => {
    const { scenario, id } = await subscribed();
    const [, granted] = await scenario.events(id);
    expect(granted?.detail).toEqual({
      changed_at: granted?.created_at,
      blocked_reason: null,
      access_until: granted?.data.access_until,
    });
  });

  // events#renewal-notice
  it('renewal_upcoming says whether the wallet can pay, and what is charged when', async () => {
    const { scenario, wallet, id } = await subscribed();
    const short = await scenario.wallet(PRICE);
    const shortId = await scenario.subscribe(short, { external_id: 'customer-2' });
    const revoked = await scenario.wallet(2n * PRICE);
    const revokedId = await scenario.subscribe(revoked, { external_id: 'customer-3' });
    await (await scenario.outside(revoked)).revokeApproval();
    await suite.control.pass(PERIOD - DAY);
    const { current_period_end } = await scenario.read(id);
    const notice = (await scenario.events(id)).at(-1);
    expect(notice).toMatchObject({
      type: 'subscription.renewal_upcoming',
      detail: {
        ...{ can_pay: true, renewal_issue: null },
        ...{ amount: PRICE.toString(), mint: scenario.token.mint, due_at: current_period_end },
      },
      data: { wallet: wallet.address, next_charge_at: current_period_end },
    });
    expect((await scenario.events(shortId)).at(-1)?.detail).toMatchObject({
      ...{ can_pay: false, renewal_issue: 'balance' },
    });
    expect((await scenario.events(revokedId)).at(-1)?.detail).toMatchObject({
      ...{ can_pay: false, renewal_issue: 'authority' },
    });
  });

  it('renewed has amount, mint, period_start, period_end and signature', async () => {
    const { scenario, id } = await subscribed();
    await suite.control.pass(PERIOD);
    const one = await scenario.read(id);
    const attempt = (await scenario.attempts(id)).at(-1);
    expect((await scenario.events(id)).at(-1)).toMatchObject({
      type: 'subscription.renewed',
      detail: {
        amount: PRICE.toString(),
        mint: scenario.token.mint,
        period_start: one['current_period_start'],
        period_end: one['current_period_end'],
        signature: attempt?.['signature'],
      },
    });
  });

  it('payment_failed has the cause, the period, what comes next and how many retries are left', async () => {
    const { scenario, id } = await subscribed({}, PRICE);
    await suite.control.pass(PERIOD);
    const failed = (await scenario.events(id)).at(-1);
    expect(failed?.detail).toEqual({
      reason: 'insufficient_balance',
      amount: PRICE.toString(),
      mint: scenario.token.mint,
      period_start: failed?.data.current_period_end,
      period_end: expect.stringMatching(/Z$/) as string,
      next_retry_at: failed?.data.next_retry_at,
      retry_deadline: null,
      retries_left: 3,
      retry_mode: 'scheduled',
    });
    const free = await subscribed({ tier: 'free' }, PRICE);
    await suite.control.pass(PERIOD);
    const manual = (await free.scenario.events(free.id)).find(
      ({ type }) => type === 'subscription.payment_failed',
    );
    expect(manual?.detail).toMatchObject({ next_retry_at: null, retries_left: 3, retry_mode: 'manual' });
    expect(manual?.detail['retry_deadline']).toBe(manual?.data.retry_deadline);
  });

  it('stopped has the reason of the last charge, also one of authority_closed', async () => {
    const { scenario, wallet, id } = await subscribed();
    await (await scenario.outside(wallet)).closeAuthority();
    await suite.control.pass(PERIOD);
    const stopped = (await scenario.events(id)).find(({ type }) => type === 'subscription.stopped');
    expect(stopped?.detail).toEqual({ reason: 'program_103' });
    const failed = (await scenario.events(id)).find(({ type }) => type === 'subscription.payment_failed');
    expect(failed?.detail).toMatchObject({ retries_left: 0, retry_mode: null, next_retry_at: null });
  });

  it('ended, resumed, cancelled and expired have nothing more', async () => {
    const { scenario, wallet, id } = await subscribed();
    await scenario.act('cancel', id, wallet);
    await scenario.act('resume', id, wallet);
    await (await scenario.outside(wallet)).remove('subscription');
    const { subscription } = await scenario.issue(await scenario.wallet(), { external_id: 'b' });
    await suite.control.pass(PERIOD + HOUR);
    const events = await scenario.events(id);
    for (const type of ['cancelled', 'resumed', 'ended']) {
      expect(events.find((event) => event.type === `subscription.${type}`)?.detail).toEqual({});
    }
    expect((await scenario.events(subscription.id))[0]).toMatchObject({
      type: 'subscription.expired',
      detail: {},
    });
  });
});

describe('GET /v1/events', () => {
  // events#events-list-parameters, events#available-since
  it('lists the events of the last 30 days, newest first, with available_since', async () => {
    const { scenario, id } = await subscribed();
    const project = (await scenario.api.get('/project')).body;
    const young = (await scenario.api.get('/events')).body;
    expect(young['available_since']).toBe(project['created_at']);
    const [created] = await scenario.events(id);
    await suite.control.pass(31 * DAY);
    const old = (await scenario.api.get('/events', { limit: '100' })).body;
    const since = new Date(String(old['available_since'])).getTime();
    expect(since).toBe(suite.control.now().getTime() - 30 * DAY);
    const types = (old['data'] as Body[]).map(({ type }) => type);
    expect(types).not.toContain('subscription.created');
    expect(types).toContain('subscription.renewed');
    const dates = (old['data'] as Body[]).map(({ created_at }) => String(created_at));
    expect(dates).toEqual([...dates].sort().reverse());
    expect(statusAndCode(await scenario.api.get(`/events/${created?.id ?? ''}`))).toBe('404 event_not_found');
  });

  it('type and subscription narrow the list, and an unknown type is refused', async () => {
    const { scenario, id } = await subscribed();
    await scenario.subscribe(await scenario.wallet(), { external_id: 'b' });
    const list = async (query: Record<string, string>) =>
      (await scenario.api.get('/events', query)).body['data'] as Body[];
    expect(await list({})).toHaveLength(4);
    expect(await list({ subscription: id })).toHaveLength(2);
    expect(await list({ type: 'subscription.created' })).toHaveLength(2);
    expect(await list({ type: 'subscription.created', subscription: id })).toHaveLength(1);
    expect(await list({ subscription: 'sub_000000000000000000000000' })).toEqual([]);
    expect(statusAndCode(await scenario.api.get('/events', { type: 'created' }))).toBe('400 invalid_request');
  });

  // events#events-list-bodies
  it('GET /v1/events/{id} answers the same event', async () => {
    const { scenario, id } = await subscribed();
    const [event] = await scenario.events(id);
    expect((await scenario.api.get(`/events/${event?.id ?? ''}`)).body).toEqual(event);
    await suite.control.pass(SECOND);
  });
});
