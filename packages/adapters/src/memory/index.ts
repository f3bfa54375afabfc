export { createMemoryStore, type MemoryStore } from './store.js';
