import type { Mail, OutgoingMail, SubscriptionEvent } from '@subrail/core/ports';
import { DAY, type TestWorld } from '@subrail/test-world';
import { expect } from 'vitest';
import { mailsOf } from '../mails/mail-world.js';

/** The kinds of the mail that tells of a change, by the type of its event. */
const KINDS: Readonly<Record<string, readonly Mail['kind'][]>> = {
  'subscription.created': ['receipt'],
  'subscription.renewed': ['receipt'],
  'subscription.payment_failed': ['payment_failed', 'last_try'],
  'subscription.stopped': ['stopped'],
  'subscription.cancelled': ['cancelled'],
  'subscription.ended': ['ended'],
};

/** Ends that the wallet brought about by its own signature, also one without the service. */
const SIGNED_ENDS: readonly unknown[] = ['closed', 'closed_elsewhere', 'plan_changed'];

/**
 * Checks that each change was told by one mail and each date by one at most (mails#one-mail-per-change,
 * mails#reminders), and that what the mail server accepted is what the store says (mails#order-of-tries).
 */
export async function expectMails(world: TestWorld, accepted: readonly OutgoingMail[]): Promise<void> {
  const mails = await mailsOf(world);
  const events = await world.storedEvents();
  const told = withoutRepeats(events.filter((event) => isTold(event, events)));
  expect(mails.flatMap(({ eventId }) => eventId ?? []).toSorted()).toEqual(idsOf(told));
  for (const { id, type } of told)
    expect(KINDS[type]).toContain(mails.find(({ eventId }) => eventId === id)?.kind);

  const reminders = mails.filter(({ eventId }) => eventId === null);
  const dates = reminders.map((mail) => [mail.subscriptionId, mail.kind, mail.facts.dueAt?.getTime()].join());
  expect(new Set(dates).size).toBe(dates.length);

  expect(mails.filter(({ state }) => state === 'pending')).toEqual([]);
  // A process that dies may have sent what is given up after it.
  const acceptedIds = new Set(accepted.map(({ id }) => id.replace(/@.*/, '')));
  const idsIn = (...states: readonly Mail['state'][]) =>
    mails.filter(({ state }) => states.includes(state)).map(({ id }) => id as string);
  expect(idsIn('sent').filter((id) => !acceptedIds.has(id))).toEqual([]);
  const known = new Set(idsIn('sent', 'failed'));
  expect([...acceptedIds].filter((id) => !known.has(id))).toEqual([]);
}

/** Whether a mail tells of an event. A try that stops the subscription is told by `stopped` alone. */
function isTold(event: SubscriptionEvent, events: readonly SubscriptionEvent[]): boolean {
  const { type, subscriptionId, createdAt } = event;
  if (type === 'subscription.ended')
    return !SIGNED_ENDS.includes((event.data as { readonly end_reason: unknown }).end_reason);
  const stops =
    type === 'subscription.payment_failed' &&
    events.some(
      (one) =>
        one.subscriptionId === subscriptionId &&
        one.type === 'subscription.stopped' &&
        one.createdAt.getTime() === createdAt.getTime(),
    );
  return type in KINDS && !stops;
}

/** Without the cancellations within a day of one that was told. */
function withoutRepeats(told: readonly SubscriptionEvent[]): readonly SubscriptionEvent[] {
  const last = new Map<string, number>();
  return told.filter(({ type, subscriptionId, createdAt }) => {
    if (type !== 'subscription.cancelled') return true;
    if (createdAt.getTime() - (last.get(subscriptionId) ?? -Infinity) < DAY) return false;
    last.set(subscriptionId, createdAt.getTime());
    return true;
  });
}

const idsOf = (records: readonly { readonly id: string }[]): readonly string[] =>
  records.map(({ id }) => id).toSorted();
