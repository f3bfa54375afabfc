export { openPgliteStore, type PgliteOptions } from './open.js';
export { MovedDatabaseError, SchemaDriftError } from '../kysely/index.js';
