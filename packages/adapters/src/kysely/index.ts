export { migrate, pendingMigrations, SchemaDriftError } from './migrate.js';
export { cancelMove, MoveRefused } from './move/claim.js';
export type { TableTotals } from './move/compare-table.js';
export { MovedDatabaseError } from './move/mark.js';
export type { MovableDatabase } from './move/movable-database.js';
export { moveRecords, type MoveProgress } from './move/move-records.js';
export type { DialectTraits } from './query/session.js';
export { createKyselyStore } from './store.js';
export type { Database } from './tables/database.js';
