export { openPgliteStore, type PgliteOptions } from './open.js';
export { SchemaDriftError } from '../kysely/index.js';
