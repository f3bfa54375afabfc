/** The zod schemas of the contract: enums, the bodies of requests, the answers of the service, and what webhooks carry. */
export * from './enums.js';
export { WalletAction, WalletConfirmation, WalletSubscription, WalletSubscriptionPage } from './wallet.js';
export { STATUS_NAMES, ErrorBody } from './error-body.js';

// Under /v1: the OpenAPI document names each of these that says how in its metadata.
export { Access, AccessAnswer, AccessAttempt, AccessList } from './access.js';
export { ATTEMPT_REASONS, AttemptPage, AttemptWire } from './attempt.js';
export { BuildAnswer, CostsWire, CreateAnswer, TermsWire } from './build.js';
export { Confirmation, ReasonCode } from './confirmation.js';
export { EventPage, EventWire } from './event.js';
export { SubscriptionPage } from './page.js';
export { PlanList, PlanWire } from './plan.js';
export { ProjectWire } from './project.js';
export {
  ConfirmBody,
  CreateBody,
  SubmitBody,
  type AccessQueryInput,
  type SubscriptionsQueryInput,
} from './requests.js';
export { SubscriptionWire } from './subscription.js';

// Under /manage/v1
export { DeliveryState, DeliveryWire } from './delivery.js';
export { EndpointWire, EndpointWithSecret } from './endpoint.js';
export { Examination } from './examination.js';
export { Explanation } from './explanation.js';
export {
  ApiKeyWire,
  ManagedPlan,
  ManagedProject,
  PlanInput,
  ResealedSecrets,
  ServiceName,
} from './management.js';
export { AuditEntryWire } from './management-access.js';
export { Overview } from './overview.js';
export { Schedule, UpcomingPage, UpcomingWire } from './report.js';
export { SubscriptionDetail } from './subscription-detail.js';
export { SubscriptionSearchPage } from './subscription-search.js';
