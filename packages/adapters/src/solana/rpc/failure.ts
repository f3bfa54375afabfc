import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  isSolanaError,
} from '@solana/kit';
import type { ChainUnavailable } from '@subrail/core/ports';
import { StaleResponse } from './response-fields.js';

/** Why one endpoint did not answer, and what that says about asking it again. */
export interface Failure {
  readonly unavailable: ChainUnavailable;
  /** Whether it counts against the endpoint. A node that is merely behind, or refuses one question, is not broken. */
  readonly broken: boolean;
  /** When the endpoint said it may be asked again, in milliseconds of the clock; else null. */
  readonly askAgainAt: number | null;
}

/** An hour's rest for one busy minute would be silence of our own making. */
const LONGEST_REST_MS = 5 * 60_000;
/** Some providers tell the rate limit as a JSON-RPC error with the HTTP number. */
const RATE_LIMITED = 429;

/** Judges what was thrown by asking one endpoint. */
export function failureOf(thrown: unknown, now: Date): Failure {
  if (thrown instanceof StaleResponse)
    return { unavailable: { kind: 'transport' }, broken: false, askAgainAt: null };
  if (isSolanaError(thrown, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode, headers } = thrown.context;
    const busy = statusCode === RATE_LIMITED || statusCode >= 500;
    return {
      unavailable: busy ? { kind: 'transport' } : { kind: 'rpc', code: thrown.context.__code },
      broken: true,
      askAgainAt: busy ? retryAfter(headers.get('retry-after'), now) : null,
    };
  }
  if (isSolanaError(thrown)) {
    const code: number = thrown.context.__code;
    switch (code) {
      case SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED:
        return { unavailable: { kind: 'transport' }, broken: false, askAgainAt: null };
      case SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY:
      case RATE_LIMITED:
        return { unavailable: { kind: 'transport' }, broken: true, askAgainAt: null };
      default:
        return { unavailable: { kind: 'rpc', code }, broken: false, askAgainAt: null };
    }
  }
  return { unavailable: { kind: 'transport' }, broken: true, askAgainAt: null };
}

/** Reads `Retry-After`, in seconds or as a date, as milliseconds of the clock. */
function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const asked = /^\d+$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header);
  if (Number.isNaN(asked)) return null;
  return Math.min(asked, now.getTime() + LONGEST_REST_MS);
}
