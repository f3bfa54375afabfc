/** The zod schemas of the contract: enums, bodies of requests, answers, and bodies of webhooks. */
export * from './contract/enums.js';
export {
  WalletAction,
  WalletConfirmation,
  WalletSubscription,
  WalletSubscriptionPage,
} from './contract/wallet.js';
// Under /customer/v1
export { CustomerErrorBody } from './contract/error-body.js';
export { Missing } from './contract/missing.js';
export {
  CustomerAction,
  CustomerCreated,
  CustomerSession,
  CustomerSubscription,
  CustomerSubscriptionPage,
  OpenedLink,
  TermsFact,
} from './contract/customer.js';

export { ReceiptWire } from './contract/receipt.js';

// Of every route
export { STATUS_NAMES, ErrorBody } from './contract/error-body.js';

// Under /v1: the OpenAPI document names each of these that says how in its metadata.
export { Access, AccessAnswer, AccessAttempt, AccessList } from './contract/access.js';
export { ATTEMPT_REASONS, AttemptPage, AttemptWire } from './contract/attempt.js';
export { BuildAnswer, CostsWire, CreateAnswer, TermsWire } from './contract/build.js';
export { Confirmation, ReasonCode } from './contract/confirmation.js';
export { EventPage, EventWire } from './contract/event.js';
export { SubscriptionPage } from './contract/page.js';
export { PlanList, PlanWire } from './contract/plan.js';
export { ProjectWire } from './contract/project.js';
export {
  ConfirmBody,
  CreateBody,
  SubmitBody,
  type AccessQueryInput,
  type SubscriptionsQueryInput,
} from './contract/requests.js';
export { SubscriptionWire } from './contract/subscription.js';

// Under /checkout/v1 and /portal/v1
export {
  CheckoutInput,
  CheckoutState,
  CheckoutWire,
  LinkInput,
  LinkList,
  LinkWire,
  NewSession,
  PortalInput,
} from './contract/session.js';

// Under /manage/v1
export { ServiceName } from './contract/inputs.js';
export { DeliveryState, DeliveryWire } from './management/deliveries/schemas.js';
export { Examination } from './management/doctor/schemas.js';
export { EndpointWire, EndpointWithSecret, ResealedSecrets } from './management/endpoints/schemas.js';
export {
  MailPage,
  MailSettingsWire,
  MailWire,
  MailWithText,
  RefusedAddressWire,
} from './management/mails/schemas.js';
export { AuditEntryWire } from './management/operators/schemas.js';
export { PaymentPage, PaymentWire } from './management/payments/schemas.js';
export { ManagedPlan, PlanInput } from './management/plans/schemas.js';
export { ApiKeyWire, ManagedProject, SellerWire } from './management/projects/schemas.js';
export {
  CohortReport,
  FigureReport,
  FigureRow,
  FigureTotals,
  Rebuilt,
  TokenFigures,
} from './management/reports/figure-schemas.js';
export { Overview, Schedule, UpcomingPage, UpcomingWire } from './management/reports/schemas.js';
export {
  Explanation,
  CannotPayPage,
  FailingPage,
  SubscriptionCount,
  SubscriptionDetail,
  SubscriptionSearchPage,
} from './management/subscriptions/schemas.js';
