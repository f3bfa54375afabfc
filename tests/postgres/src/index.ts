import type { PostgresMajor } from './server.js';

export {
  EMPTY_TABLES,
  emptyDatabase,
  emptyTables,
  everyRow,
  openRowReader,
  withClient,
  type EmptyDatabase,
  type Row,
  type RowReader,
  type Rows,
} from './empty-database.js';
export { openNetwork, type Network } from './network.js';
export {
  POSTGRES_MAJORS,
  startPostgres,
  startStandby,
  type PostgresMajor,
  type PostgresServer,
  type StandbyServer,
} from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of the servers that the tests of a project share, by their major versions. */
    postgres: Readonly<Record<PostgresMajor, string>>;
  }
}
