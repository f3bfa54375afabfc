import type { PostgresMajor } from './server.js';

export { emptyDatabase, type EmptyDatabase } from './empty-database.js';
export { POSTGRES_MAJORS, startPostgres, type PostgresMajor, type PostgresServer } from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of the servers that the tests share, by their major versions. */
    postgres: Readonly<Record<PostgresMajor, string>>;
  }
}
