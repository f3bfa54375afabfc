import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { postgresAddressFault } from './address/fault.js';
import { postgresServers } from './address/servers.js';
import { driverAddress, optionsOfAddress } from './address/parameters.js';
import { encryptionOf } from './encryption.js';
import { Servers, ServersPool } from './servers.js';

/** The waits of the store, in milliseconds, before it gives up with `Unavailable`. */
interface PostgresTimeouts {
  /** For a connection, free or new. Default: 5,000. */
  readonly connectMs?: number;
  /** For a statement, which the server then ends. Default: 30,000. */
  readonly statementMs?: number;
  /** For an answer after that, which the network may have lost. Default: 5,000. */
  readonly lostAnswerMs?: number;
  /** For a lock on a row or a table. Default: 10,000. */
  readonly lockMs?: number;
  /**
   * For the next statement of a transaction. The server then rolls back, so that a frozen host holds no
   * locks. Default: 30,000.
   */
  readonly idleInTransactionMs?: number;
}

/** A database, and how the store connects to it. */
export interface PostgresOptions {
  /**
   * The address: `postgres://user:password@host:5432/database`. Encrypted with `?sslmode=verify-full`, which
   * checks the certificate of the server against its name; `require` and `verify-ca` do the same, `no-verify`
   * checks nothing. `sslrootcert=` is the path of the authority of a certificate of your own, `sslcert=` and
   * `sslkey=` of a certificate of this client. Missing parts come from the environment (`PGPASSWORD`,
   * `PGSSLMODE`) and `~/.pgpass`. `connect_timeout=`, in seconds, gives `timeouts.connectMs`, and
   * `pgbouncer=true` turns `preparedStatements` off, unless those are given. `report` hears of other
   * parameters of managed databases, which are ignored; an unknown one is refused. Several hosts, with commas
   * between, are tried in turn, and a read-only one is left.
   */
  readonly url: string;
  /**
   * The most connections, besides one that hears of changed API keys. All hosts together must stay below
   * `max_connections` of the server. Default: 10.
   */
  readonly poolSize?: number;
  readonly timeouts?: PostgresTimeouts;
  /**
   * TLS settings that an address cannot have, such as a certificate in memory. They replace those of the
   * address. The connection is encrypted, and the certificate checked unless `rejectUnauthorized` is false.
   * Default: what the address says.
   */
  readonly tls?: ConnectionOptions;
  /**
   * Whether recurring statements are prepared. Turn it off behind a proxy that gives each transaction another
   * connection and passes no prepared statements on. Default: what the address says, else true.
   */
  readonly preparedStatements?: boolean;
  /** Hears what takes long while a store opens: an index that is built, a locked table. Default: nobody. */
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
 * @throws PostgresRefusal when a file of the address is unreadable, or `PGSSLMODE` has an unknown value
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
      // Listening and index builds are silent for minutes, after which network devices forget a connection.
      keepAliveInitialDelayMillis: 10_000,
    })),
  );
}

/** Throws a TypeError for an unknown option, which the driver would ignore. */
function requireOptions(prefix: string, options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const those = Object.keys(known).map((name) => prefix + name);
  throw new TypeError(
    `A Postgres database has no option "${prefix}${unknown}". Its options are: ${those.join(', ')}.`,
  );
}

/** For a server that takes no settings at the start of a connection. */
export const NO_STARTUP_SETTINGS = {
  statement_timeout: undefined,
  lock_timeout: undefined,
  idle_in_transaction_session_timeout: undefined,
};

/** Opens a pool with limits for everything that can take long. Nothing is connected yet. */
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
    // A program ends even if it forgot to close the store.
    allowExitOnIdle: true,
    types: { getTypeParser },
  };
  const pool = new ServersPool(limits, serversOf(options));
  // Without a listener, an error of a free or closing connection would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** A pool of one connection without time limits, for migrations. */
export function openMigrationPool(options: PostgresOptions): ServersPool {
  const unlimited = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };
  const pool = openPool({ ...options, poolSize: 1, timeouts: { ...options.timeouts, ...unlimited } });
  pool.options.query_timeout = 0;
  const connected = pool.options.onConnect as ((client: pg.ClientBase) => Promise<void>) | undefined;
  // `pg` sends no 0, so the limits of the role or the database would hold.
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise
  pool.options.onConnect = async (client) => {
    await connected?.(client);
    await client.query(NO_TIMEOUTS);
  };
  return pool;
}

/** Not every version has each of them. */
const NO_TIMEOUTS = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

const INT8 = 20;

/** 64-bit integers as numbers: those of the store are below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: Parameters<typeof pg.types.getTypeParser>[0]) =>
  oid.valueOf() === INT8 ? safeInteger : (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown);

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database is damaged: the integer ${text} is larger than any that was stored.`);
  return value;
}
