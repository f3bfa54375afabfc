export type * from './attempt.js';
export type * from './endpoint.js';
export type * from './event.js';
export type * from './ids.js';
export * from './new-id.js';
export * from './plan.js';
export type * from './project.js';
export type * from './subscription.js';
export type * from './transfer.js';
