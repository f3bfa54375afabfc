import type { MailKind } from '../contract/enums.js';
import {
  newId,
  type Mail,
  type MailSettings,
  type Subscription,
  type SubscriptionEvent,
} from '../records/index.js';
import { plus } from '../rules/billing-periods.js';
import type { Service } from '../service.js';
import type { CollectedChanges } from './subscription-changes.js';

/** The mails of changes, due at once, without those of the kinds that are off. */
export function mailsOfChanges(
  { random, wallClock }: Pick<Service, 'random' | 'wallClock'>,
  { subscription, changes }: Pick<CollectedChanges, 'subscription' | 'changes'>,
  events: readonly SubscriptionEvent[],
  off: ReadonlySet<MailKind>,
): readonly Mail[] {
  return changes.flatMap((change) =>
    change.mails
      .filter(({ kind }) => !off.has(kind))
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

/** The time after a mail of a cancellation in which no other one is told (mails#one-mail-per-change). */
const TOLD_ONCE_IN_MS = 24 * 3_600_000;

/** More mails than a subscription has in that time. */
const MOST_MAILS = 100;

/** Whether changes have a mail of a cancellation. */
export const tellsOfCancellation = (changes: CollectedChanges['changes']): boolean =>
  changes.some(({ mails }) => mails.some(({ kind }) => kind === 'cancelled'));

/** Whether a mail told of another cancellation of a subscription within the last day. */
export async function wasCancellationTold(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  { id, projectId }: Pick<Subscription, 'id' | 'projectId'>,
): Promise<boolean> {
  const page = { limit: MOST_MAILS, startingAfter: null };
  const mails = await store.listMails(projectId, { state: null, subscriptionId: id }, page);
  if (mails === 'unknown_cursor') return false;
  const since = plus(clock.now(), -TOLD_ONCE_IN_MS);
  return mails.data.some(({ kind, createdAt }) => kind === 'cancelled' && createdAt > since);
}

/** The kinds that are not written: those that a project turned off, and a cancellation that was just told. */
export function kindsOff(settings: MailSettings | null, cancellationTold: boolean): ReadonlySet<MailKind> {
  return new Set([...(settings?.off ?? []), ...(cancellationTold ? (['cancelled'] as const) : [])]);
}
