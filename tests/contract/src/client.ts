import { Agent, request as overSocket } from 'node:http';

import { ERRORS, type ErrorCode, type OpenApiDocument } from '@subrail/core';
import { STATUS_NAMES } from '@subrail/core/schemas';
import { expect } from 'vitest';
import { NO_ROUTE, codeRow, reachedRows, type Row } from './coverage/rows.js';
import type { Recorder } from './coverage/recorder.js';
import type { Schemas } from './coverage/schemas.js';

export type Body = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed; empty when there is none. */
  readonly body: Body;
}

/** A request in every detail, for calls that `get` and `post` cannot make. */
export interface RawRequest {
  readonly method: string;
  /** The path after the host, `/v1` included, sent without any change. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The service as an integrator calls it, with one key. Every answer is checked against the contract. */
export interface Api {
  get(
    path: string,
    query?: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  /** Sends the request as it is, plus the key when it has no authorization. */
  send(raw: RawRequest): Promise<Answer>;
}

export interface ClientParts {
  readonly baseUrl: string;
  readonly document: OpenApiDocument;
  readonly schemas: Schemas;
  readonly recorder: Recorder;
}

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/** Calls the service at an address with a key, or without. */
export function apiOf(parts: ClientParts, key: string | null): Api {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };

  async function checked(method: string, path: string, response: Response): Promise<Answer> {
    const text = await response.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Body;
    const answer = { status: response.status, headers: response.headers, body };
    parts.recorder.note(checkAnswer(parts, method, path.split('?')[0] ?? path, answer, text));
    return answer;
  }

  return {
    async get(path, query = {}, headers = {}) {
      const queryString = new URLSearchParams(query).toString();
      const full = `/v1${path}${queryString === '' ? '' : `?${queryString}`}`;
      const sent = { headers: { ...authorization, ...headers } };
      return checked('GET', full, await fetch(`${parts.baseUrl}${full}`, sent));
    },
    async post(path, body, headers = {}) {
      const full = `/v1${path}`;
      const sent = {
        method: 'POST',
        headers: {
          ...authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      return checked('POST', full, await fetch(`${parts.baseUrl}${full}`, sent));
    },
    send: async (raw) =>
      checked(
        raw.method,
        raw.path,
        await sendRaw(parts.baseUrl, { ...raw, headers: { ...authorization, ...raw.headers } }),
      ),
  };
}

/** Keeps connections, because opening one takes longer than most calls. */
const AGENT = new Agent({ keepAlive: true });

/** Sends requests that `fetch` would correct or refuse. */
function sendRaw(baseUrl: string, { method, path, headers = {}, body }: RawRequest): Promise<Response> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = overSocket({ hostname, port, method, path, headers, agent: AGENT }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const received = new Headers(
          Object.entries(incoming.headersDistinct).map(([name, all]) => [name, (all ?? []).join(', ')]),
        );
        const text = Buffer.concat(chunks);
        resolve(
          new Response(text.length === 0 ? null : text, {
            status: incoming.statusCode ?? 0,
            headers: received,
          }),
        );
      });
      incoming.on('error', reject);
    });
    // A server that does not read the whole body may close the connection after its answer.
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Checks an answer against conventions, document and error table; returns the rows that it reaches. */
function checkAnswer(
  { document, schemas }: ClientParts,
  method: string,
  path: string,
  { status, headers, body }: Answer,
  text: string,
): ReadonlySet<Row> {
  expect(headers.get('service-request-id'), 'Service-Request-Id').toMatch(/^req_[A-Za-z0-9]{24}$/);
  expect(headers.get('service-version'), 'Service-Version').toBe('2026-10-02');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  checkRateLimit(status, headers);
  const route = routeOf(document, method, path);
  if (method === 'HEAD') {
    expect(text, 'requests#head-requests').toBe('');
    return new Set();
  }
  const rows = new Set<Row>();
  if (status >= 400) {
    checkError(status, headers, body);
    rows.add(
      codeRow(
        body['code'] === 'not_found' ? NO_ROUTE : (route?.name ?? NO_ROUTE),
        status,
        String(body['code']),
      ),
    );
  }
  if (route === null) {
    expect([
      'not_found',
      'missing_api_key',
      'invalid_api_key',
      'rate_limited',
      'unavailable',
      'internal_error',
    ]).toContain(body['code']);
    return rows;
  }
  const schema = route.operation.responses[String(status)]?.content?.['application/json']?.schema;
  if (schema === undefined)
    throw new Error(`${route.name} answered ${status}, which the document does not have: ${text}`);
  expect(schemas.violations(schema, body), `${route.name} ${status} ${text}`).toBeNull();
  if (status < 400) for (const row of reachedRows(schemas, schema, body)) rows.add(row);
  return rows;
}

/** Checks the rate limit headers (requests#rate-limit-headers). Only a 5xx may come without them. */
function checkRateLimit(status: number, headers: Headers): void {
  const [limit, remaining, reset] = RATE_LIMIT_HEADERS.map((name) => headers.get(name));
  if (status >= 500 && limit === null) return;
  expect(Number(limit), 'X-RateLimit-Limit').toBeGreaterThanOrEqual(1);
  expect(Number(remaining), 'X-RateLimit-Remaining').toBeGreaterThanOrEqual(0);
  expect(Number(reset), 'X-RateLimit-Reset').toBeGreaterThanOrEqual(0);
  for (const count of [limit, remaining, reset]) expect(count).toMatch(/^[0-9]+$/);
}

/** Checks the error body against the table of codes (errors#stable-error-codes). */
function checkError(status: number, headers: Headers, body: Body): void {
  const code = body['code'] as ErrorCode;
  const facts = ERRORS[code];
  expect(facts, `the code ${code} is in the table`).toBeDefined();
  expect(status).toBe(facts.status);
  expect(body).toEqual({
    statusCode: status,
    error: STATUS_NAMES[facts.status],
    code,
    message: expect.anything() as unknown,
    retryable: facts.retryable,
    request_id: headers.get('service-request-id'),
  });
  const message = body['message'];
  // Of the refusals with invalid_request only this one is a sentence, because no single field is at fault.
  const isSentence =
    code !== 'invalid_request' || String(message).startsWith('Name the customer by exactly one');
  expect(Array.isArray(message), 'a list for validation, else a sentence').toBe(!isSentence);
  for (const sentence of [message].flat()) expect(sentence).toMatch(/^([A-Z"].{9,}[.]|Cannot [A-Z]+ \S+)$/s);
  const wait = headers.get('retry-after');
  if (facts.retryAfter === undefined) expect(wait, 'Retry-After').toBeNull();
  else expect(Number(wait), 'Retry-After').toBeGreaterThanOrEqual(1);
}

/** The documented operation of a call. */
function routeOf(document: OpenApiDocument, method: string, path: string) {
  const verb = method === 'HEAD' || method === 'GET' ? 'get' : method === 'POST' ? 'post' : null;
  if (verb === null) return null;
  for (const [pattern, operations] of Object.entries(document.paths)) {
    const operation = operations[verb];
    const shape = new RegExp(`^${pattern.replace(/\{\w+\}/, '[^/]+')}$`);
    if (operation !== undefined && shape.test(path)) {
      return { name: `${verb.toUpperCase()} ${pattern}`, operation };
    }
  }
  return null;
}
