import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandlerResponse } from '@subrail/core';

/** How long a client may go on sending its body after it got its answer. */
const LINGER_MS = 2_000;

/**
 * Sends a response of core's handler with its length, for a server of your own in front of `createRequestHandler`.
 * Resolves when it has been sent or the client has disconnected.
 */
export async function sendResponse(response: HandlerResponse, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  const { status, headers, body } = response;
  // A request of a test tool, which opens no socket, does not say that it is complete.
  const { complete = true, method } = outgoing.req as Partial<IncomingMessage>;
  // The connection cannot carry another request before the rest of this body, so it is closed.
  if (!complete) outgoing.setHeader('Connection', 'close');
  outgoing.writeHead(
    status,
    // The length first: V8 is slow to add a field to a copy of an object, and to read it afterwards.
    method === 'HEAD' ? headers : { 'Content-Length': Buffer.byteLength(body), ...headers },
  );
  const closed = new Promise<void>((resolve) => outgoing.once('close', resolve));
  if (complete) outgoing.end(body);
  else sendWhileReceiving(outgoing, body);
  await closed;
}

/**
 * Answers a client that is still sending its body. Closing at once would reset the connection, and the client could
 * lose the answer (RFC 9112), so the answer is sent in full and what still arrives is discarded.
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
