import { apiErrorOf, UnreadableAnswerError } from './errors.js';

/** An answer as it arrived, with its whole body. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Reads the expected body of a successful answer. Throws an `ApiError` for a refusal, and an
 * `UnreadableAnswerError` for an answer that the service did not write. Fields are not checked: the contract
 * may add some within a version.
 */
export function readAnswer(
  call: string,
  { status, headers, text }: ReceivedAnswer,
  isExpected: (body: unknown) => body is object = isObject,
): object {
  const retryAfter = wholeSeconds(headers.get('retry-after'));
  const body = parse(text);
  if (isExpected(body) && status >= 200 && status < 300) return body;
  if (isObject(body) && status >= 400 && isErrorBody(body)) {
    const { code, message, retryable } = body;
    throw apiErrorOf({ status, code, message, retryable, retryAfter, requestId: body.request_id });
  }
  throw new UnreadableAnswerError(call, {
    ...{ status, retryAfter, text },
    contentType: headers.get('content-type'),
    requestId: headers.get('service-request-id'),
  });
}

/** The seconds of a `Retry-After`. The date that a proxy may state is left out. */
function wholeSeconds(header: string | null): number | null {
  return header !== null && /^[0-9]{1,9}$/.test(header) ? Number(header) : null;
}

/** Whether a parsed answer is a JSON object. */
export function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The fields of an error body that the client reads. The code may be one that this release does not know. */
interface AnyErrorBody {
  readonly code: string;
  readonly message: string | readonly string[];
  readonly retryable: boolean;
  readonly request_id: string;
}

function isErrorBody(body: Partial<Record<keyof AnyErrorBody, unknown>>): body is AnyErrorBody {
  return (
    typeof body.code === 'string' &&
    [body.message].flat().every((sentence) => typeof sentence === 'string') &&
    typeof body.retryable === 'boolean' &&
    typeof body.request_id === 'string'
  );
}
