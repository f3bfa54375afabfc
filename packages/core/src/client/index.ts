/**
 * A client of the service's HTTP routes, and the functions of a whole service over its management routes, under the names of `Billing`. It needs nothing but `fetch`, and contains nothing of the service. The types of
 * inputs and answers, such as `SubscriptionWire`, are those of `@subrail/core`: import them from there with `import type`.
 */
export { createClient } from './client.js';
export type { Client } from './client.js';
export { createManager } from './manager.js';
export type { Manager, ManagerOptions } from './manager.js';
export type { CallOptions, ClientOptions } from './options.js';
export type { Listed, Page } from './listed.js';
export {
  ApiError,
  ApiErrors,
  CallError,
  ConnectionError,
  isApiError,
  UnreadableAnswerError,
} from './errors.js';
export type { ApiErrorClass, ApiErrorFacts } from './errors.js';
export type { ErrorCode } from '../contract/errors.js';
