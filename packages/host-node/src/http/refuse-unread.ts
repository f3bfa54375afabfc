import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { sendResponse, toHandlerRequest } from '@subrail/adapters/node';
import type { ErrorCode, HandlerRequest, HandlerResponse, Refuse, WholeResponse } from '@subrail/core';

/** The time a refused client may go on sending. Closing at once could lose the answer on its way. */
const LINGER_MS = 2_000;

interface Refusal {
  readonly code: ErrorCode;
  /** Absent: the message of the code. */
  readonly message?: string;
}

/** Refusals by the code of the error with which Node's parser gives a request up. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'payload_too_large' },
};
const NO_HTTP: Refusal = {
  code: 'invalid_request',
  message: 'This is not a request of HTTP/1.1, or what follows it is not its body. Send it again as one.',
};
const NO_HOST: Refusal = {
  code: 'invalid_request',
  message: 'The request has no Host header, which HTTP/1.1 requires.',
};

/**
 * Answers requests that Node's server would answer by itself, or not at all: those its parser gives up, an
 * unknown expectation, and a tunnel. The answers have the body and the headers of every refusal.
 *
 * @returns the refusal of a request that must not reach the handler; null when it may
 */
export function refuseUnread(
  server: Server,
  refuse: Refuse,
): (incoming: IncomingMessage, outgoing: ServerResponse) => HandlerResponse | null {
  /** The answer that is due on each connection. */
  const due = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();

  function end(socket: Duplex, response: WholeResponse): void {
    refused.add(socket);
    socket.end(rawResponse(response));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  server.on('clientError', (error: ParserError, socket) => {
    // A connection that was refused may still bring what its client had sent.
    if (refused.has(socket)) return;
    const outgoing = due.get(socket);
    // The request was whole, so the error is of what follows it: its answer is sent, and nothing more.
    if (outgoing?.req.complete === true && !outgoing.writableFinished) {
      outgoing.once('close', () => socket.destroy());
      return;
    }
    const answered = outgoing !== undefined && outgoing.headersSent && !outgoing.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || answered) {
      socket.destroy();
      return;
    }
    const { code, message } = REFUSALS[error.code ?? ''] ?? NO_HTTP;
    // After whole headers, the error is of the body.
    const request =
      outgoing?.req.complete === false ? toHandlerRequest(outgoing.req) : unreadRequest(error.rawPacket);
    end(socket, refuse(request, code, message));
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    void sendResponse(refuse(toHandlerRequest(incoming), 'expectation_failed'), outgoing);
  });
  server.on('connect', (incoming, socket) => {
    socket.on('error', () => undefined);
    const request = { ...unreadRequest(undefined), method: 'CONNECT', path: incoming.url ?? '' };
    end(socket, refuse(request, 'not_found', `Cannot CONNECT ${incoming.url ?? ''}`));
  });
  return (incoming, outgoing) => {
    due.set(incoming.socket, outgoing);
    const lacksHost = incoming.httpVersion === '1.1' && incoming.headers.host === undefined;
    return lacksHost ? refuse(toHandlerRequest(incoming), NO_HOST.code, NO_HOST.message) : null;
  };
}

interface ParserError extends Error {
  readonly code?: string;
  /** The bytes being read. */
  readonly rawPacket?: Buffer;
}

/** The first line of a request that could not be read, where the packet of the error has it. */
function unreadRequest(packet: Buffer | undefined): HandlerRequest {
  const [, method = 'GET', path = ''] =
    /^([A-Z]+) (\/[^\s?]*)\S* HTTP/.exec(packet?.subarray(0, 2_048).toString('latin1') ?? '') ?? [];
  return { method, path, search: '', ip: '', body: NOTHING, header: () => null };
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/** The bytes of a response that ends its connection. */
function rawResponse({ status, headers, body }: WholeResponse): string {
  const all = {
    ...headers,
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
