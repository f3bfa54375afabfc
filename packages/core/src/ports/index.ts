export type * from './chain.js';
export type * from './clock.js';
export type * from './crypto.js';
export type * from './http-sender.js';
export type * from './notices.js';
export type * from './optional.js';
export type * from './random.js';
export type * from './store.js';
