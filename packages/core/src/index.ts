/**
 * Recurring token payments on Solana as functions. `createBilling` creates the whole service from its ports;
 * its `handler` serves it over HTTP.
 *
 * Other entry points: `/client` for callers over HTTP, `/ports` for those who write an adapter, `/schemas` for the zod schemas
 * of the contract, `/webhooks` for those who receive webhooks, `/testing` for tests.
 */

// The service.
export { createBilling } from './billing.js';
export type { Billing, BillingPorts, ProjectBilling } from './billing.js';
export type { Metrics } from './billing/metrics.js';
export type { BacklogFigures, OverdueSeconds } from './service/backlog.js';
export type { AttemptCount, ChainCallCount, ChargerReading } from './service/figures.js';
export type { Service, Settings } from './service.js';
export { WrongChain } from './service/check-chain.js';
export { TIERS } from './contract/tiers.js';
export type { Tier } from './contract/tiers.js';
export type { SealingKeyState } from './webhooks/sealing-key.js';
export type { BillingWorker, PassState, WorkerPass } from './worker/worker.js';
export type { ChargePass } from './worker/charges/charge-pass.js';
export type { DeliveryPass } from './worker/deliveries/delivery-pass.js';
export type { PricePass } from './worker/prices/price-pass.js';
export type { RetentionPass } from './worker/retention/retention-pass.js';
export type { SnapshotPass } from './worker/snapshots/snapshot-pass.js';
export type {
  Logger,
  AlertNotification,
  AlertNotifier,
  Prices,
  Span,
  SpanEnd,
  Telemetry,
  Tokens,
  VerifiedToken,
  Alert,
  AlertKind,
} from './ports/index.js';

// Serving it over HTTP.
export { createHandler, createRefuse, createRequestHandler } from './http/handler.js';
export type {
  ClientAddress,
  FetchHandler,
  HandlerOptions,
  HandlerRequest,
  HandlerResponse,
  HealthOptions,
  MountOptions,
  Refuse,
  RequestHandler,
  RequestHandlerOptions,
  Served,
} from './http/handler.js';
export { openApiDocument } from './http/openapi.js';
export type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiOptions } from './http/openapi.js';
export { VERSION } from './contract/version.js';

// Errors.
export { ERRORS, ServiceError, isServiceError } from './contract/errors.js';
export type { ErrorCode } from './contract/errors.js';
export type { ErrorBody } from './contract/error-body.js';

// What the functions take.
export type { EndpointInput, EndpointUpdate, SecretRotation } from './contract/endpoint.js';
export type { EventsQueryInput } from './contract/event.js';
export type { AuditEntriesQueryInput, ManagementKeyInput } from './contract/management-access.js';
export type {
  ApiKeyInput,
  ApiKeyRotation,
  ExpectedPlan,
  PlanEnd,
  PlanInput,
  PlanPullers,
  PlanSunset,
  PlanUpdate,
  SubscriptionUpdate,
  ProjectInput,
  ProjectUpdate,
} from './contract/management.js';
export type {
  AccessQueryInput,
  AttemptsQueryInput,
  ConfirmBody,
  CreateBody,
  SubmitBody,
  SubscriptionsQueryInput,
} from './contract/requests.js';
export type { OverviewQueryInput } from './contract/overview.js';
export type { ScheduleQueryInput, UpcomingQueryInput } from './contract/report.js';
export type { SubscriptionSearchQueryInput } from './contract/subscription-search.js';
export type {
  WalletConfirmBody,
  WalletSubmitBody,
  WalletSubscriptionsQueryInput,
  WalletTransactionBody,
} from './contract/wallet.js';

// What they return.
export type { Access, AccessAnswer, AccessList } from './contract/access.js';
export type { AttemptPage, AttemptWire } from './contract/attempt.js';
export type { BuildAnswer, CreateAnswer } from './contract/build.js';
export type { Confirmation, ReasonCode } from './contract/confirmation.js';
export type { EndpointWire, EndpointWithSecret } from './contract/endpoint.js';
export type { EventType, Network, SubscriptionStatus, TierName } from './contract/enums.js';
export type { Examination, ExaminationQueryInput, FindingWire } from './contract/examination.js';
export type { Explanation } from './contract/explanation.js';
export type { EventPage, EventWire } from './contract/event.js';
export type {
  AuditEntryPage,
  AuditEntryWire,
  ManagementKeyWire,
  NewManagementKey,
} from './contract/management-access.js';
export type {
  ApiKeyWire,
  ManagedPlan,
  ManagedProject,
  NewApiKey,
  ResealedSecrets,
} from './contract/management.js';
export type { SubscriptionPage } from './contract/page.js';
export type { PlanList, PlanWire } from './contract/plan.js';
export type { ProjectWire } from './contract/project.js';
export type {
  AttemptCause,
  Collected,
  LossCause,
  Overview,
  PlanOverview,
  TokenOverview,
} from './contract/overview.js';
export type {
  CountAndAmount,
  Schedule,
  ScheduledDay,
  UpcomingPage,
  UpcomingWire,
} from './contract/report.js';
export type { SubscriptionSearchPage } from './contract/subscription-search.js';
export type {
  ChargedPlan,
  SubscriptionDetail,
  SubscriptionInternals,
  TransferWire,
} from './contract/subscription-detail.js';
export type { SubscriptionWire } from './contract/subscription.js';
export type {
  WalletAction,
  WalletConfirmation,
  WalletSubmitted,
  WalletSubscription,
  WalletSubscriptionPage,
} from './contract/wallet.js';
