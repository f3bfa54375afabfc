import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';

/** Refuses a body by the length its header states, before any of it is read (requests#body-size-limit). */
export function refuseLongBody(contentLength: string | null): void {
  if (Number(contentLength ?? 0) > LIMITS.bodyBytes) throw new ServiceError('payload_too_large');
}

/** The whole body, never holding more than the limit of it in memory whatever its header stated. */
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
    throw new ServiceError('invalid_request', { message: 'The body could not be read whole.', cause });
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

/** Refuses a content type that is not JSON (requests#post-without-a-body). None at all is let pass. */
export function refuseOtherContent(contentType: string | null): void {
  const type = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[^/]+\+json$/.test(type)) {
    throw new ServiceError('invalid_request', { message: 'The content type must be application/json.' });
  }
}

/** The object a body's bytes stand for: every route that takes a body takes an object. */
export function parseObject(bytes: Uint8Array): object {
  if (bytes.byteLength === 0) {
    throw new ServiceError('invalid_request', { message: 'The body is missing: it must be a JSON object.' });
  }
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('invalid_request', { message: 'The body must be a JSON object.' });
  }
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new ServiceError('invalid_request', { message: 'The body must be JSON in UTF-8.', cause });
  }
}
