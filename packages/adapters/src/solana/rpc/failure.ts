import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  isSolanaError,
} from '@solana/kit';
import type { ChainUnavailable } from '@subrail/core/ports';
import { retryAfterSeconds } from '../../retry-after.js';
import { StaleResponse } from './response-fields.js';

/** Why one endpoint gave no result, and what that means for the next call. */
export interface Failure {
  readonly unavailable: ChainUnavailable;
  /**
   * Whether it counts towards the backoff of the endpoint. A node that is only behind, or refuses one call, is not
   * broken.
   */
  readonly broken: boolean;
  /** When the endpoint accepts calls again, by its `Retry-After`, in milliseconds of the clock; else null. */
  readonly retryAt: number | null;
}

/** The longest `Retry-After` to follow: a longer one would make the chain unavailable for too long. */
const MAX_RETRY_AFTER_SECONDS = 5 * 60;
/** Some providers report their rate limit as a JSON-RPC error with the HTTP status. */
const RATE_LIMITED = 429;

/** Classifies an error that a call to one endpoint threw. */
export function classifyFailure(thrown: unknown, now: Date): Failure {
  if (thrown instanceof StaleResponse)
    return { unavailable: { kind: 'transport' }, broken: false, retryAt: null };
  if (isSolanaError(thrown, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode, headers } = thrown.context;
    const busy = statusCode === RATE_LIMITED || statusCode >= 500;
    return {
      unavailable: busy ? { kind: 'transport' } : { kind: 'rpc', code: thrown.context.__code },
      broken: true,
      retryAt: busy ? retryAtOf(headers.get('retry-after'), now) : null,
    };
  }
  if (isSolanaError(thrown)) {
    const code: number = thrown.context.__code;
    switch (code) {
      case SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED:
        return { unavailable: { kind: 'transport' }, broken: false, retryAt: null };
      case SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY:
      case RATE_LIMITED:
        return { unavailable: { kind: 'transport' }, broken: true, retryAt: null };
      default:
        return { unavailable: { kind: 'rpc', code }, broken: false, retryAt: null };
    }
  }
  return { unavailable: { kind: 'transport' }, broken: true, retryAt: null };
}

/** When an endpoint asks to be called again by a `Retry-After` header, in milliseconds of the clock. */
function retryAtOf(header: string | null, now: Date): number | null {
  const seconds = retryAfterSeconds(header, now);
  return seconds === null ? null : now.getTime() + Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1000;
}
