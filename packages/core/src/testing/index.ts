export * from './clock-conformance.js';
export * from './conformance.js';
export * from './crypto-conformance.js';
export * from './http-sender-conformance.js';
export * from './manual-clock.js';
export * from './random-conformance.js';
export * from './recording-sender.js';
export * from './seeded-random.js';
