import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { explainListenError } from '../../service/listen-error.js';

/** A webhook that arrived, with its answer. */
export interface Forwarded {
  /** Its bytes as they arrived. */
  readonly body: Buffer;
  readonly webhookId: string;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** Why the receiver did not answer; empty when it did. */
  readonly reason: string;
  readonly durationMs: number;
}

export interface Forwarder {
  readonly url: string;
  stop(): Promise<void>;
}

/** Headers of a connection, not of a message. */
const OF_CONNECTION = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'te',
  'upgrade',
  'expect',
  'trailer',
  'proxy-authorization',
  'proxy-authenticate',
]);
const ANSWER_TIMEOUT_MS = 30_000;
const NO_ANSWER = 502;

/**
 * Starts a server on this machine that forwards each request with its headers and bytes, and passes the
 * answer back.
 * @throws ListenError when the port cannot be used
 */
export async function forwardWebhooks(
  to: string,
  port: number,
  onForwarded: (forwarded: Forwarded) => void,
): Promise<Forwarder> {
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const since = performance.now();
    const sent = await send(to, request.headers, body);
    const reason = sent instanceof Response ? '' : sent;
    if (sent instanceof Response) {
      const answer = Buffer.from(await sent.arrayBuffer());
      response.writeHead(sent.status, withoutConnection(Object.fromEntries(sent.headers))).end(answer);
    } else {
      response.writeHead(NO_ANSWER, { 'content-type': 'text/plain' }).end(reason);
    }
    onForwarded({
      body,
      webhookId: String(request.headers['webhook-id'] ?? ''),
      status: sent instanceof Response ? sent.status : null,
      reason,
      durationMs: Math.round(performance.now() - since),
    });
  }
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await explainListenError({ host: null, port: '--port' }, () =>
    once(server.listen(port, '127.0.0.1'), 'listening'),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @returns the answer, or why there is none */
async function send(to: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Response | string> {
  try {
    return await fetch(to, {
      method: 'POST',
      headers: withoutConnection(headers),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${to} did not answer: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function withoutConnection(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.has(name) ? [] : [[name, String(value)] as const],
    ),
  );
}

/** The shown part of a body, which any program may have sent. */
const Body = z.object({ type: z.string(), data: z.object({ id: z.string().optional() }).optional() });

/**
 * A forwarded webhook and its answer, in a line.
 * @param attempt 1 for the first time that the webhook is forwarded, 2 for its first retry or resend
 */
export function forwardedLine(
  { body, webhookId, status, reason, durationMs }: Forwarded,
  attempt: number,
): string {
  const { type, data } = parsed(body);
  const answer = status === null ? reason : `${status} in ${durationMs} ms`;
  const parts = [webhookId, type.replace('subscription.', '').padEnd(16), data?.id ?? '-', answer];
  if (attempt > 1) parts.push(`attempt ${attempt}`);
  // Text of others must not steer the terminal.
  return `${parts.join('  ').replace(/\p{Cc}+/gu, ' ')}\n`;
}

function parsed(body: Buffer): z.infer<typeof Body> {
  try {
    return Body.parse(JSON.parse(body.toString('utf8')));
  } catch {
    return { type: 'no event' };
  }
}
