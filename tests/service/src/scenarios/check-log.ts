import type { SubscriptionId } from '@subrail/core/ports';
import { expect } from 'vitest';

import type { ScenarioWorld } from './scenario-world.js';

/** The line of each event that says of a subscription more than its attempts do. */
const LINE_OF_EVENT: Readonly<Record<string, string>> = {
  'subscription.created': 'A subscription was created.',
  'subscription.stopped': 'A subscription stopped.',
  'subscription.cancelled': 'A subscription was cancelled.',
  'subscription.resumed': 'A subscription was resumed.',
  'subscription.expired': 'A checkout expired.',
  'subscription.paused': 'The seat of a subscription was parked.',
  'subscription.unpaused': 'The seat of a subscription is back.',
};

/** The line of each attempt, by its outcome. */
const LINE_OF_ATTEMPT = {
  paid: 'A charge was paid.',
  rejected: 'A charge failed.',
  blocked: 'A charge is blocked.',
  skipped: 'A charge was left out.',
} as const;

/**
 * Expects each attempt and each change of every subscription once in the log, in the order of the records
 * (alerts#log-of-charges-and-subscriptions).
 */
export async function checkLog({ world, subscriptions }: ScenarioWorld): Promise<void> {
  const events = await world.storedEvents();
  for (const { id } of subscriptions) {
    const lines = world.log.entries
      .filter(({ level, facts }) => level === 'info' && Reflect.get(facts, 'subscription') === id)
      .map(({ message }) => message);
    const only = (sentences: object) => lines.filter((line) => Object.values(sentences).includes(line));
    const page = { limit: 1_000, startingAfter: null };
    const attempts = await world.store.listAttempts(id as SubscriptionId, page);
    if (attempts === 'unknown_cursor') throw new Error('The first page of attempts has no cursor.');
    const ofAttempts = attempts.data.toReversed().map(({ outcome }) => LINE_OF_ATTEMPT[outcome]);
    expect(only(LINE_OF_ATTEMPT)).toEqual(ofAttempts);
    const ofEvents = events
      .filter(({ subscriptionId }) => subscriptionId === id)
      .flatMap(({ type }) => LINE_OF_EVENT[type] ?? []);
    expect(only(LINE_OF_EVENT)).toEqual(ofEvents);
  }
}
