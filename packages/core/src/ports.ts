/**
 * The types that an adapter implements and uses: the ports, the records that a store keeps, and their ids. An adapter
 * throws `Unavailable` when its database or service does not answer.
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
