export { DatabaseFileError } from './file.js';
export { openSqliteStore, pendingSqliteMigrations, type SqliteOptions } from './open.js';
export { SchemaDriftError } from '../kysely/index.js';
