export { DatabaseFileError } from './faults.js';
export { refuseMissingFiles } from './file.js';
export { openMovableSqlite } from './movable.js';
export { openSqliteStore, pendingSqliteMigrations, type SqliteOptions } from './open.js';
