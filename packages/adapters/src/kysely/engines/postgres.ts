import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseMetadataOptions,
  type Dialect,
  type Driver,
  type Kysely,
  type TableMetadata,
} from 'kysely';
import type { DialectTraits } from '../query/session.js';
import { postgresOnline } from './postgres-online.js';
import { sqlState } from './error-codes.js';

/** What the store must know about PostgreSQL, over whatever driver. */
export const postgresTraits: DialectTraits = {
  dialect: 'postgres',
  locksRows: true,
  // Row versions and unique indexes protect single operations, at the isolation that PostgreSQL has by default. What joins several
  // has nothing but its isolation.
  isolation: 'serializable',
  // The collation of a database depends on how it was created and on the C library of its server, whose updates reorder text and
  // so damage indexes.
  textCollation: 'C',
  online: postgresOnline,
  isUniqueViolation: (error) => sqlState(error) === '23505',
  isForeignKeyViolation: (error) => sqlState(error) === '23503',
  isConflict: (error) => ['40001', '40P01'].includes(sqlState(error) ?? ''),
};

/** Sees the tables of the schema that new tables are created in, and not those that another service has in the same database. */
class SchemaIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(this.#db);
    return (await super.getTables(options)).filter(({ schema }) => schema === rows[0]?.name);
  }
}

/** Kysely's dialect of PostgreSQL over a driver. */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new SchemaIntrospector(db),
  };
}
