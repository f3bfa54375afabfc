export { migrate, pendingMigrations, SchemaDriftError } from './migrate.js';
export { createKyselyRateLimit } from './rate-limit.js';
export type { KeyFreshness } from './query/key-cache.js';
export type { DialectTraits } from './query/session.js';
export { createKyselyStore } from './store.js';
export type { Database } from './tables/database.js';
