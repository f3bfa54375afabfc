/**
 * The types that an adapter implements and uses: the ports, the records that a store keeps, and their ids. An adapter
 * throws `Unavailable` when its database or service does not answer.
 */
export type * from './ports/index.js';
export { Semaphore } from './ports/semaphore.js';
export { Unavailable } from './ports/unavailable.js';
export * from './records/stored-records.js';
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
