import type { EventType } from '../contract/enums.js';
import type { EventId, ProjectId, SubscriptionId } from './ids.js';

/** Anything JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A frozen fact. `data` is the subscription's wire form as it stood right after its change, written in the same store
 * transaction. The body's bytes are written once, at the first delivery attempt, and served from storage ever after.
 */
export interface SubscriptionEvent {
  readonly id: EventId;
  readonly projectId: ProjectId;
  readonly subscriptionId: SubscriptionId;
  readonly type: EventType;
  readonly createdAt: Date;
  /** Its place among the subscription's events, from 1 without a gap (events#sequence-without-gaps). */
  readonly sequence: number;
  readonly data: Json;
  readonly detail: Json;
  /** The exact body sent to every endpoint, or null before the first attempt. */
  readonly body: string | null;
}
