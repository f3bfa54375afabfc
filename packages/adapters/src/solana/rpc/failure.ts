import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  isSolanaError,
} from '@solana/kit';
import type { ChainUnavailable } from '@subrail/core/ports';
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
const MAX_RETRY_AFTER_MS = 5 * 60_000;
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
      retryAt: busy ? retryAfter(headers.get('retry-after'), now) : null,
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

/** Reads a `Retry-After` header, in seconds or as a date, as milliseconds of the clock. */
function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const availableAt = /^\d+$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header);
  if (Number.isNaN(availableAt)) return null;
  return Math.min(availableAt, now.getTime() + MAX_RETRY_AFTER_MS);
}
