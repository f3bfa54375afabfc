import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  isSolanaError,
} from '@solana/kit';
import type { ChainUnavailable } from '@subrail/core/ports';
import { retryAfterSeconds } from '../../retry-after.js';
import { CannotTell, MalformedResponse, StaleResponse, WrongCluster } from './response-fields.js';

/** The reason of an endpoint's failure, and its consequences for the next call. */
export interface Failure {
  readonly unavailable: ChainUnavailable;
  /**
   * Whether it counts towards the backoff. A node that is only behind, or refuses one call, is not broken.
   */
  readonly broken: boolean;
  /** The milliseconds without calls that the endpoint asked for (`Retry-After`); else null. */
  readonly retryAfterMs: number | null;
  /**
   * The number of such failures after which a call stops asking the endpoint. A silent or late node is asked
   * until the time of the call is over (attempts#retrying-a-silent-node).
   */
  readonly mostTries: number;
}

/** The longest `Retry-After` to follow: a longer one would make the chain unavailable for too long. */
const MAX_RETRY_AFTER_SECONDS = 5 * 60;
/** Some providers report their rate limit as a JSON-RPC error with the HTTP status. */
const RATE_LIMITED = 429;
/** A refused call is repeated once: another node behind the same URL may accept it. */
const MOST_TRIES = 2;

const SILENT: Failure = {
  unavailable: { kind: 'transport' },
  broken: true,
  retryAfterMs: null,
  mostTries: Infinity,
};
/** The endpoint responds, and not with what was asked for. */
const UNFIT: Failure = { ...SILENT, mostTries: MOST_TRIES };
/** The endpoint works, and is only behind. */
const BEHIND: Failure = { ...SILENT, broken: false };

/** Classifies an error that a call to one endpoint threw. `now` is the time by the calendar. */
export function classifyFailure(thrown: unknown, now: Date): Failure {
  if (thrown instanceof StaleResponse) return BEHIND;
  if (thrown instanceof CannotTell) return { ...BEHIND, mostTries: 1 };
  // Text that does not parse is not a node's, but such as a proxy's page.
  if (thrown instanceof MalformedResponse || thrown instanceof SyntaxError) return UNFIT;
  // No further call makes it another cluster's.
  if (thrown instanceof WrongCluster) return { ...UNFIT, mostTries: 1 };
  if (isSolanaError(thrown, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode, headers } = thrown.context;
    const limited = { retryAfterMs: retryAfterMs(headers.get('retry-after'), now) };
    if (statusCode === RATE_LIMITED) return { ...UNFIT, ...limited };
    // No node answered behind the URL.
    if (statusCode >= 500) return { ...SILENT, ...limited };
    return { ...refusal(thrown.context.__code), broken: true };
  }
  if (isSolanaError(thrown)) {
    const code: number = thrown.context.__code;
    switch (code) {
      case SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED:
        return BEHIND;
      case SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY:
      case RATE_LIMITED:
        return UNFIT;
      default:
        return refusal(code);
    }
  }
  return SILENT;
}

/** Whether an endpoint answered, with an error that is about the request and not about its own state. */
export function isRefusal(thrown: unknown): boolean {
  // The date matters to a `Retry-After` only.
  return classifyFailure(thrown, new Date(0)).unavailable.kind === 'rpc';
}

function refusal(code: number): Failure {
  return {
    unavailable: { kind: 'rpc', code },
    broken: false,
    retryAfterMs: null,
    mostTries: MOST_TRIES,
  };
}

function retryAfterMs(header: string | null, now: Date): number | null {
  const seconds = retryAfterSeconds(header, now);
  return seconds === null ? null : Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1000;
}
