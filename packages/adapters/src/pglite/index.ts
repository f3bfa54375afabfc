export { openPgliteStore, type PgliteOptions } from './open.js';
