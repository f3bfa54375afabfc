export { DatabaseFileError } from './faults.js';
export { refuseMissingFiles } from './file.js';
export { openMovableSqlite } from './movable.js';
export { openSqliteStore, pendingSqliteMigrations } from './open.js';
