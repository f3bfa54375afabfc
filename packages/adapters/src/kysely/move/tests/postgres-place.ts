import { emptyDatabase } from '@subrail/test-postgres';
import { openMovablePostgres, openPostgresStore } from '../../../postgres/index.js';
import type { Place } from './place.js';

/** A new database on a server of PostgreSQL. */
export async function postgresPlace(server: string): Promise<Place> {
  const database = await emptyDatabase(server);
  const { url } = database;
  return {
    address: url,
    openStore: () => openPostgresStore({ url }),
    openMovable: () => openMovablePostgres({ url }),
    remove: () => database.drop(),
  };
}
