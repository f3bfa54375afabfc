import { Unavailable } from '@subrail/core/ports';
import { reasonOf } from '../reason-of.js';
import { sqlState } from '../kysely/engines/error-codes.js';

/**
 * The states in which a server cannot serve now and may soon: no connection, no resources such as disk or connections, a
 * statement or a lock that took too long, a server that shuts down, starts or became a standby, an error of its disk, a prepared
 * statement that it does not have (26000) or has of somebody else (42P05), or whose tables changed (0A000).
 */
const PASSING = /^(08...|53...|57...|58030|25006|25P0[34]|26000|42P05|0A000|40003|55P03)$/;

/** The states of a prepared statement that a proxy gave to another connection, or took from one. */
const LOST_PREPARED = /^(26000|42P05)$/;
const LOST_PREPARED_ADVICE =
  'When this repeats, a proxy between gives each transaction another connection: set database_prepared_statements to false (in openBilling, preparedStatements). ';

/** How the driver words that there is no connection, for which it has no codes. */
const NO_CONNECTION =
  /connection (was )?(terminated|ended|closed|error)|connection has|timeout|not queryable|after calling end|socket/i;

/**
 * Turns an error of the server, of its network or of the pool into `Unavailable`, since it may pass. Other errors are faults, or
 * conflicts that a retry resolves, and are returned unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  if (!mayPass(error)) return error;
  const advice = isLostPrepared(error) ? LOST_PREPARED_ADVICE : '';
  return new Unavailable(
    `The Postgres database cannot be used now: ${reasonOf(error)}. ${advice}Try again.`,
    { cause: error },
  );
}

/** PgBouncer has a state of the protocol for a name that is in use. */
function isLostPrepared(error: unknown): boolean {
  return (
    LOST_PREPARED.test(sqlState(error) ?? '') ||
    (error instanceof Error && /prepared statement .*(in use|exist)/i.test(error.message))
  );
}

function mayPass(error: unknown): boolean {
  const state = sqlState(error);
  return state === null ? isConnectionError(error) : PASSING.test(state);
}

/**
 * The states with which a server ends a connection, and those for which another one is better: of a server that became a standby, and
 * of prepared statements.
 */
const ENDS_CONNECTION = /^(08...|57P..|53300|25P0[34]|25006|26000|42P05|0A000)$/;

/** Whether a connection cannot be used any more after this error: the server ended it, or answers no longer. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || ENDS_CONNECTION.test(state);
}

/** Whether an error is of a socket or of the look-up of a name, and not of a file. */
export function isNetworkError(error: unknown): boolean {
  // A name such as localhost may have several addresses, of which each failed.
  if (error instanceof AggregateError) return error.errors.some(isNetworkError);
  const call = error instanceof Error && 'syscall' in error ? String(error.syscall) : '';
  return /^(connect|getaddrinfo|read|write|shutdown)/.test(call);
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isNetworkError(error) || NO_CONNECTION.test(error.message);
}
