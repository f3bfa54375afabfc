import { ERRORS, type ErrorCode, type ErrorFacts } from './error-codes.js';
import type { Missing } from './missing.js';

export { ERRORS, type ErrorCode };

/**
 * A refusal, thrown by every function of `Billing` and answered over HTTP. Branch on `code`, never on
 * `message`.
 */
export class ServiceError extends Error {
  readonly status: ErrorFacts['status'];
  readonly retryable: boolean;
  /** Whole seconds to wait before a retry; null when the error has no `Retry-After`. */
  readonly retryAfter: number | null;
  /** A sentence for each fault of the query or body, when its validation failed; null otherwise. */
  readonly sentences: readonly string[] | null;
  /** The money that the wallet lacks, of `insufficient_balance` and `insufficient_lamports`; else null. */
  readonly missing: Missing | null;

  constructor(
    readonly code: ErrorCode,
    more: {
      message?: string;
      sentences?: readonly string[];
      retryAfter?: number;
      missing?: Missing;
      cause?: unknown;
    } = {},
  ) {
    super(more.message ?? more.sentences?.join(' ') ?? ERRORS[code].message, { cause: more.cause });
    this.name = 'ServiceError';
    this.status = ERRORS[code].status;
    this.retryable = ERRORS[code].retryable;
    this.retryAfter = more.retryAfter ?? ERRORS[code].retryAfter ?? null;
    this.sentences = more.sentences ?? null;
    this.missing = more.missing ?? null;
  }
}

/**
 * Whether a caught value is a refusal of the service, with this code if one is given. Errors of another copy
 * of this package, such as a bundler makes, count too, which `instanceof` misses.
 *
 * @example
 * try {
 *   await shop.subscriptions.retry(id);
 * } catch (error) {
 *   if (!isServiceError(error, 'retry_too_soon')) throw error;
 * }
 */
export function isServiceError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is ServiceError & { readonly code: Code } {
  if (!(error instanceof Error) || error.name !== 'ServiceError' || !('code' in error)) return false;
  return code === undefined ? Object.hasOwn(ERRORS, String(error.code)) : error.code === code;
}
