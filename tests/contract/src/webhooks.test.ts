import { createHmac } from 'node:crypto';
import { type EventWire, EventType } from '@subrail/core/schemas';
import { verifyWebhook } from '@subrail/core/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, PERIOD, PRICE, SECOND, type Scenario } from './scenario.js';
import { openReceiver, type Arrived, type Receiver } from './receiver.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** The signature of an attempt as the contract defines it. */
function signatureBy(secret: string, { headers, body }: Arrived): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

const eventOf = ({ body }: Arrived) => JSON.parse(body) as EventWire;

/** A project with an endpoint at a path, and one event that is being delivered to it. */
async function openDelivery(path = '/hook', types: readonly EventType[] = ['subscription.created']) {
  const scenario = await suite.scenario();
  const endpoint = await suite.control.createEndpoint(scenario.projectId, receiver.url(path), types);
  const id = await scenario.subscribe(await scenario.wallet());
  return { scenario, endpoint, id };
}

/**
 * Passes a wait and its jitter of a tenth (deliveries#retry-schedule-with-backoff). Expects no attempt before
 * the end of the wait; returns the number of attempts after it.
 */
async function wait(scenario: Scenario, path: string, ms: number): Promise<number> {
  const before = receiver.at(path).length;
  await scenario.control.pass(ms - SECOND);
  expect(receiver.at(path)).toHaveLength(before);
  await scenario.control.pass(ms / 10 + 2 * SECOND);
  return receiver.at(path).length - before;
}

