import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** An event as its deliveries had it. */
interface DeliveredEvent {
  readonly id: string;
  readonly sequence: number;
  readonly subscription: string;
}

/** A receiver that takes every delivery, each after some milliseconds, and keeps what it got. */
export interface DeliveredEvents {
  readonly port: number;
  /** The bodies of each delivery, by its `webhook-id`. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  /** The number of requests. */
  readonly requests: number;
  /** The number of payments in the events. */
  readonly payments: number;
  /** The events of all deliveries, one for each `webhook-id`. */
  events(): readonly DeliveredEvent[];
  close(): Promise<void>;
}

/** The first payment makes a subscription, each later one renews it. */
const PAYMENTS = /"type":"subscription\.(created|renewed)"/;

export async function receiveEvents(): Promise<DeliveredEvents> {
  const bodies = new Map<string, Set<string>>();
  let requests = 0;
  let payments = 0;
  const server = createServer((request, response) => {
    const receive = async () => {
      const body = await text(request);
      const id = String(request.headers['webhook-id']);
      if (!bodies.has(id) && PAYMENTS.test(body)) payments += 1;
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
      requests += 1;
      await pause(requests % 20);
      response.end();
    };
    // A host that is killed while it sends gets no answer.
    receive().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    bodies,
    get requests() {
      return requests;
    },
    get payments() {
      return payments;
    },
    events: () =>
      [...bodies.values()].map((sent) => {
        const [body = '{}'] = sent;
        const { id, sequence, data } = JSON.parse(body) as {
          readonly id: string;
          readonly sequence: number;
          readonly data: { readonly id: string };
        };
        return { id, sequence, subscription: data.id };
      }),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
