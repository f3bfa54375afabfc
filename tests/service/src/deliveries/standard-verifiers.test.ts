import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHttpSender } from '@subrail/adapters/node';
import { type EndpointWithSecret, EventType } from '@subrail/core/schemas';
import { HOUR, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';

/** A request as it arrived at a local server, over a real connection. */
interface Arrived {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Opens a server that answers every request with `status`. */
async function openReceiver(status: number) {
  const requests: Arrived[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      requests.push({ headers: Object.fromEntries(headers), body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests as readonly Arrived[],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The verifiers that receivers use, as their documentation calls them. Each throws when it refuses. */
const VERIFIERS = {
  standardwebhooks: (secret: string, { headers, body }: Arrived) =>
    new StandardWebhook(secret).verify(Buffer.from(body), headers),
  svix: (secret: string, { headers, body }: Arrived) => new SvixWebhook(secret).verify(body, headers),
};

const CUSTOMER = 'Zoë 🎟️ 顧客 №7 ﷽';

let world: TestWorld;
let endpoint: Awaited<ReturnType<typeof openReceiver>>;
let registered: EndpointWithSecret;

/** Opens a world whose deliveries really are posted, to a local server that answers with `status`. */
async function begin(status: number): Promise<void> {
  endpoint = await openReceiver(status);
  world = await openTestWorld({
    ports: { sender: createHttpSender({ allowPrivate: true }), settings: { privateTargets: true } },
  });
  registered = await endpoints().create({ url: endpoint.url, types: EventType.options });
  await world.subscribe(await world.wallet(PRICE), CUSTOMER);
}

const endpoints = () => world.billing.project(world.projectId).endpoints;

/** Moves the service's time and the receiver's clock, which the verifiers read, and delivers what is due. */
async function deliverAfter(ms: number): Promise<void> {
  world.advance(ms);
  vi.setSystemTime(world.now());
  await world.deliver();
}

/** Every attempt so far to deliver the event of a type, oldest first. */
const attempts = (type: EventType = 'subscription.created'): readonly Arrived[] =>
  endpoint.requests.filter(({ body }) => (JSON.parse(body) as { type: string }).type === type);

function attempt(number: number, type?: EventType): Arrived {
  const arrived = attempts(type).at(number);
  if (arrived === undefined) throw new Error(`Attempt ${number} of ${type ?? 'created'} did not arrive.`);
  return arrived;
}

/** By how many of its signatures an attempt is accepted, with each secret alone. */
const accepted = (arrived: Arrived, secrets: Readonly<Record<string, string>>) =>
  Object.keys(secrets).filter((name) =>
    Object.values(VERIFIERS).every((verify) => {
      try {
        verify(secrets[name] ?? '', arrived);
        return true;
      } catch {
        return false;
      }
    }),
  );

const signatureCount = ({ headers }: Arrived) => (headers['webhook-signature'] ?? '').split(' ').length;

/** The longest that each wait of the schedule may take. */
const WAITS = [1 / 60, 5 / 60, 0.5, 2, ...Array.from({ length: 6 }, () => 12)].map(
  (hours) => hours * HOUR * 1.1 + 1_000,
);

beforeEach(() => {
  // Only the date is moved: the connections go by the timers of the machine.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await endpoint.close();
});

// deliveries#delivery-signature
describe.each(Object.entries(VERIFIERS))('%s', (_, verify) => {
  test('accepts what arrives, and refuses it with one byte changed', async () => {
    await begin(204);
    await deliverAfter(1_000);
    for (const type of ['subscription.created', 'subscription.access_granted'] as const) {
      const arrived = attempt(0, type);
      expect(() => verify(registered.secret, arrived)).not.toThrow();
      const { data } = JSON.parse(arrived.body) as { data: { external_id: string } };
      // The letters arrive as themselves, in UTF-8, and not as escapes.
      expect(data.external_id).toBe(CUSTOMER);
      expect(arrived.body).toContain(CUSTOMER);
      expect(Number(arrived.headers['content-length'])).toBe(Buffer.byteLength(arrived.body));
      for (const body of [arrived.body.replace('№7', '№8'), `${arrived.body}\n`, arrived.body.slice(1)]) {
        expect(() => verify(registered.secret, { ...arrived, body })).toThrow('No matching signature');
      }
    }
    expect(endpoint.requests).toHaveLength(2);
  });

  // deliveries#same-bytes-for-every-attempt, deliveries#delivery-id-for-deduplication,
  // deliveries#retry-schedule-with-backoff
  test('accepts each of eleven attempts when it arrives, days later too, and the first one no more', async () => {
    await begin(500);
    await deliverAfter(1_000);
    for (const wait of WAITS) {
      await deliverAfter(wait);
      expect(() => verify(registered.secret, attempt(-1))).not.toThrow();
    }
    expect(attempts()).toHaveLength(11);
    expect(() => verify(registered.secret, attempt(0))).toThrow('too old');
    expect(new Set(attempts().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(attempts().map(({ body }) => body)).size).toBe(1);
    const times = attempts().map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times.at(-1)).toBeGreaterThan((times[0] ?? 0) + 3 * 24 * 3_600);
  });

  // deliveries#resend, deliveries#test-delivery
  test('accepts what is sent by hand: a test, and the same bytes again', async () => {
    await begin(204);
    await deliverAfter(1_000);
    const first = attempt(0);
    const { id } = JSON.parse(first.body) as { id: string };
    world.advance(2 * HOUR);
    vi.setSystemTime(world.now());
    const { deliveries } = world.billing.project(world.projectId);
    await deliveries.resend({ event: id, endpoint: registered.id });
    await world.deliver();
    const again = attempt(1);
    expect(again.body).toBe(first.body);
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(() => verify(registered.secret, again)).not.toThrow();
    expect(() => verify(registered.secret, first)).toThrow('too old');

    await endpoints().test(registered.id);
    const sent = endpoint.requests.at(-1);
    if (sent === undefined) throw new Error('The test did not arrive.');
    expect(JSON.parse(sent.body)).toMatchObject({ type: 'test', test: true, data: { id: 'sub_test' } });
    expect(() => verify(registered.secret, sent)).not.toThrow();
  });
});

// deliveries#secret-rotation-overlap
describe('during the overlap of a rotation', () => {
  test('the old and the new secret each verify every attempt, and only the new one after it', async () => {
    await begin(500);
    await deliverAfter(1_000);
    const { secret: fresh } = await endpoints().rotateSecret(registered.id, { overlap_hours: 1 });
    const secrets = { old: registered.secret, fresh, foreign: `whsec_${'A'.repeat(32)}` };
    expect(accepted(attempt(0), secrets)).toEqual(['old']);
    for (const wait of WAITS.slice(0, 3)) {
      await deliverAfter(wait);
      expect(accepted(attempt(-1), secrets)).toEqual(['old', 'fresh']);
      expect(signatureCount(attempt(-1))).toBe(2);
    }
    // A retry two hours later, of an event from before the rotation.
    await deliverAfter(WAITS[3] ?? 0);
    expect(attempts()).toHaveLength(5);
    expect(accepted(attempt(-1), secrets)).toEqual(['fresh']);
    expect(signatureCount(attempt(-1))).toBe(1);
  });

  test('a rotation without one leaves the old secret nothing to verify', async () => {
    await begin(500);
    const { secret: fresh } = await endpoints().rotateSecret(registered.id);
    await deliverAfter(1_000);
    expect(accepted(attempt(0), { old: registered.secret, fresh })).toEqual(['fresh']);
  });
});
