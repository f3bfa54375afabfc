import { Unavailable } from '@subrail/core/ports';
import { reasonOf } from '../reason-of.js';
import { sqlState } from '../kysely/engines/error-codes.js';

/**
 * States that may pass: no connection, no resources, a statement or a lock that took too long, a server that
 * stops, starts or is a standby, an error of its disk, and prepared statements that are missing (26000), of
 * somebody else (42P05), or whose tables changed (0A000).
 */
const PASSING = /^(08...|53...|57...|58030|25006|25P0[34]|26000|42P05|0A000|40003|55P03)$/;

/** Prepared statements that a proxy gave to, or took from, another connection. */
const LOST_PREPARED = /^(26000|42P05)$/;
const LOST_PREPARED_ADVICE =
  'When this repeats, a proxy between gives each transaction another connection: set database_prepared_statements to false (in openBilling, preparedStatements). ';

/** The words of the driver for a lost connection, which has no code. */
const NO_CONNECTION =
  /connection (was )?(terminated|ended|closed|error)|connection has|timeout|not queryable|after calling end|socket/i;

/** Makes `Unavailable` of an error that may pass. Faults and conflicts are returned unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!mayPass(error)) return error;
  const advice = isLostPrepared(error) ? LOST_PREPARED_ADVICE : '';
  return new Unavailable(
    `The Postgres database cannot be used now: ${reasonOf(error)}. ${advice}Try again.`,
    { cause: error },
  );
}

/** PgBouncer has another state for a name in use. */
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

/** States after which another connection is better: of an ended one, a standby, and prepared statements. */
const ENDS_CONNECTION = /^(08...|57P..|53300|25P0[34]|25006|26000|42P05|0A000)$/;

/** Whether the server ended a connection, or does not answer. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || ENDS_CONNECTION.test(state);
}

/** Whether an error is of a socket or a name lookup, not of a file. */
export function isNetworkError(error: unknown): boolean {
  // A name may have several addresses, which failed one by one.
  if (error instanceof AggregateError) return error.errors.some(isNetworkError);
  const call = error instanceof Error && 'syscall' in error ? String(error.syscall) : '';
  return /^(connect|getaddrinfo|read|write|shutdown)/.test(call);
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isNetworkError(error) || NO_CONNECTION.test(error.message);
}
