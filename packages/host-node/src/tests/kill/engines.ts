import { join } from 'node:path';
import { startPostgres } from '@subrail/test-postgres';

/** A database that several hosts may open. */
export interface EngineDatabase {
  /** The setting `database` of the hosts. */
  readonly database: string;
  readonly close: () => Promise<void>;
}

const DATABASES = {
  sqlite: async (folder: string) => ({
    database: join(folder, 'subrail.sqlite'),
    close: async () => undefined,
  }),
  postgres: async () => {
    const server = await startPostgres();
    return { database: server.url, close: () => server.remove() };
  },
} satisfies Readonly<Record<string, (folder: string) => Promise<EngineDatabase>>>;

/** An engine that hosts run on. */
export type Engine = keyof typeof DATABASES;

/** The engine that `ENGINE` names, or all of them. */
export const ENGINES = (Object.keys(DATABASES) as Engine[]).filter(
  (name) => (process.env['ENGINE'] ?? name) === name,
);

/** Makes an empty database for one test, which has a folder of its own. */
export function createDatabase(engine: Engine, folder: string): Promise<EngineDatabase> {
  return DATABASES[engine](folder);
}
