import type { Json, Plan, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { subscriptionWire } from '../wire/subscription.js';

/** From what the snapshot of an event is made. */
interface SnapshotState {
  readonly subscription: Subscription;
  readonly plan: Plan;
  readonly tier: At['tier'];
  readonly now: Date;
}

/** The state from which the snapshot of an event is made, as JSON, for later (events#held-events). */
export function heldStateOf(subscription: Subscription, { plan, tier, now }: At): Json {
  return toJson({ subscription, plan, tier, now } satisfies SnapshotState);
}

/** Makes the snapshot of an event from its held state. Throws when it still cannot be made. */
export function snapshotOf(heldState: Json): Json {
  const { subscription, ...at } = fromJson(heldState) as SnapshotState;
  return subscriptionWire(subscription, at);
}

/** A value as JSON. Instants and big integers become objects of one field, whose name no record has. */
function toJson(value: unknown): Json {
  if (value instanceof Date) return { $instant: value.getTime() };
  if (typeof value === 'bigint') return { $integer: value.toString() };
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toJson(field)]));
  return value as Json;
}

function fromJson(value: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(fromJson);
  const { $instant, $integer } = value;
  if (typeof $instant === 'number') return new Date($instant);
  if (typeof $integer === 'string') return BigInt($integer);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fromJson(field)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
