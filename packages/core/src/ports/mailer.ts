/** A mail as it is sent. */
export interface OutgoingMail {
  /** The `Message-ID` without its angle brackets. A repeated mail has the same one. */
  readonly id: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  /** Null for answers to the sender. */
  readonly replyTo: string | null;
  /** One line of text. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The outcome of a try. `accepted`: the server took the mail over. `refused`: it refuses the address of the
 * customer for good. `deferred`: it did not take this mail, and may take it later, or got all of it and did
 * not say whether it took it. `unreachable`: nothing can be sent now, because the server does not answer in
 * time, its TLS failed, it refused the log-in or the sender, or it takes no more from the sender for now. A
 * mail that is `unreachable` is sent again each minute, so one that may have arrived is not, unless its id
 * lets the server keep one copy. A reason is one sentence without a secret, for the operator.
 */
export type MailOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'deferred'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/**
 * Sends mails. It never rejects, and every try ends within a minute. Its tries may run concurrently. It sends
 * the id as the `Message-ID`, and nothing of a mail can add a header, another recipient or a command of the
 * protocol, whatever characters are in it.
 *
 * @example
 * const mailer: Mailer = {
 *   async send({ id, from, to, replyTo, subject, text, html }) {
 *     const response = await fetch('https://mail.example/send', {
 *       method: 'POST',
 *       headers: { authorization: 'Bearer KEY', 'idempotency-key': id },
 *       body: JSON.stringify({ from: from.address, to, replyTo, subject, text, html }),
 *     }).catch(() => null);
 *     if (response?.ok === true) return { kind: 'accepted' };
 *     return { kind: 'unreachable', reason: `The mail service answered ${response?.status ?? 'nothing'}.` };
 *   },
 * };
 */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailOutcome>;
}
