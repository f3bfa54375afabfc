import type { MailFacts } from './mail.js';

/** The facts of a mail that has none. */
export const NO_MAIL_FACTS: MailFacts = {
  amount: null,
  missing: null,
  periodStart: null,
  periodEnd: null,
  signature: null,
  reason: null,
  dueAt: null,
  accessUntil: null,
  retriesLeft: null,
  byHand: false,
};
