import { sql, type Kysely } from 'kysely';
import { SchemaDriftError } from '../migrate.js';
import { MIGRATION_TABLE } from '../applied-migrations.js';

interface Schemas {
  readonly used: string;
  readonly first: string;
  readonly settle: string;
}

/**
 * Refuses a database whose tables are not in the first schema of the search path, where PostgreSQL creates
 * tables: migrations would fill that one, and the service would begin without its records. It happens when
 * somebody creates a schema named like the user, because the default search path is `"$user", public`.
 *
 * @throws SchemaDriftError with the statements that repair it
 */
export async function refuseOtherSchema<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<Schemas>`
    select nspname as used, current_schema() as first,
      format('alter role %I in database %I set search_path = %I', session_user, current_database(), nspname) as settle
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = to_regclass(${MIGRATION_TABLE})`.execute(db);
  const [found] = rows;
  if (found === undefined || found.used === found.first) return;
  const { used, first, settle } = found;
  throw new SchemaDriftError(
    `The tables of the service are in the schema ${used}, but new ones would be created in the schema ${first}, which comes first in the search_path of the user. ` +
      `Nothing was changed. To use the tables in ${used}: ${settle}; or drop the schema ${first} if it is empty. For another service in ${first}, set the search_path to that schema alone.`,
  );
}
