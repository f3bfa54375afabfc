/**
 * What an adapter implements and works with: the ports, the records that a store keeps, and their ids. `Unavailable` is what
 * an adapter throws when its database or service does not answer.
 */
export type * from './ports/index.js';
export { Unavailable } from './ports/unavailable.js';
export * from './records/index.js';
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
