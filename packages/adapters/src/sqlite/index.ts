export { DatabaseFileError } from './file.js';
export { openSqliteStore, type SqliteOptions } from './open.js';
export { SchemaDriftError } from '../kysely/index.js';
