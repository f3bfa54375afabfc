import type { HeldEventCursor } from '../../ports/index.js';
import { Unavailable } from '../../ports/unavailable.js';
import type { EventId, Json, SubscriptionEvent, SubscriptionId } from '../../records/index.js';
import { isWithin } from '../../ports/is-within.js';
import type { Service } from '../../service.js';
import { snapshotOf } from '../../transitions/held-state.js';

/** How often held events are tried again: seldom, because a later release mends most of them. */
const EVERY_MS = 60_000;

/** How many held events one call tries. */
const BATCH = 100;

/** The result of a pass over the held events. */
export interface SnapshotPass {
  /** How many events got their snapshot, and are listed and sent from now on. */
  readonly released: number;
}

/** A round through all held events. */
interface Round {
  readonly startedAt: Date;
  readonly after: HeldEventCursor | null;
  /** How many could not be released, and why the last of them. */
  readonly held: number;
  readonly error: unknown;
}

/**
 * Makes the pass that makes the snapshots of held events from the state stored with each, and releases them
 * (events#held-events). A call tries a batch; the calls make a round at first, and then one a minute.
 */
export function createSnapshotPass(service: Service): () => Promise<SnapshotPass> {
  const { store, clock } = service;
  let round: Round | null = null;
  let lastRoundAt: Date | null = null;

  return async () => {
    const now = clock.now();
    const isEarly = lastRoundAt !== null && isWithin(lastRoundAt, EVERY_MS, now);
    if (round === null && isEarly) return { released: 0 };
    const begun: Round = round ?? { startedAt: now, after: null, held: 0, error: null };
    const { held, unreadable, next } = await store.listHeldEvents(BATCH, begun.after);
    for (const { id, error } of unreadable)
      service.logger.error(
        { event: id, err: error },
        'A held event cannot be read from the store, so it and the later ones of its subscription are not sent.',
      );
    const { snapshots, failed } = tryAll(held);
    for (const { error } of unreadable) failed.push(error);
    let released = 0;
    for (const [subscriptionId, ready] of snapshots) {
      try {
        released += await store.releaseEvents(subscriptionId, ready, service.wallClock.now());
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        // A refusal for one subscription keeps no other from being released.
        failed.push(error);
      }
    }
    const tried = { ...begun, held: begun.held + failed.length, error: failed.at(-1) ?? begun.error };
    if (next !== null) {
      round = { ...tried, after: next };
      return { released };
    }
    round = null;
    lastRoundAt = begun.startedAt;
    report(service, tried);
    return { released };
  };
}

/** Makes the snapshots that can be made now, by subscription, and says why the others cannot. */
function tryAll(events: readonly SubscriptionEvent[]) {
  const snapshots = new Map<SubscriptionId, Map<EventId, Json>>();
  const failed: unknown[] = [];
  for (const { id, subscriptionId, heldState } of events) {
    try {
      const ready = snapshots.get(subscriptionId) ?? new Map<EventId, Json>();
      ready.set(id, snapshotOf(heldState));
      snapshots.set(subscriptionId, ready);
    } catch (reason) {
      failed.push(reason);
    }
  }
  return { snapshots, failed };
}

function report({ logger, alerts }: Service, { held, error: err }: Round): void {
  if (held === 0) {
    alerts.over('events_held');
    return;
  }
  logger.warn(
    { held, err },
    'The snapshots of held events still cannot be made. They are tried again in a minute.',
  );
  alerts.seen({ kind: 'events_held', facts: { held }, err });
}
