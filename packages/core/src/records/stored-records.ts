/** The records that a store keeps, with which fields of them some reads need. */
export * from './access-input.js';
export type * from './attempt.js';
export type * from './chain-identity.js';
export * from './due-subscription.js';
export type * from './endpoint.js';
export type * from './event.js';
export * from './figures.js';
export type * from './ids.js';
export type * from './mail.js';
export type * from './management.js';
export type * from './movement.js';
export type { Plan, RetryPolicy, TokenNames } from './plan.js';
export type * from './project.js';
export * from './refund.js';
export type * from './seller.js';
export type * from './session.js';
export type * from './subscription.js';
export type * from './transfer.js';
