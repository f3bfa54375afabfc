import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { quoted } from '../contract/validation-messages.js';

/** Refuses a body by the length that its header states, before any of it is read. */
export function refuseLongBody(contentLength: string | null): void {
  if (Number(contentLength ?? 0) > LIMITS.bodyBytes) throw new ServiceError('payload_too_large');
}

/** Reads the whole body. It never holds more than the limit in memory, whatever length the header stated. */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
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

/** Refuses a content type that is not JSON. A request without a content type is read as JSON. */
export function refuseOtherContentType(contentType: string | null): void {
  const type = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[^/]+\+json$/.test(type)) {
    throw new ServiceError('invalid_request', { sentences: ['The content type must be application/json.'] });
  }
}

/** Parses a body, which must be a JSON object: every operation with a body takes one. */
export function parseObject(bytes: Uint8Array): object {
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
export function readQuery(search: string): Record<string, string> {
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
