/**
 * The types that an adapter implements and uses: the ports, the records that a store keeps, and their ids. An adapter
 * throws `Unavailable` when its database or service does not answer.
 */
export type * from './ports/index.js';
export { Semaphore } from './ports/semaphore.js';
export { Unavailable } from './ports/unavailable.js';
export * from './records/access-input.js';
export * from './records/due-subscription.js';
export type * from './records/attempt.js';
export type * from './records/chain-identity.js';
export type * from './records/endpoint.js';
export type * from './records/event.js';
export type * from './records/ids.js';
export type * from './records/management.js';
export type * from './records/project.js';
export type * from './records/subscription.js';
export type * from './records/transfer.js';
export type { RetryPolicy, TokenNames, Plan } from './records/plan.js';
export type {
  AttemptOutcome,
  BlockedReason,
  EndReason,
  EventType,
  LateReason,
  Network,
  PlanStatus,
  StopReason,
  SubscriptionStatus,
  TierName,
} from './contract/enums.js';
