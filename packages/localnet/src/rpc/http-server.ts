import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Localnet } from '../localnet.js';
import { callMethod, dispatchText } from './dispatch.js';

/** Enough for the largest account, 10 MiB, in hexadecimal. */
const BODY_LIMIT = 24 * 1024 * 1024;

/**
 * Creates the HTTP server of the JSON-RPC, not yet listening. Pages of any origin may call it, as a
 * validator.
 */
export function createHttpServer(chain: Localnet): Server {
  return createServer((request, response) => {
    respond(chain, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
}

async function respond(chain: Localnet, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-origin', '*');
  if (request.method === 'POST') {
    const body = await readBody(request);
    if (body === null) {
      response.setHeader('connection', 'close');
      end(response, 413, 'text/plain', `The request body is larger than ${BODY_LIMIT} bytes.`);
    } else {
      const responses = dispatchText((method, params) => callMethod(chain, method, params), body);
      end(response, 200, 'application/json', responses ?? '');
    }
  } else if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'POST, GET, OPTIONS');
    const headers = request.headers['access-control-request-headers'] ?? '*';
    response.setHeader('access-control-allow-headers', headers);
    response.setHeader('access-control-max-age', '86400');
    end(response, 204, 'text/plain', '');
  } else if (request.method === 'GET' && request.url === '/health') {
    end(response, 200, 'text/plain', 'ok');
  } else {
    end(response, 405, 'text/plain', 'Used HTTP Method is not allowed. POST or OPTIONS is required');
  }
}

/** The body as text. Null when it is too large: the rest is not read. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
