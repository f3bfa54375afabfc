import { join } from 'node:path';
import { startPostgres } from '@subrail/test-postgres';

/** A database that several hosts may open. */
export interface EngineDatabase {
  /** The setting `database` of the hosts. */
  readonly database: string;
  close(): Promise<void>;
}

/** Each engine that hosts run on, with what makes an empty database for one test. `folder` is the test's own. */
const ENGINES: Readonly<Record<string, (folder: string) => Promise<EngineDatabase>>> = {
  sqlite: async (folder) => ({ database: join(folder, 'subrail.sqlite'), close: async () => undefined }),
  postgres: async () => {
    const server = await startPostgres();
    return { database: server.url, close: () => server.remove() };
  },
};

/** The name of the engine that `ENGINE` asks for; SQLite when it is not set. */
export const ENGINE = process.env['ENGINE'] ?? 'sqlite';

export async function createDatabase(folder: string): Promise<EngineDatabase> {
  const create = ENGINES[ENGINE];
  if (create === undefined)
    throw new Error(`ENGINE is ${ENGINE}, but must be one of ${Object.keys(ENGINES).join(', ')}.`);
  return create(folder);
}
