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
export { startPostgres, startStandby, type PostgresServer, type StandbyServer } from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server that the tests of a project share. */
    postgres: string;
  }
}
