import type { Mailer, MailOutcome, OutgoingMail } from '../ports/mailer.js';

/**
 * A `Mailer` for tests, which records every mail in `mails` instead of sending it.
 *
 * @example
 * const mailer = new RecordingMailer(({ to }) =>
 *   to.endsWith('.invalid') ? { kind: 'refused', reason: 'No such user.' } : { kind: 'accepted' },
 * );
 */
export class RecordingMailer implements Mailer {
  /** Every mail so far, in order. */
  readonly mails: OutgoingMail[] = [];
  readonly #respond: (mail: OutgoingMail) => MailOutcome | Promise<MailOutcome>;

  /** `respond` returns the outcome of each mail; without it every mail is accepted. */
  constructor(
    respond: (mail: OutgoingMail) => MailOutcome | Promise<MailOutcome> = () => ({ kind: 'accepted' }),
  ) {
    this.#respond = respond;
  }

  async send(mail: OutgoingMail): Promise<MailOutcome> {
    this.mails.push(mail);
    return this.#respond(mail);
  }
}
