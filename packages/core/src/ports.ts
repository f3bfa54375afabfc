/**
 * The types that an adapter implements and uses: the ports, the records of a store, and their ids. An adapter
 * throws `Unavailable` when its database or service does not answer. A method types all else that it returns.
 */

// Ports
export type { Alert, AlertNotification, AlertNotifier } from './ports/alerts.js';
export type { Chain } from './ports/chain.js';
export type * from './ports/chain/condition.js';
export type * from './ports/chain/result.js';
export type {
  BuildRequest,
  ChainRefusal,
  ChargeOrder,
  HistoryQuery,
  Inspection,
  LandedPayment,
  SendOutcome,
  SignatureQuery,
  SignedPayment,
  SignedText,
  SignedTransaction,
  SimulatedRefusal,
  SubscriptionHistory,
  TextSignature,
  TransactionCosts,
  TransactionOutcome,
  UnsignedTransaction,
} from './ports/chain/transactions.js';
export type {
  AddressKind,
  ChargeTarget,
  ChargeView,
  MintView,
  NamedMint,
  OwnedTokens,
  Receipt,
  ReceiptQuery,
  PlanOnChain,
  PlanView,
  ReceiverView,
  SourceView,
  SubscriberView,
  SubscriptionView,
} from './ports/chain/views.js';
export type * from './ports/clock.js';
export type * from './ports/crypto.js';
export type * from './ports/http-sender.js';
export type { MailOutcome, Mailer, OutgoingMail } from './ports/mailer.js';
export type * from './ports/optional.js';
export type * from './ports/random.js';
export { Semaphore } from './ports/semaphore.js';
export type { FullStore, FullStoreOperations, Store, StoreOperations } from './ports/store.js';
export type * from './ports/store/batch.js';
export type * from './ports/store/chain-identity-store.js';
export type * from './ports/store/charge-store.js';
export type * from './ports/store/commit.js';
export type {
  ClaimedEndpoint,
  DeliveryStore,
  DueDelivery,
  EndpointClaimLimits,
  EndpointClaims,
} from './ports/store/delivery-store.js';
export type { EndpointStore } from './ports/store/endpoint-store.js';
export type { EventFilter, EventStore, HeldEventCursor } from './ports/store/event-store.js';
export type * from './ports/store/figure-store.js';
export type { MailStore } from './ports/store/mail-store.js';
export type { ManagementStore, SubscriptionPlace } from './ports/store/management-store.js';
export type * from './ports/store/page.js';
export type { PlanStore } from './ports/store/plan-store.js';
export type * from './ports/store/project-store.js';
export type {
  AttemptPlace,
  DuePlace,
  DueSubscriptions,
  FoundPayments,
  FoundSubscriptions,
  Payment,
  PaymentFilter,
  ReportStore,
  ReportedAttempt,
  RunningCount,
  SubscriptionFilter,
  SubscriptionsCounted,
} from './ports/store/report-store.js';
export type * from './ports/store/retention-store.js';
export type * from './ports/store/session-store.js';
export type {
  ClaimedSubscription,
  Claims,
  Customer,
  ParkedPlace,
  PendingCount,
  PendingOwner,
  SubscriptionStore,
} from './ports/store/subscription-store.js';
export type { StoreCapability } from './ports/store/tiers.js';
export type { UnreadableRecord } from './ports/store/unreadable-record.js';
export type * from './ports/store/wallet-store.js';
export type * from './ports/telemetry.js';
export { Unavailable } from './ports/unavailable.js';
export { UnreadableFigures } from './ports/unreadable-figures.js';

// Records
export { PLAN_ACCESS_FIELDS, SUBSCRIPTION_ACCESS_FIELDS } from './records/access-input.js';
export type * from './records/attempt.js';
export type * from './records/chain-identity.js';
export { SUBSCRIPTION_DUE_FIELDS } from './records/due-subscription.js';
export type * from './records/endpoint.js';
export type * from './records/event.js';
export { latestPrice, sumOfFigures } from './records/figures.js';
export type { AddedFigures, CohortName, DayFigures, KnownPrice, SumName, Sums } from './records/figures.js';
export type * from './records/ids.js';
export type * from './records/mail.js';
export type * from './records/management.js';
export type * from './records/movement.js';
export type { Plan, RetryPolicy, TokenNames } from './records/plan.js';
export type * from './records/project.js';
export { leftAfter, type Refund } from './records/refund.js';
export type * from './records/seller.js';
export type * from './records/session.js';
export type {
  AutomaticRetries,
  BuiltTransaction,
  Cancellation,
  Incarnation,
  Lapse,
  Late,
  Subscription,
  Terms,
} from './records/subscription.js';
export type * from './records/transfer.js';
