export { DatabaseFileError } from './faults.js';
export { openSqliteStore, pendingSqliteMigrations, type SqliteOptions } from './open.js';
export { SchemaDriftError } from '../kysely/index.js';
