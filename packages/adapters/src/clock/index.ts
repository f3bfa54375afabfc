export { createClock } from './clock.js';
