export * from './fault-injection.js';
export * from './moving-service.js';
export * from './second-signature.js';
export * from './world.js';
