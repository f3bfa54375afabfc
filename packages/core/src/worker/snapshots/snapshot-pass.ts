import type { HeldEventCursor } from '../../ports/index.js';
import type { EventId, Json, SubscriptionEvent, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { snapshotOf } from '../../transitions/held-state.js';

/** How often the snapshots of held events are tried again: now and then, because a later release mends most of them. */
const EVERY_MS = 60_000;

/** How many held events one call tries. */
const BATCH = 100;

/** What one pass over the held events did. */
export interface SnapshotPass {
  /** How many events got their snapshot, and are listed and sent from now on. */
  readonly released: number;
}

/** A round through all held events. */
interface Round {
  readonly startedAt: Date;
  readonly after: HeldEventCursor | null;
  /** How many are still held, and why the last of them is. */
  readonly held: number;
  readonly error: unknown;
}

/**
 * Makes the pass that makes the snapshots of held events, each from the state that was stored with it, and releases them
 * (events#held-events). A call tries a batch; the calls together make a round at the first call, and then one a minute.
 */
export function createSnapshotPass(service: Service): () => Promise<SnapshotPass> {
  const { store, clock } = service;
  let round: Round | null = null;
  let lastRoundAt: Date | null = null;

  return async () => {
    const now = clock.now();
    const isEarly = lastRoundAt !== null && Math.abs(now.getTime() - lastRoundAt.getTime()) < EVERY_MS;
    if (round === null && isEarly) return { released: 0 };
    const begun: Round = round ?? { startedAt: now, after: null, held: 0, error: null };
    const found = await store.listHeldEvents(BATCH, begun.after);
    const { snapshots, failed, error } = tryAll(found);
    let released = 0;
    for (const [subscriptionId, ready] of snapshots)
      released += await store.releaseEvents(subscriptionId, ready, service.wallClock.now());
    const tried = { ...begun, held: begun.held + failed, error: error ?? begun.error };
    if (found.length === BATCH) {
      round = { ...tried, after: found.at(-1) ?? null };
      return { released };
    }
    round = null;
    lastRoundAt = begun.startedAt;
    report(service, tried);
    return { released };
  };
}

/** Makes the snapshots that can be made now, by subscription. */
function tryAll(events: readonly SubscriptionEvent[]) {
  const snapshots = new Map<SubscriptionId, Map<EventId, Json>>();
  let failed = 0;
  let error: unknown = null;
  for (const { id, subscriptionId, heldState } of events) {
    try {
      const ready = snapshots.get(subscriptionId) ?? new Map<EventId, Json>();
      ready.set(id, snapshotOf(heldState));
      snapshots.set(subscriptionId, ready);
    } catch (reason) {
      failed += 1;
      error = reason;
    }
  }
  return { snapshots, failed, error };
}

function report({ logger, troubles }: Service, { held, error: err }: Round): void {
  if (held === 0) {
    troubles.over('events_held');
    return;
  }
  logger.warn(
    { held, err },
    'The snapshots of held events still cannot be made. They are tried again in a minute.',
  );
  troubles.seen({ kind: 'events_held', facts: { held }, err });
}
