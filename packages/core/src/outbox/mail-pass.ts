import type { MailOutcome } from '../ports/index.js';
import { elapsedOf } from '../ports/elapsed-of.js';
import type { MailState } from '../contract/enums.js';
import type { Mail } from '../records/index.js';
import { plus } from '../rules/billing-periods.js';
import { MAIL_CLAIM_MS, nextTryOf } from '../rules/mail-retries.js';
import type { Service } from '../service.js';
import { excerpt } from '../webhooks/attempt-result.js';
import type { MailPass, MailPassOptions } from '../worker/worker.js';
import { createMailRecords, senderOf, sendMail, type MailSender } from './send-mail.js';

/** Mails that are sent at once: as many as the connections that a mailer holds as a rule. */
const TOGETHER = 5;

/** How long no mail is tried after the mail server failed (mails#mail-server-that-fails). */
const PAUSE_MS = 60_000;

const NONE: MailPass = { sent: 0, failed: 0, refused: 0, left_out: 0, retrying: 0 };

/** A mail after a try, and what its server said. `outcome`: null when no server was asked. */
interface Tried {
  readonly mail: Mail;
  readonly outcome: MailOutcome | null;
}

/**
 * Makes the pass that sends the mails that are due. A mail leaves at least once: one whose try was not
 * written, because the process died, is tried again with the same `Message-ID`.
 */
export function createMailPass(service: Service): (options: MailPassOptions) => Promise<MailPass> {
  const { store, wallClock, logger, alerts, figures } = service;
  const sender = senderOf(service);
  let pausedUntil = -Infinity;

  async function settle({ mail, outcome }: Tried, claimedUntil: Date): Promise<keyof MailPass | null> {
    if ((await store.settleMail(mail, claimedUntil)) === 'lost') return null;
    const { id, projectId: project, subscriptionId: subscription, kind, state } = mail;
    const result = state === 'pending' ? 'retrying' : state;
    figures.countMail(kind, result);
    if (outcome?.kind === 'unreachable') {
      pausedUntil = elapsedOf(wallClock) + PAUSE_MS;
      alerts.seen({ kind: 'mail_server_failing', facts: { reason: outcome.reason } });
    } else if (outcome !== null) alerts.over('mail_server_failing');
    if (state === 'failed') alerts.seen({ kind: 'mails_given_up', facts: { project } });
    // An address and the words of a server, which may hold it, are in the record and not in the log.
    const facts = { mail: id, project, subscription, kind, attempt: mail.attempts };
    if (state === 'sent') logger.info(facts, 'A mail was sent.');
    else if (state === 'pending')
      logger.info({ ...facts, reason: outcome?.kind }, 'A mail was not sent. It is tried again.');
    else logger.warn({ ...facts, state }, 'A mail is not sent.');
    return result;
  }

  async function tryMail(to: MailSender, recordsOf: ReturnType<typeof createMailRecords>, mail: Mail) {
    const claimedUntil = mail.nextAttemptAt;
    if (claimedUntil === null) throw new Error(`The mail ${mail.id} was claimed without a date.`);
    const tried = await attempt(service, to, recordsOf, mail);
    return settle(tried, claimedUntil);
  }

  return async ({ signal, progress }) => {
    if (sender === null) return NONE;
    const counts = { ...NONE };
    while (signal?.aborted !== true && elapsedOf(wallClock) >= pausedUntil) {
      const now = wallClock.now();
      const { mails, unreadable } = await store.claimMails(now, TOGETHER, plus(now, MAIL_CLAIM_MS));
      for (const { id, error } of unreadable)
        logger.error({ mail: id, err: error }, 'A mail cannot be read from the store, so it is not sent.');
      // Anew for each few mails, so that a long pass sends what is stored now.
      const recordsOf = createMailRecords(service);
      const results = await Promise.all(mails.map((mail) => tryMail(sender, recordsOf, mail)));
      for (const result of results) if (result !== null) counts[result] += 1;
      progress();
      if (mails.length + unreadable.length < TOGETHER) break;
    }
    return counts;
  };
}

/** Makes one try. An error of the service counts as a try that failed, so that it holds up no other mail. */
async function attempt(
  service: Service,
  sender: MailSender,
  recordsOf: ReturnType<typeof createMailRecords>,
  mail: Mail,
): Promise<Tried> {
  const { store, wallClock, logger } = service;
  const { projectId, email: address } = mail;
  const setAside = await store.findRefusedAddress(projectId, address);
  if (setAside !== null)
    return {
      mail: ended({ ...mail, lastError: setAside.reason }, 'left_out', wallClock.now()),
      outcome: null,
    };
  const begun: Mail = {
    ...mail,
    attempts: mail.attempts + 1,
    firstAttemptAt: mail.firstAttemptAt ?? wallClock.now(),
  };
  let outcome: MailOutcome;
  try {
    const records = await recordsOf(mail);
    if (records === null) throw new Error('The project, the plan or the subscription is gone.');
    if (records.subscription.email !== address) {
      const lastError = 'The customer has another email now.';
      return { mail: ended({ ...mail, lastError }, 'left_out', wallClock.now()), outcome: null };
    }
    outcome = await sendMail(service, sender, mail, records);
  } catch (err) {
    logger.error({ mail: mail.id, err }, 'A mail could not be made. It is tried again.');
    const reason = 'The mail could not be made; the log says why.';
    return { mail: failed(begun, { kind: 'deferred', reason }, wallClock.now()), outcome: null };
  }
  const now = wallClock.now();
  switch (outcome.kind) {
    case 'accepted':
      return { mail: { ...ended(begun, 'sent', now), lastError: null }, outcome };
    case 'refused': {
      const reason = excerpt(outcome.reason);
      await store.refuseAddress({ projectId, address, reason, refusedAt: now });
      return { mail: { ...ended(begun, 'refused', now), lastError: reason }, outcome };
    }
    case 'deferred':
    case 'unreachable':
      return { mail: failed(begun, outcome, now), outcome };
  }
}

function ended(mail: Mail, state: MailState, settledAt: Date): Mail {
  return { ...mail, state, nextAttemptAt: null, settledAt };
}

function failed(
  mail: Mail,
  { kind, reason }: Extract<MailOutcome, { kind: 'deferred' | 'unreachable' }>,
  now: Date,
): Mail {
  const nextAttemptAt = nextTryOf(mail, kind === 'unreachable', now);
  const after = nextAttemptAt === null ? ended(mail, 'failed', now) : { ...mail, nextAttemptAt };
  return { ...after, lastError: excerpt(reason) };
}
