import type { KeyPairSigner } from '@solana/kit';
import type { Mail, Mailer, ProjectId } from '@subrail/core/ports';
import { RecordingMailer } from '@subrail/core/testing';
import { openTestWorld, PRICE, type TestWorld, type TestWorldOptions } from '@subrail/test-world';

/** The sender's address of every mail. */
export const FROM = 'billing@night-library.example';

/** Opens a world that sends mails. */
export function openMailWorld(
  options: TestWorldOptions = {},
  mailer: Mailer = new RecordingMailer(),
): Promise<TestWorld> {
  return openTestWorld({ ...options, ports: { mailer, settings: { mailFrom: FROM } } });
}

/** Subscribes a wallet that holds ten times the price, with an email. */
export async function subscribeByMail(
  world: TestWorld,
  { email = 'ada@example.com', wallet }: { readonly email?: string; readonly wallet?: KeyPairSigner } = {},
): Promise<{ readonly id: string; readonly wallet: KeyPairSigner }> {
  const payer = wallet ?? (await world.wallet(10n * PRICE));
  return { id: await world.subscribe(payer, 'customer-1', email), wallet: payer };
}

/** Every mail of the project, oldest first. */
export async function mailsOf({ store, projectId }: TestWorld): Promise<readonly Mail[]> {
  const page = await store.listMails(
    projectId as ProjectId,
    { state: null, subscriptionId: null },
    { limit: 1_000, startingAfter: null },
  );
  if (page === 'unknown_cursor') throw new Error('The first page of the mails was refused.');
  return page.data.toReversed();
}

/** Gives up every mail that waits, as after a day of tries. */
export async function giveUpMails(world: TestWorld): Promise<void> {
  const now = world.now();
  const { mails } = await world.store.claimMails(now, 1_000, now);
  const given = { state: 'failed', nextAttemptAt: null, settledAt: now, lastError: 'Greylisted.' } as const;
  for (const mail of mails) await world.store.settleMail({ ...mail, ...given }, now);
}
