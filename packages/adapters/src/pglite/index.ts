export { openPgliteStore } from './open.js';
