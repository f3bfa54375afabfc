import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookError, type WebhookEvent } from '@subrail/core/webhooks';

/** A server that receives webhooks. */
export interface WebhookReceiver {
  readonly url: string;
  /** Every event with a valid signature once, in order of arrival. */
  readonly events: readonly WebhookEvent[];
  /** The number of refused deliveries. */
  readonly rejected: number;
  /** Sets the endpoint's signing secret. */
  setSecret(secret: string): void;
  stop(): Promise<void>;
}

/**
 * Starts a receiver as an integrator writes one: it accepts only deliveries with a valid signature, and keeps
 * the event of each delivery once.
 */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const events: WebhookEvent[] = [];
  const receivedIds = new Set<string>();
  let rejected = 0;
  let secret = '';

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await buffer(request);
    try {
      const { event, webhookId } = await verifyWebhook({ headers: request.headers, body }, secret);
      if (!receivedIds.has(webhookId)) {
        receivedIds.add(webhookId);
        events.push(event);
      }
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      rejected += 1;
      return error.status;
    }
  }

  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    get rejected() {
      return rejected;
    },
    setSecret(value) {
      secret = value;
    },
    async stop() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
