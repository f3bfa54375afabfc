export { DamagedDatabaseError } from './damage.js';
export { openMovablePostgres } from './movable.js';
export { openPostgresStore, pendingPostgresMigrations } from './open.js';
export type { PostgresOptions } from './pool.js';
export { PostgresRefusal } from './refused.js';
