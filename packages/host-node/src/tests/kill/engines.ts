import { join } from 'node:path';
import { startFaultyServer, type ServerFault } from './server-faults.js';

/** A database that several hosts may open. */
export interface EngineDatabase {
  /** The setting `database` of the hosts. */
  readonly database: string;
  /** The faults of its server; none for a file. */
  readonly faults: readonly ServerFault[];
  readonly close: () => Promise<void>;
}

const DATABASES = {
  sqlite: async (folder: string) => ({
    database: join(folder, 'subrail.sqlite'),
    faults: [],
    close: async () => undefined,
  }),
  postgres: async () => {
    const { url, faults, remove } = await startFaultyServer();
    return { database: url, faults, close: remove };
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
