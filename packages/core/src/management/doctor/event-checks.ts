import type { SubscriptionEvent } from '../../records/index.js';
import { REPORT, type ExaminedSubscription } from './examined-subscription.js';
import type { FindingWire } from './schemas.js';

/**
 * Checks that the events, of which retention leaves the newest, are complete, in order, and agree with the
 * state.
 */
export function checkEvents({ subscription, events }: ExaminedSubscription): readonly FindingWire[] {
  const { id, lastSequence, hasHeldEvents, lastAnnouncedAccess } = subscription;
  // Held events are not listed, so their numbers are missing.
  if (hasHeldEvents) return [];
  const findings: FindingWire[] = [];
  const add = (check: string, rows: readonly string[], what: string): void => {
    findings.push({ check, rows: [id, ...rows], what, remedy: REPORT });
  };
  for (const [before, after] of neighbours(events)) {
    if (after.sequence !== before.sequence + 1)
      add(
        'sequence_is_complete',
        [before.id, after.id],
        `Event ${before.sequence} is followed by event ${after.sequence}.`,
      );
    if (after.createdAt < before.createdAt)
      add(
        'events_are_in_order',
        [before.id, after.id],
        `Event ${after.sequence} is dated before the one that precedes it.`,
      );
  }
  const last = events.at(-1);
  if (last !== undefined && last.sequence !== lastSequence)
    add(
      'sequence_is_complete',
      [last.id],
      `Its last event is number ${last.sequence}, and ${lastSequence} were written.`,
    );
  const changes = events.filter(({ type }) => isGrant(type) || type === 'subscription.access_revoked');
  for (const [before, after] of neighbours(changes))
    if (before.type === after.type)
      add('access_events_alternate', [before.id, after.id], `Two events in a row say ${after.type}.`);
  const change = changes.at(-1);
  if (change !== undefined && isGrant(change.type) !== lastAnnouncedAccess)
    add('access_is_announced', [change.id], 'The last event of its access is not the one on record.');
  return findings;
}

function isGrant(type: SubscriptionEvent['type']): boolean {
  return type === 'subscription.access_granted';
}

function neighbours<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.slice(1).map((item, index) => [items[index] as Item, item] as const);
}
