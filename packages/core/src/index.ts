export * from './billing.js';
export * from './contract/base58.js';
export * from './contract/enums.js';
export * from './contract/errors.js';
export * from './contract/version.js';
export type * from './ports/index.js';
export * from './records/index.js';
export * from './service.js';
