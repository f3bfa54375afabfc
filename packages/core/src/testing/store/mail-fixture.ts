import type { MailStore, Store } from '../../ports/store.js';
import type { Mail } from '../../records/index.js';
import { aMail } from '../mail-records.js';
import { aCommit } from '../records.js';
import { at, type Fixture, mustCommit } from './fixture.js';

/** A store that has mails. */
export type WithMails = Store & MailStore;

/** When the claims of the tests end. */
export const UNTIL = at(120_000);

/** The fields of a mail after its first try. */
export const settledAs = (state: Mail['state'], ms = 5): Partial<Mail> => ({
  ...{ state, attempts: 1, firstAttemptAt: at(1), nextAttemptAt: null, settledAt: at(ms) },
  lastError: state === 'sent' ? null : 'The server said no.',
});

/** Stores mails of one subscription of the project, in one commit. */
export async function storeMails(
  store: Store,
  { project, aSubscription }: Fixture,
  rows: readonly Partial<Mail>[],
): Promise<readonly Mail[]> {
  const subscription = aSubscription();
  const of = { projectId: project.id, subscriptionId: subscription.id };
  const mails = rows.map((given) => aMail({ ...of, ...given }));
  await mustCommit(store, aCommit(subscription, { mails }));
  return mails;
}

/** Stores one mail of the project. */
export async function storeMail(store: Store, fixture: Fixture, given: Partial<Mail> = {}): Promise<Mail> {
  const [mail] = await storeMails(store, fixture, [given]);
  return mail as Mail;
}
