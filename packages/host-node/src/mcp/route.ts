import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  createFetchHandler,
  type HandlerRequest,
  type HandlerResponse,
  type Refuse,
  type RequestHandler,
  type Served,
} from '@subrail/core';
import { createManager } from '@subrail/core/client';
import type { ManagementKey } from '@subrail/core/ports';
import { createMcpServer } from './server.js';

/** The place of the route, and what it knows of keys. */
export interface McpRouteOptions {
  /** The path under which every route is served; empty for none. */
  readonly basePath: string;
  /** The address of the service, whose pages alone may call the route. */
  readonly publicUrl: string;
  readonly service: Pick<Served['service'], 'crypto' | 'store' | 'logger'>;
  readonly refuse: Refuse;
}

const MCP_PATH = '/manage/mcp';

/** The most bytes of a message: a call of an operation, with the body that its route takes, and some more. */
const MOST_BYTES = 128_000;

/**
 * Answers the messages of MCP, each by itself: nothing is kept between two requests. `handle` serves the
 * routes of management, and every call goes through it with the key of the request, so its checks, limits and
 * audit entries are those of the routes.
 */
export function createMcpRoute(handle: RequestHandler, options: McpRouteOptions): RequestHandler {
  const { basePath, service, refuse } = options;
  const ownOrigin = new URL(options.publicUrl).origin;

  /** The key of a request that may be answered, or else the refusal of the routes. */
  async function admit(request: HandlerRequest): Promise<ManagementKey | HandlerResponse> {
    // A call that every key may make: it is counted, and refused as that of every route is.
    const tried = await handle(asRead(request, `${basePath}/manage/v1/management-keys`));
    if (tried.status !== 200) return tried;
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? [];
    return (
      (await service.store.findManagementKey(await service.crypto.digest(text))) ??
      refuse(request, 'invalid_api_key')
    );
  }

  async function answer(request: HandlerRequest): Promise<HandlerResponse> {
    // A page that reaches the service by another name sends its origin (DNS rebinding).
    const origin = request.header('origin');
    if (origin !== null && origin !== ownOrigin)
      return refuse(request, 'forbidden', 'Pages of other origins may not call this.');
    const key = await admit(request);
    if ('status' in key) return key;
    if (request.method !== 'POST') {
      const refusal = refuse(request, 'not_found', NO_STREAM);
      return { ...refusal, status: 405, headers: { ...refusal.headers, Allow: 'POST' } };
    }
    const body = await readText(request);
    if (body === null) return refuse(request, 'payload_too_large');
    if (body.trimStart().startsWith('['))
      return refuse(request, 'invalid_request', 'Send one message at a time, and no list of them.');
    return respond(request, key, body);
  }

  async function respond(
    request: HandlerRequest,
    { access }: ManagementKey,
    body: string,
  ): Promise<HandlerResponse> {
    const authorization = request.header('authorization') ?? '';
    const manager = createManager({
      url: `http://localhost${basePath}`,
      key: authorization.replace(/^Bearer +/i, ''),
      maxRetries: 0,
      fetch: createFetchHandler(handle, () => request.ip),
    });
    const server = createMcpServer({
      manager,
      acts: access === 'write',
      howToAct: 'This management key may only read.',
      onFailure: (error) => service.logger.error({ err: error }, 'A tool of an assistant failed.'),
    });
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: MOST_BYTES,
    });
    try {
      await server.connect(transport);
      const headers = HEADERS.flatMap((name) => {
        const value = request.header(name);
        return value === null ? [] : [[name, value] as [string, string]];
      });
      const url = `http://localhost${basePath}${MCP_PATH}`;
      const response = await transport.handleRequest(new Request(url, { method: 'POST', headers, body }));
      return {
        status: response.status,
        headers: {
          'Content-Type': response.headers.get('content-type') ?? 'application/json',
          'Cache-Control': 'no-store',
        },
        body: await response.text(),
      };
    } finally {
      await server.close();
    }
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      service.logger.error({ err: error }, 'A message of MCP could not be answered.');
      return refuse(request, 'unavailable');
    }
  };
}

const NO_STREAM = 'The route answers POST alone: it sends no events, and keeps no sessions.';

/** The headers that the transport reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

/** A request with the key and the address of another, to read a path. */
function asRead(request: HandlerRequest, path: string): HandlerRequest {
  return {
    method: 'GET',
    path,
    search: '',
    ip: request.ip,
    body: new Blob([]).stream(),
    header: (name) => (name.startsWith('content-') ? null : request.header(name)),
  };
}

/** The body as text; null for one that is too long. */
async function readText({ body }: HandlerRequest): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
