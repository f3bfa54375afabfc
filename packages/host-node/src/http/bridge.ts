import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A Node request as fetch knows it, or null for what fetch has no form for: a target that is no path, and the methods
 * CONNECT, TRACE and TRACK. The signal aborts when the client goes away before the answer is out.
 */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request | null {
  const { method = 'GET', url = '' } = incoming;
  if (!url.startsWith('/')) return null;
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  }
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const bodyless = method === 'GET' || method === 'HEAD';
  try {
    // The authority is never looked at: the path is all that routes, and a Host header is the client's word.
    return new Request(`http://localhost${url}`, {
      method,
      headers,
      signal: gone.signal,
      ...(bodyless ? {} : { body: bodyOf(incoming), duplex: 'half' }),
    });
  } catch {
    return null;
  }
}

/**
 * The body, read from the socket only as fast as it is asked for, so that whoever counts its bytes can stop in time.
 * Cancelling leaves the socket open: the answer still has to go out on it.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.pause();
        incoming.on('data', (chunk: Buffer) => {
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        incoming.once('end', () => {
          controller.close();
        });
        incoming.once('error', (error) => {
          controller.error(error);
        });
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        incoming.removeAllListeners('data').removeAllListeners('end').resume();
      },
    },
    { highWaterMark: 64 * 1024, size: ({ byteLength }: Uint8Array) => byteLength },
  );
}

/** Writes an answer. Answers of this service are small and whole, so they go out with their length. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (outgoing.destroyed) return;
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (outgoing.req.method !== 'HEAD') outgoing.setHeader('content-length', body.byteLength);
  // What is left of a body nobody wanted is not worth another request on the same connection.
  if (!outgoing.req.complete) outgoing.setHeader('connection', 'close');
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    // As text of the same bytes it goes out in one write with the headers; a buffer would be written apart.
    outgoing.end(body.toString('latin1'), 'latin1');
  });
}
