import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { isGenuine } from './verify-webhook.js';

// A receiver looks at what it needs and lets everything else pass: the contract grows.
const notice = z.object({
  id: z.string(),
  type: z.string(),
  created_at: z.iso.datetime(),
  sequence: z.number().int(),
  data: z.object({ id: z.string(), status: z.string(), access: z.boolean() }),
  detail: z.record(z.string(), z.unknown()),
});

/** A webhook body, as far as the demo reads it. */
export type Notice = z.infer<typeof notice>;

export interface Receiver {
  readonly url: string;
  /** Every genuine event once, in the order of arrival. */
  readonly notices: readonly Notice[];
  /** How many deliveries were turned away because their signature or time was wrong. */
  readonly refused: number;
  /** Tells the secret under which the endpoint signs. */
  trust(secret: string): void;
  stop(): Promise<void>;
}

/** The customer's side of webhooks: a server that believes only what is signed, and takes each delivery once. */
export async function startReceiver(now: () => Date): Promise<Receiver> {
  const notices: Notice[] = [];
  const seen = new Set<string>();
  let refused = 0;
  let secret = '';

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    const header = (name: string) => request.headersDistinct[name]?.[0] ?? '';
    const id = header('webhook-id');
    const delivered = {
      id,
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
      body,
    };
    if (!isGenuine(delivered, secret, now())) {
      refused += 1;
      return 401;
    }
    if (!seen.has(id)) {
      seen.add(id);
      notices.push(notice.parse(JSON.parse(body)));
    }
    return 204;
  }

  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
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
