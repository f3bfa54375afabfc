import { emptyDatabase } from '@subrail/test-postgres';
import type { Kysely } from 'kysely';
import { openMovablePostgres } from '../../postgres/index.js';
import type { Database, DialectTraits } from '../index.js';

/** An empty database of an engine. */
export interface EmptyDatabase {
  readonly db: Kysely<Database>;
  readonly traits: DialectTraits;
  readonly close: () => Promise<void>;
}

/** Creates an empty database on a PostgreSQL server, which is dropped when it is closed. */
export async function emptyPostgres(serverUrl: string): Promise<EmptyDatabase> {
  const database = await emptyDatabase(serverUrl);
  const { db, traits, close } = await openMovablePostgres({ url: database.url });
  return {
    db,
    traits,
    close: async () => {
      await close();
      await database.drop();
    },
  };
}
