import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { Nothing } from '../contract/requests.js';
import { quoted, validated } from '../contract/validation-messages.js';
import type { Operation } from '../operations/operation.js';
import type { MatchedRoute } from './find-route.js';
import type { HandlerRequest } from './handler-request.js';

/**
 * Reads the whole body. Refuses a long one by its header, before any of it is read, and never holds more than
 * the limit in memory.
 */
export async function readBody(request: HandlerRequest): Promise<Uint8Array> {
  if (Number(request.header('content-length') ?? 0) > LIMITS.bodyBytes)
    throw new ServiceError('payload_too_large');
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > LIMITS.bodyBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new ServiceError('invalid_request', {
      sentences: ['The body ended before all of it had arrived. Send the request again.'],
      cause,
    });
  }
  if (length > LIMITS.bodyBytes) throw new ServiceError('payload_too_large');
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Refuses a parameter of a path that names nothing: an id or slug has only these characters. */
export function refuseImpossibleParameters({ operation, parameters }: MatchedRoute<Operation>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (/^[A-Za-z0-9_-]{1,64}$/.test(value)) continue;
    throw new ServiceError(name === 'project' ? 'not_found' : (operation.notFound ?? 'not_found'));
  }
}

/** The validated input of a call: the query of a GET or the body of a POST. Each refuses the other. */
export function readInput(operation: Operation, request: HandlerRequest, bytes: Uint8Array): unknown {
  const isRead = operation.method === 'GET';
  const ofQuery = validated((isRead ? operation.input : null) ?? Nothing, readQuery(request.search));
  // A route without a body accepts an empty one, or `{}`, of any content type (requests#body-of-a-read).
  if (isRead || operation.input === null) {
    const ofBody = validated(Nothing, bytes.byteLength === 0 ? {} : parseObject(bytes));
    return isRead ? ofQuery : ofBody;
  }
  refuseOtherContentType(request.header('content-type'));
  return validated(operation.input, parseObject(bytes));
}

/** Refuses a content type that is not JSON. A request without a content type is read as JSON. */
function refuseOtherContentType(contentType: string | null): void {
  const type = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[^/]+\+json$/.test(type)) {
    throw new ServiceError('invalid_request', { sentences: ['The content type must be application/json.'] });
  }
}

/** Parses a body, which must be a JSON object: every operation with a body takes one. */
function parseObject(bytes: Uint8Array): object {
  if (bytes.byteLength === 0) {
    throw new ServiceError('invalid_request', {
      sentences: ['The body is missing: it must be a JSON object.'],
    });
  }
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('invalid_request', { sentences: ['The body must be a JSON object.'] });
  }
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new ServiceError('invalid_request', { sentences: ['The body must be JSON in UTF-8.'], cause });
  }
}

/** Reads a query as an object of its parameters, each of which may be given only once. */
function readQuery(search: string): Record<string, string> {
  refuseBrokenEncoding(search);
  const query = new Map<string, string>();
  new URLSearchParams(search).forEach((value, name) => {
    if (query.has(name)) {
      throw new ServiceError('invalid_request', {
        sentences: [`The query must not give ${quoted(name)} more than once.`],
      });
    }
    query.set(name, value);
  });
  return Object.fromEntries(query);
}

/**
 * Refuses a query that does not decode. URLSearchParams would replace characters, and the result could name
 * another customer.
 */
function refuseBrokenEncoding(search: string): void {
  if (!search.includes('%')) return;
  try {
    decodeURIComponent(search);
  } catch (cause) {
    throw new ServiceError('invalid_request', {
      sentences: ['The query must be percent-encoded UTF-8.'],
      cause,
    });
  }
}
