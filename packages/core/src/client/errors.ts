import { ERRORS, type ErrorCode } from '../contract/errors.js';

/**
 * A call of the client that failed: the service refused it (`ApiError`), no answer arrived
 * (`ConnectionError`), or another server answered (`UnreadableAnswerError`). A retryable call was repeated
 * before, as often as the options allow.
 */
export abstract class CallError extends Error {
  /** Whether the same call may succeed later. Every call is safe to repeat. */
  abstract readonly retryable: boolean;
  /** Whole seconds to wait before the call is repeated; null when the answer did not say. */
  abstract readonly retryAfter: number | null;
  /** The id of the request, for a report to the service's operator; null when the answer had none. */
  abstract readonly requestId: string | null;
}

/** The facts of an `ApiError`. */
export interface ApiErrorFacts<Code extends string = string> {
  readonly status: number;
  readonly code: Code;
  /** A sentence, or one sentence for each fault of the request when its validation failed. */
  readonly message: string | readonly string[];
  readonly retryable: boolean;
  readonly retryAfter: number | null;
  readonly requestId: string;
}

/**
 * The service refused the call. Branch on `code`, never on `message`, and keep a default branch: routes may
 * answer new codes within a version of the contract. `ApiErrors` has a class for each code of this release; a
 * refusal with a newer code is a plain `ApiError`.
 */
export class ApiError extends CallError {
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  override readonly retryable: boolean;
  override readonly retryAfter: number | null;
  override readonly requestId: string;
  /** A sentence for each fault of the request, when its validation failed; null otherwise. */
  readonly sentences: readonly string[] | null;

  constructor({ status, code, message, retryable, retryAfter, requestId }: ApiErrorFacts) {
    super(typeof message === 'string' ? message : message.join(' '));
    // The classes of single codes have this name too: `isApiError` knows errors of another copy by it.
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
    this.sentences = typeof message === 'string' ? null : message;
  }
}

/** `seat_cap_reached` as `SeatCapReached`. */
type ClassName<Code extends string> = Code extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Head>}${ClassName<Tail>}`
  : Capitalize<Code>;

/** The class of the refusals with one code. */
type ApiErrorClass<Code extends ErrorCode> = new (
  facts: ApiErrorFacts<Code>,
) => ApiError & { readonly code: Code };

const CODES = Object.keys(ERRORS) as readonly ErrorCode[];

const CLASSES: ReadonlyMap<string, new (facts: ApiErrorFacts) => ApiError> = new Map(
  CODES.map((code) => [code, classOf(code)]),
);

/**
 * A subclass of `ApiError` for each error code, such as `ApiErrors.SeatCapReached` for `seat_cap_reached`.
 *
 * @example
 * const { subscriptions } = createClient({ url: 'https://billing.example.com', key });
 * try {
 *   await client.subscriptions.retry(id);
 * } catch (error) {
 *   // The wallet cannot pay yet: the customer has to top it up.
 *   if (!(error instanceof ApiErrors.InsufficientBalance)) throw error;
 * }
 */
export const ApiErrors = Object.fromEntries(
  [...CLASSES.values()].map((errorClass) => [errorClass.name, errorClass]),
) as ApiErrorClasses;

type ApiErrorClasses = { readonly [Code in ErrorCode as ClassName<Code>]: ApiErrorClass<Code> };

function classOf(code: ErrorCode): new (facts: ApiErrorFacts) => ApiError {
  const name = code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  // A class takes its name from the property that it is assigned to.
  return { [name]: class extends ApiError {} }[name] ?? ApiError;
}

/** Makes the error of a refusal, in the class of its code. */
export function apiErrorOf(facts: ApiErrorFacts): ApiError {
  return new (CLASSES.get(facts.code) ?? ApiError)(facts);
}

/**
 * Whether a caught value is a refusal of the service, with this code if one is given. Errors of another copy
 * of this package, such as a bundler makes, count too, which `instanceof` misses.
 *
 * @example
 * let waitSeconds = 0;
 * try {
 *   await client.subscriptions.retry(id);
 * } catch (error) {
 *   if (!isApiError(error, 'retry_too_soon')) throw error;
 *   waitSeconds = error.retryAfter ?? 60;
 * }
 */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError & { readonly code: Code };
export function isApiError(error: unknown, code?: ErrorCode): boolean {
  if (!(error instanceof Error) || error.name !== 'ApiError' || !('code' in error)) return false;
  return code === undefined || error.code === code;
}

/**
 * No whole answer arrived: the network failed, or the call took too long. The call may have had its effect;
 * the same call again returns its outcome. `cause` is the error of `fetch`.
 */
export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError';
  override readonly retryable = true;
  override readonly retryAfter = null;
  override readonly requestId = null;

  constructor(
    /** The call, such as `GET /v1/plans`. */
    call: string,
    /** The time limit in milliseconds when it passed; null when the network failed. */
    readonly timeoutMs: number | null,
    cause?: unknown,
  ) {
    super(
      timeoutMs === null
        ? `${call} got no answer: the connection failed. What it did is unknown; it is safe to repeat.`
        : `${call} got no answer within ${timeoutMs / 1_000} seconds. What it did is unknown; it is safe to repeat.`,
      { cause },
    );
  }
}

/** The most characters of an unreadable answer that its error keeps. */
const KEPT_CHARACTERS = 1_000;

/**
 * An answer that the service did not write, such as the page of a proxy or of another server at the URL.
 * Retryable with the statuses 429 and 5xx.
 */
export class UnreadableAnswerError extends CallError {
  override readonly name = 'UnreadableAnswerError';
  override readonly retryable: boolean;
  /** The HTTP status of the answer; 0 for a redirect in a browser. */
  readonly status: number;
  override readonly retryAfter: number | null;
  override readonly requestId: string | null;
  /** The first 1,000 characters of the answer. */
  readonly text: string;

  constructor(
    /** The call, such as `GET /v1/plans`. */
    call: string,
    answer: {
      readonly status: number;
      readonly contentType: string | null;
      readonly retryAfter: number | null;
      readonly requestId: string | null;
      readonly text: string;
    },
  ) {
    const { status, contentType } = answer;
    super(
      `${call} was answered with status ${status} and ${contentType ?? 'no content type'}, and not as the service answers. ` +
        'Check the URL of the client, and what answers there.',
    );
    this.retryable = status === 429 || status >= 500;
    this.status = status;
    this.retryAfter = answer.retryAfter;
    this.requestId = answer.requestId;
    this.text = answer.text.slice(0, KEPT_CHARACTERS);
  }
}
