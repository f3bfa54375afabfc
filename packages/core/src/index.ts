/**
 * Recurring token payments on Solana as functions. `createBilling` creates the whole service from its ports; its
 * `handler` serves it over HTTP.
 *
 * Other entry points: `/client` for callers over HTTP, `/ports` for adapters and the records that they store,
 * `/schemas` for what requests and answers contain, `/webhooks` for receivers, `/testing` for tests.
 */

// The service.
export { createBilling } from './billing.js';
export type { Billing, BillingPorts, ProjectBilling } from './billing.js';
export type { Metrics } from './billing/metrics.js';
export type { Service, Settings } from './service.js';
export { WrongChain } from './service/check-chain.js';
export { TIERS } from './contract/tiers.js';
export type { Tier } from './contract/tiers.js';

// Serving it over HTTP.
export { createHandler, createRefuse, createRequestHandler } from './http/handler.js';
export type {
  FetchHandler,
  HandlerRequest,
  HandlerResponse,
  Refuse,
  RequestHandler,
  RequestHandlerOptions,
  Served,
} from './http/handler.js';
export { openApiDocument } from './http/openapi.js';
export type { JsonSchema, OpenApiDocument, OpenApiOperation } from './http/openapi.js';
export { VERSION } from './contract/version.js';

// Errors.
export { ERRORS, ServiceError, isServiceError } from './contract/errors.js';
export type { ErrorCode } from './contract/errors.js';
