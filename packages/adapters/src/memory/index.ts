export { createMemoryStore } from './store.js';
