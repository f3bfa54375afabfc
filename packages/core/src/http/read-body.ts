import { ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';

/** Refuses a body by the length its header states, before any of it is read (D2.5). */
export function refuseLongBody(headers: Headers): void {
  if (Number(headers.get('content-length') ?? 0) > LIMITS.bodyBytes)
    throw new ServiceError('payload_too_large');
}

/** The whole body, never holding more than the limit of it in memory whatever its header stated. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new ServiceError('invalid_request', { message: 'The body could not be read whole.', cause });
    });
    if (done) break;
    length += value.byteLength;
    if (length > LIMITS.bodyBytes) {
      // Nobody waits for the sender to take note.
      reader.cancel().catch(() => undefined);
      throw new ServiceError('payload_too_large');
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Refuses a content type that is not JSON (D1.5). None at all is let pass. */
export function refuseOtherContent(headers: Headers): void {
  const type = (headers.get('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[^/]+\+json$/.test(type)) {
    throw new ServiceError('invalid_request', { message: 'The content type must be application/json.' });
  }
}

/** The value a body's bytes stand for. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new ServiceError('invalid_request', { message: 'The body must be JSON in UTF-8.', cause });
  }
}
