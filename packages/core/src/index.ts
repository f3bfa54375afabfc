/**
 * Recurring token payments on Solana as functions. `createBilling` creates the whole service from its ports;
 * its `handler` serves it over HTTP.
 *
 * Other entry points: `/client` for callers over HTTP, `/ports` for adapters and the records that they store,
 * `/schemas` for requests and answers, `/webhooks` for receivers, `/testing` for tests.
 */

// The service.
export { createBilling } from './billing.js';
export type { Billing, BillingPorts, ProjectBilling } from './billing.js';
export type { Metrics } from './billing/metrics.js';
export type { Service, Settings } from './service.js';
export type { BillingWorker, PassState, WorkerPass } from './worker/worker.js';
export type { ChargePass } from './worker/charges/charge-pass.js';
export type { DeliveryPass } from './worker/deliveries/serve-endpoint.js';
export type { FigurePass } from './worker/figures/figure-pass.js';
export type { PricePass } from './worker/prices/price-pass.js';
export type { RetentionPass } from './worker/retention/retention-pass.js';
export type { SnapshotPass } from './worker/snapshots/snapshot-pass.js';
export { WrongChain } from './service/check-chain.js';
export { TIERS } from './contract/tiers.js';
export type { Tier } from './contract/tiers.js';

// Serving it over HTTP.
export { createHandler, createRefuse, createRequestHandler } from './http/handler.js';
export type { HandlerOptions, Refuse, RequestHandlerOptions } from './http/handler.js';
export { createCustomerHandler } from './http/customer-handler.js';
export type { AppCustomer, CustomerHandlerOptions } from './http/customer-handler.js';
export { atFirstRequest } from './http/at-first-request.js';
export type { Openable, Opener } from './http/at-first-request.js';
export { createFetchHandler } from './http/fetch-handler.js';
export type { FetchHandler } from './http/fetch-handler.js';
export type {
  HandlerRequest,
  HandlerResponse,
  RequestHandler,
  WholeResponse,
} from './http/handler-request.js';
export type { Served } from './http/served.js';
export { managementDocument, openApiDocument } from './http/openapi.js';
export type { JsonSchema, OpenApiDocument, OpenApiOperation } from './http/openapi.js';
export { VERSION } from './contract/version.js';

// Errors.
export { ERRORS, ServiceError, isServiceError } from './contract/errors.js';
export type { ErrorCode } from './contract/errors.js';
