export { createChainClock } from './chain-clock.js';
export { createClock } from './clock.js';
export type { ClockSources } from './machine-time.js';
