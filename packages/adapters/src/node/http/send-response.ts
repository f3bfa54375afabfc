import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HandlerResponse } from '@subrail/core';

/** The time for the rest of a body after the answer. */
const LINGER_MS = 2_000;

/**
 * Sends a response of the handler of core, for a server of your own in front of `createRequestHandler`.
 * Resolves when it is sent or the client has disconnected.
 */
export async function sendResponse(response: HandlerResponse, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  const { status, headers, body } = response;
  if (typeof body !== 'string') return sendParts(response, body, outgoing);
  // Requests of test tools without a socket lack `complete`.
  const { complete = true, method } = outgoing.req as Partial<IncomingMessage>;
  // No other request can follow an unread body.
  if (!complete) outgoing.setHeader('Connection', 'close');
  outgoing.writeHead(
    status,
    // The length first: V8 is slow to add a field to a copied object.
    method === 'HEAD' ? headers : { 'Content-Length': Buffer.byteLength(body), ...headers },
  );
  const closed = new Promise<void>((resolve) => outgoing.once('close', resolve));
  if (complete) outgoing.end(body);
  else sendWhileReceiving(outgoing, body);
  await closed;
}

/**
 * Sends parts of a text, each when the client has taken the ones before. A part that cannot be read cuts the
 * connection, and rejects.
 */
async function sendParts(
  { status, headers }: HandlerResponse,
  parts: AsyncIterable<string>,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.writeHead(status, headers);
  try {
    await pipeline(Readable.from(parts), outgoing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/**
 * Answers a client that is still sending. Closing at once would reset the connection, and the client could
 * lose the answer (RFC 9112), so the rest of the body is discarded first.
 */
function sendWhileReceiving(outgoing: ServerResponse, body: string): void {
  const incoming = outgoing.req;
  const end = (): void => {
    outgoing.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  outgoing.once('close', () => {
    clearTimeout(timer);
  });
  incoming.once('end', end);
  incoming.resume();
  outgoing.flushHeaders();
  outgoing.write(body);
}
