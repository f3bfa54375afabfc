import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Dialect,
  type Driver,
} from 'kysely';
import type { DialectTraits } from './kysely/index.js';

/** What the store must know about PostgreSQL, over whatever driver. */
export const postgresTraits: DialectTraits = {
  locksRows: true,
  async lock(transaction, name) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`subrail ${name}`}, 0))`.execute(transaction);
  },
  // Row versions and unique indexes protect single operations, at the isolation that PostgreSQL has by default. What joins several
  // has nothing but its isolation.
  isolation: 'serializable',
  // The collation of a database depends on how it was created and on the C library of its server, whose updates reorder text and
  // so damage indexes.
  textCollation: 'C',
  isUniqueViolation: (error) => sqlState(error) === '23505',
  isConflict: (error) => ['40001', '40P01'].includes(sqlState(error) ?? ''),
};

/** The SQLSTATE of an error that the server answered with; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : null;
}

/** Kysely's dialect of PostgreSQL over a driver. */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
