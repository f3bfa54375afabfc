import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventWire } from '@subrail/core/schemas';
import { readWebhook } from '@subrail/core/webhooks';

const crypto = {
  mac: async (key: Uint8Array, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', key).update(data).digest()),
};

/** A server that receives webhooks. */
export interface WebhookReceiver {
  readonly url: string;
  /** Every event with a valid signature once, in order of arrival. */
  readonly events: readonly EventWire[];
  /** How many deliveries were rejected because of their signature or timestamp. */
  readonly rejected: number;
  /** Sets the endpoint's signing secret. */
  setSecret(secret: string): void;
  stop(): Promise<void>;
}

/**
 * Starts a receiver as an integrator writes one: it accepts only deliveries with a valid signature, and keeps the event
 * of each delivery once.
 */
export async function startWebhookReceiver(now: () => Date): Promise<WebhookReceiver> {
  const events: EventWire[] = [];
  const receivedIds = new Set<string>();
  let rejected = 0;
  let secret = '';

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    const result = await readWebhook(
      { headers: request.headers, body },
      { secrets: [secret], now: now() },
      EventWire,
      crypto,
    );
    if (result.kind !== 'genuine') {
      rejected += 1;
      return 400;
    }
    if (!receivedIds.has(result.id)) {
      receivedIds.add(result.id);
      events.push(result.event);
    }
    return 204;
  }

  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    get rejected() {
      return rejected;
    },
    setSecret(value) {
      secret = value;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}
