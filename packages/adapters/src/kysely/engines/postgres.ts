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

/** The traits of PostgreSQL, over any driver. */
export const postgresTraits: DialectTraits = {
  dialect: 'postgres',
  locksRows: true,
  // Row versions and unique indexes protect single operations at the default isolation. Joined operations
  // have nothing but their isolation.
  isolation: 'serializable',
  // The collation of a database depends on the C library of its server, whose updates reorder text and damage
  // indexes.
  textCollation: 'C',
  online: postgresOnline,
  isUniqueViolation: (error) => sqlState(error) === '23505',
  isForeignKeyViolation: (error) => sqlState(error) === '23503',
  isConflict: (error) => ['40001', '40P01'].includes(sqlState(error) ?? ''),
};

/** Sees the tables of the schema in which new tables are created, and no other. */
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

export function postgresDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new SchemaIntrospector(db),
  };
}
