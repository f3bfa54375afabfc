/**
 * A service as functions over its management routes, for a program that manages it from another process: the functions of
 * `Billing` under the same names.
 */
export { createManager } from './manager.js';
export type { Manager, ManagerOptions } from './manager.js';
export { ApiError, CallError, ConnectionError, isApiError, UnreadableAnswerError } from '../client/errors.js';
