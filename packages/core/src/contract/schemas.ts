/** The zod schemas of the contract: enums, what requests carry, what the service answers, and what webhooks carry. */
export * from './access.js';
export * from './attempt.js';
export * from './build.js';
export * from './confirmation.js';
export * from './delivery.js';
export * from './endpoint.js';
export * from './enums.js';
export { ErrorBody, STATUS_NAMES } from './error-body.js';
export * from './event-detail.js';
export * from './event.js';
export * from './examination.js';
export * from './explanation.js';
export * from './management-access.js';
export * from './management.js';
export { SubscriptionPage } from './page.js';
export * from './overview.js';
export * from './plan.js';
export * from './project.js';
export * from './report.js';
export {
  AccessQuery,
  AttemptsQuery,
  ConfirmBody,
  CreateBody,
  Nothing,
  SubmitBody,
  SubscriptionsQuery,
  type AccessQueryInput,
  type AttemptsQueryInput,
  type SubscriptionsQueryInput,
} from './requests.js';
export * from './subscription-detail.js';
export * from './subscription-search.js';
export * from './subscription.js';
