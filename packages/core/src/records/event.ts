import type { EventType } from '../contract/enums.js';
import type { EventId, ProjectId, SubscriptionId } from './ids.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * One event of a subscription. It is written in the same store transaction as the change it reports, and never changes.
 * Only `body` is added later, once, and the snapshot of an event that was held.
 */
export interface SubscriptionEvent {
  readonly id: EventId;
  readonly projectId: ProjectId;
  readonly subscriptionId: SubscriptionId;
  readonly type: EventType;
  readonly createdAt: Date;
  /** Its number among the subscription's events: 1, 2, 3 and so on, without a gap. */
  readonly sequence: number;
  /** The subscription's wire form right after the change; null while the event is held. */
  readonly data: Json;
  readonly detail: Json;
  /**
   * From what `data` is made: set while the event is held, because `data` could not be made when it was written. Until then
   * the event is neither found, listed nor sent. Null as a rule.
   */
  readonly heldState: Json | null;
  /** The exact bytes sent to every endpoint, written at the first delivery attempt; null before it. */
  readonly body: string | null;
}
