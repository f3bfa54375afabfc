/**
 * A client of the service's HTTP routes, and the functions of `Billing` over its management routes. It needs
 * nothing but `fetch`, and contains nothing of the service. Import the types of requests and answers, such as
 * `SubscriptionWire`, from `@subrail/core/schemas` with `import type`.
 */
export { createClient } from './client.js';
export type { Client } from './client.js';
export { createManager } from './manager.js';
export type { Manager } from './manager.js';
export type { CallOptions, ClientOptions } from './options.js';
export type { Listed } from './listed.js';
export {
  ApiError,
  ApiErrors,
  CallError,
  ConnectionError,
  isApiError,
  UnreadableAnswerError,
} from './errors.js';
