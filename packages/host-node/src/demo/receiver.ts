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

export interface Receiver {
  readonly url: string;
  /** Every genuine event once, in the order of arrival. */
  readonly notices: readonly EventWire[];
  /** How many deliveries were turned away because their signature or time was wrong. */
  readonly refused: number;
  /** Tells the secret under which the endpoint signs. */
  trust(secret: string): void;
  stop(): Promise<void>;
}

/** The customer's side of webhooks: a server that believes only what is signed, and takes each delivery once. */
export async function startReceiver(now: () => Date): Promise<Receiver> {
  const notices: EventWire[] = [];
  const seen = new Set<string>();
  let refused = 0;
  let secret = '';

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    const reading = await readWebhook(
      { headers: request.headers, body },
      { secrets: [secret], now: now() },
      EventWire,
      crypto,
    );
    if (reading.kind !== 'genuine') {
      refused += 1;
      return 400;
    }
    if (!seen.has(reading.id)) {
      seen.add(reading.id);
      notices.push(reading.event);
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
    notices,
    get refused() {
      return refused;
    },
    trust(given) {
      secret = given;
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
