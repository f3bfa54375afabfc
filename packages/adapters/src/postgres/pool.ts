import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { postgresAddressFault } from './address/fault.js';
import { postgresServers } from './address/servers.js';
import { driverAddress, optionsOfAddress } from './address/parameters.js';
import { encryptionOf } from './encryption.js';
import { Servers, ServersPool } from './servers.js';

/** How long the store waits, in milliseconds, before it gives up with `Unavailable`. */
interface PostgresTimeouts {
  /** For a connection: one of the pool that becomes free, or a new one. Default: 5,000. */
  readonly connectMs?: number;
  /** For a statement. The server ends it then. Default: 30,000. */
  readonly statementMs?: number;
  /** For an answer that the network lost, after the server should have ended the statement. Default: 5,000. */
  readonly lostAnswerMs?: number;
  /** For a lock of another transaction on a row or a table. Default: 10,000. */
  readonly lockMs?: number;
  /** Within a transaction, for its next statement. The server then rolls back, so that a host that froze holds no locks. Default: 30,000. */
  readonly idleInTransactionMs?: number;
}

/** Which database, and how the store connects to it. */
export interface PostgresOptions {
  /**
   * The address of the database: `postgres://user:password@host:5432/database`. Without encryption unless it ends in
   * `?sslmode=verify-full`, which checks the certificate of the server against its name; `require` and `verify-ca` do the same, and
   * `no-verify` encrypts and checks nothing. `sslrootcert=`, a path, names the authority of a certificate of your own, `sslcert=` and
   * `sslkey=` a certificate of this client. What it leaves out is taken from the environment (`PGPASSWORD`, `PGSSLMODE`) and from
   * `~/.pgpass`. `connect_timeout=`, in seconds, is `timeouts.connectMs`, and `pgbouncer=true` turns `preparedStatements` off, unless
   * those are given. Other parameters that managed databases put into addresses are ignored, as `report` hears; one that does not exist
   * is refused. Several hosts with commas between are tried in turn, and one that only reads is left.
   */
  readonly url: string;
  /**
   * The most connections at a time, besides one that hears of changed API keys once the first key was asked for. All hosts together must
   * stay below the server's `max_connections`. Default: 10.
   */
  readonly poolSize?: number;
  readonly timeouts?: PostgresTimeouts;
  /**
   * Settings of TLS that an address cannot have, such as a certificate in memory. They take the place of those that the address has of
   * the same. The connection is encrypted then, and the certificate of the server checked unless `rejectUnauthorized` is false here.
   * Default: what the address says.
   */
  readonly tls?: ConnectionOptions;
  /**
   * Whether statements that run again and again are prepared once for each connection. Turn it off behind a proxy that gives each
   * transaction another connection and cannot pass prepared statements on. Default: what the address says, else true.
   */
  readonly preparedStatements?: boolean;
  /** Hears what takes long while a store is opened: an index that is built, a table that is locked. Default: nobody. */
  readonly report?: (sentence: string) => void;
}

const OPTIONS: Readonly<Record<keyof PostgresOptions, true>> = {
  ...{ url: true, poolSize: true, timeouts: true, tls: true, preparedStatements: true, report: true },
};

const TIMEOUTS: Readonly<Record<keyof PostgresTimeouts, true>> = {
  ...{ connectMs: true, statementMs: true, lostAnswerMs: true, lockMs: true, idleInTransactionMs: true },
};

/**
 * How connections to the servers of an address are made.
 *
 * @throws TypeError that says what of the options cannot be used
 * @throws PostgresRefusal when a file of the address cannot be read, or `PGSSLMODE` has a value that does not exist
 */
export function serversOf(options: PostgresOptions): Servers {
  requireOptions('', options, OPTIONS);
  const { url, timeouts = {}, tls } = options;
  const fault = postgresAddressFault(url);
  if (fault !== null) throw new TypeError(`The address of the database ${fault}`);
  requireOptions('timeouts.', timeouts, TIMEOUTS);
  if (typeof (tls ?? {}) !== 'object')
    throw new TypeError('The option "tls" of a Postgres database must be an object.');
  const { connectMs = optionsOfAddress(url).connectMs ?? 5_000 } = timeouts;
  return new Servers(
    postgresServers(url).map((server) => ({
      ...encryptionOf(driverAddress(server), tls),
      connectionTimeoutMillis: connectMs,
      application_name: 'subrail',
      keepAlive: true,
      // A connection that listens, or builds an index, is silent for minutes, and what lies between forgets connections that are.
      keepAliveInitialDelayMillis: 10_000,
    })),
  );
}

/** Throws a TypeError for the first option that does not exist. The driver would ignore it, such as one that is misspelt. */
function requireOptions(prefix: string, options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const those = Object.keys(known).map((name) => prefix + name);
  throw new TypeError(
    `A Postgres database has no option "${prefix}${unknown}". Its options are: ${those.join(', ')}.`,
  );
}

/** What is left out of a pool for a server that takes no settings as a connection starts. */
export const NO_STARTUP_SETTINGS = {
  statement_timeout: undefined,
  lock_timeout: undefined,
  idle_in_transaction_session_timeout: undefined,
};

/** Opens a pool with limits for everything that can take long. No connection is made yet. */
export function openPool(options: PostgresOptions): ServersPool {
  const { poolSize = 10, timeouts = {} } = options;
  const { statementMs = 30_000, lostAnswerMs = 5_000 } = timeouts;
  const { lockMs = 10_000, idleInTransactionMs = 30_000 } = timeouts;
  const limits: pg.PoolConfig = {
    max: poolSize,
    statement_timeout: statementMs,
    query_timeout: statementMs + lostAnswerMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    // A program that is done ends, even if it forgot to close the store.
    allowExitOnIdle: true,
    types: { getTypeParser },
  };
  const pool = new ServersPool(limits, serversOf(options));
  // The error of a connection that is free, or that the pool is closing, would end the process if nobody listened.
  pool.on('error', () => undefined);
  return pool;
}

/** A pool of one connection for migrations, which may take as long as they need. */
export function openMigrationPool(options: PostgresOptions): ServersPool {
  const unlimited = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };
  const pool = openPool({ ...options, poolSize: 1, timeouts: { ...options.timeouts, ...unlimited } });
  pool.options.query_timeout = 0;
  const connected = pool.options.onConnect as ((client: pg.ClientBase) => Promise<void>) | undefined;
  // `pg` does not send a 0, so the time-outs of the role or of the database would hold.
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise, which its types do not say
  pool.options.onConnect = async (client) => {
    await connected?.(client);
    await client.query(NO_TIMEOUTS);
  };
  return pool;
}

/** Not every version of the server has each of them. */
const NO_TIMEOUTS = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

/** The type of 64-bit integers. */
const INT8 = 20;

/** 64-bit integers as numbers: what the store keeps in them is below 2^53. Everything else is as `pg` reads it. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: Parameters<typeof pg.types.getTypeParser>[0]) =>
  oid.valueOf() === INT8 ? safeInteger : (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown);

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database is damaged: the integer ${text} is larger than any that was stored.`);
  return value;
}
