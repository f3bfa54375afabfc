/**
 * A client of the service's HTTP routes, and the functions of a whole service over its management routes, under the names of
 * `Billing`. It needs nothing but `fetch`, and contains nothing of the service. What requests and answers contain, such as
 * `SubscriptionWire`, is typed by `@subrail/core/schemas`: import it from there with `import type`.
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
