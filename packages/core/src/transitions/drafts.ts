import type { EventType } from '../contract/enums.js';
import type { Attempt, SubscriptionEvent, Json, Plan } from '../records/index.js';
import type { Tier } from '../contract/tiers.js';

/** What a change is judged by, beside the subscription and the instant. */
export interface ChangeContext {
  readonly plan: Plan;
  readonly tier: Tier;
}

/** An event before it has an id. */
export type EventDraft = Pick<SubscriptionEvent, 'type' | 'createdAt' | 'sequence' | 'detail' | 'data'>;

/** An attempt before it has an id and a price. */
export type AttemptDraft = Omit<Attempt, 'id' | 'amountUsd'>;

/** An event as its cause tells it, before it is numbered and given the subscription as it then stood. */
export interface RaisedEvent {
  readonly type: EventType;
  readonly detail: Json;
}
