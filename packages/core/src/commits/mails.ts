import { newId, type Mail, type MailSettings, type SubscriptionEvent } from '../records/index.js';
import type { Service } from '../service.js';
import type { CollectedChanges } from './subscription-changes.js';

/** The mails of changes, due at once, without the kinds that their project turned off. */
export function mailsOfChanges(
  { random, wallClock }: Pick<Service, 'random' | 'wallClock'>,
  { subscription, changes }: Pick<CollectedChanges, 'subscription' | 'changes'>,
  events: readonly SubscriptionEvent[],
  settings: MailSettings | null,
): readonly Mail[] {
  return changes.flatMap((change) =>
    change.mails
      .filter(({ kind }) => settings?.off.includes(kind) !== true)
      .map(({ event, ...draft }): Mail => {
        const sequence = change.events.find(({ type }) => type === event)?.sequence;
        return {
          id: newId(random, 'eml'),
          projectId: subscription.projectId,
          subscriptionId: subscription.id,
          eventId: events.find((one) => one.sequence === sequence)?.id ?? null,
          ...draft,
          state: 'pending',
          attempts: 0,
          firstAttemptAt: null,
          nextAttemptAt: wallClock.now(),
          settledAt: null,
          lastError: null,
        };
      }),
  );
}
