import type { EventType } from '../contract/enums.js';
import type { EventId, ProjectId, SubscriptionId } from './ids.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * An event of a subscription, written in the same transaction as the change it reports. Only `body` is added
 * later, once, and the snapshot of a held event.
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
   * The state from which `data` is made later, while the event is held because `data` could not be made.
   * Until then the event is neither found, listed nor sent. Null as a rule.
   */
  readonly heldState: Json | null;
  /** The exact bytes sent to every endpoint, written at the first delivery attempt; null before it. */
  readonly body: string | null;
}
