import { emptyDatabase } from '@subrail/test-postgres';
import { openMovablePostgres } from '../../postgres/index.js';
import type { EmptyDatabase } from './empty-database.js';

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