describe('a webhook delivery', () => {
  // deliveries#one-delivery-per-endpoint
  it('is a POST of JSON with webhook-id, webhook-timestamp and webhook-signature', async () => {
    const { scenario } = await openDelivery();
    await scenario.control.pass(SECOND);
    const [arrived] = receiver.at('/hook');
    expect(arrived?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': expect.stringMatching(/^Subrail\//) as string,
      'webhook-id': expect.stringMatching(/^dlv_[0-9A-Za-z]{24}$/) as string,
      'webhook-timestamp': expect.stringMatching(/^[0-9]+$/) as string,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]+=*$/) as string,
    });
    const sent = Number(arrived?.headers['webhook-timestamp']) * SECOND;
    expect(Math.abs(suite.control.now().getTime() - sent)).toBeLessThan(5 * SECOND);
  });

  it('is signed over id, timestamp and body with the part after whsec_, base64 decoded', async () => {
    const { scenario, endpoint } = await openDelivery();
    await scenario.control.pass(SECOND);
    const [arrived] = receiver.at('/hook');
    if (arrived === undefined) throw new Error('No delivery arrived.');
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(arrived.headers['webhook-signature']).toBe(signatureBy(endpoint.secret, arrived));
    const options = { now: suite.control.now() };
    expect((await verifyWebhook(arrived, endpoint.secret, options)).event).toEqual(eventOf(arrived));
    await expect(
      verifyWebhook({ ...arrived, body: `${arrived.body} ` }, endpoint.secret, options),
    ).rejects.toMatchObject({ name: 'WebhookError', reason: 'forged' });
  });

  // events#events-list-bodies
  it('has the body that the events routes answer once parsed, as documented', async () => {
    const { scenario, id } = await openDelivery('/hook', EventType.options);
    await scenario.control.pass(PERIOD);
    const arrived = receiver.at('/hook').map(eventOf);
    expect(arrived.map(({ type }) => type).sort()).toEqual([
      'subscription.access_granted',
      'subscription.created',
      'subscription.renewal_upcoming',
      'subscription.renewed',
    ]);
    const { document, schemas } = suite.parts;
    for (const event of arrived) {
      expect((await scenario.api.get(`/events/${event.id}`)).body).toEqual(event);
      const schema =
        document.webhooks[event.type]?.post.requestBody?.content['application/json']?.schema ?? {};
      expect(schemas.violations(schema, event)).toBeNull();
    }
    expect(await scenario.events(id)).toHaveLength(4);
  });

  it('goes to every endpoint that selects its type, with the same bytes under two ids', async () => {
    const { scenario, id: first } = await openDelivery('/one');
    for (const [path, type] of [
      ['/two', 'subscription.created'],
      ['/other', 'subscription.expired'],
    ] as const) {
      await suite.control.createEndpoint(scenario.projectId, receiver.url(path), [type]);
    }
    await scenario.subscribe(await scenario.wallet(), { external_id: 'b' });
    await scenario.control.pass(SECOND);
    const ofOne = receiver.at('/one');
    expect(ofOne.map((arrived) => eventOf(arrived).data.id)).toContain(first);
    const two = receiver.at('/two').at(-1);
    // The order of deliveries to one endpoint is not promised.
    const one = ofOne.find((arrived) => eventOf(arrived).data.id !== first);
    expect(two?.body).toBe(one?.body);
    expect(two?.headers['webhook-id']).not.toBe(one?.headers['webhook-id']);
    expect(receiver.at('/other')).toEqual([]);
  });

  it('is retried after 1, 5 and 30 minutes, 2 hours, then every 12 hours, eleven times with the same id and bytes', async () => {
    receiver.reply('/hook', { status: 500 });
    const { scenario } = await openDelivery();
    // Until the eleventh attempt the endpoint fails for less than three days, so it is not disabled before.
    await scenario.control.pass(SECOND);
    const waits = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, ...Array.from({ length: 6 }, () => 12 * HOUR)];
    for (const ms of waits) expect(await wait(scenario, '/hook', ms)).toBe(1);
    const attempts = receiver.at('/hook');
    expect(attempts).toHaveLength(11);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const times = attempts.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(new Set(times).size).toBe(11);
    await scenario.control.pass(2 * DAY);
    expect(receiver.at('/hook')).toHaveLength(11);
  });

  it.each([301, 302, 400, 404, 500])('fails on a %i, and follows no redirect', async (status) => {
    receiver.reply('/hook', { status, headers: { location: receiver.url('/elsewhere') } });
    const { scenario } = await openDelivery();
    await scenario.control.pass(SECOND);
    receiver.reply('/hook', { status: 200 });
    expect(await wait(scenario, '/hook', MINUTE)).toBe(1);
    expect(await wait(scenario, '/hook', HOUR)).toBe(0);
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  // deliveries#retry-after-of-an-endpoint
  it('waits longer for the Retry-After of a 503, at most twice as long', async () => {
    receiver.reply('/hook', { status: 503, headers: { 'retry-after': '90' } });
    const { scenario } = await openDelivery();
    await scenario.control.pass(SECOND);
    await scenario.control.pass(88 * SECOND);
    expect(receiver.at('/hook')).toHaveLength(1);
    await scenario.control.pass(4 * SECOND);
    expect(receiver.at('/hook')).toHaveLength(2);
    receiver.reply('/hook', { status: 429, headers: { 'retry-after': '86400' } });
    await scenario.control.pass(6 * MINUTE);
    expect(receiver.at('/hook')).toHaveLength(3);
    await scenario.control.pass(66 * MINUTE);
    expect(receiver.at('/hook')).toHaveLength(4);
  });

  // deliveries#endpoint-failing-three-days
  it('disables the endpoint on a 410 at once, and sends nothing more there', async () => {
    receiver.reply('/hook', { status: 410 });
    const { scenario, endpoint } = await openDelivery();
    await scenario.control.pass(SECOND);
    expect(await suite.control.endpoint(scenario.projectId, endpoint.id)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    });
    await scenario.subscribe(await scenario.wallet(), { external_id: 'b' });
    await scenario.control.pass(DAY);
    expect(receiver.at('/hook')).toHaveLength(1);
  });

  it('disables an endpoint that fails for three days without a success', async () => {
    receiver.reply('/hook', { status: 500 });
    const { scenario, endpoint } = await openDelivery('/hook', [
      'subscription.created',
      'subscription.renewed',
    ]);
    await scenario.control.pass(SECOND);
    for (let hours = 0; hours < 74; hours += 2) await scenario.control.pass(2 * HOUR);
    expect(await suite.control.endpoint(scenario.projectId, endpoint.id)).toMatchObject({ enabled: true });
    for (let hours = 0; hours < 30; hours += 2) await scenario.control.pass(2 * HOUR);
    expect(receiver.at('/hook')).toHaveLength(11);
    expect(await suite.control.endpoint(scenario.projectId, endpoint.id)).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
    });
  });

  it('sends two signatures while a rotated secret overlaps, the new one first, and then only the new one', async () => {
    const { scenario, endpoint } = await openDelivery();
    await scenario.control.pass(SECOND);
    const fresh = await suite.control.rotateSecret(scenario.projectId, endpoint.id, 2);
    receiver.reply('/hook', { status: 500 });
    await scenario.subscribe(await scenario.wallet(), { external_id: 'b' });
    await scenario.control.pass(SECOND);
    const during = receiver.at('/hook').at(-1);
    if (during === undefined) throw new Error('No delivery arrived.');
    expect(during.headers['webhook-signature']).toBe(
      `${signatureBy(fresh, during)} ${signatureBy(endpoint.secret, during)}`,
    );
    for (const secret of [fresh, endpoint.secret]) {
      const { event } = await verifyWebhook(during, secret, { now: suite.control.now() });
      expect(event).toEqual(eventOf(during));
    }
    await scenario.control.pass(3 * HOUR);
    const after = receiver.at('/hook').at(-1);
    if (after === undefined) throw new Error('The delivery was not retried.');
    expect(after.headers['webhook-id']).toBe(during.headers['webhook-id']);
    expect(after.headers['webhook-signature']).toBe(signatureBy(fresh, after));
  });

  it('delivers every event exactly once, to be ordered by sequence', async () => {
    const scenario = await suite.scenario();
    await suite.control.createEndpoint(scenario.projectId, receiver.url('/hook'), EventType.options);
    const id = await scenario.subscribe(await scenario.wallet(PRICE));
    await scenario.control.pass(PERIOD + 4 * DAY);
    const arrived = receiver.at('/hook').map(eventOf);
    const inOrder = [...arrived].sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
    expect(inOrder).toEqual(await scenario.events(id));
  });
});
