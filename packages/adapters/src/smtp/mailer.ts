import type { Mailer } from '@subrail/core/ports';
import { createTransport, type NodemailerError } from 'nodemailer';
import { settingsOf, type SmtpOptions } from './options.js';
import { outcomeOf } from './outcome.js';

/** A Mailer that keeps connections open. */
export interface SmtpMailer extends Mailer {
  /**
   * Ends all connections, also those in use: what they send is not `accepted`, and every later mail is
   * `unreachable`.
   */
  close(): void;
}

/** One address, with nothing around it that a server could read as another one. */
const ONE_ADDRESS = /^(?=.{3,254}$)[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u;

/** A text as one line. What looks encoded would be decoded by the reader, and then have other lines. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('=?', '= ?');

/**
 * Opens the Mailer port on a server of SMTP. Connections are made when a mail is sent, and are used again. A
 * mail is sent as text and HTML in UTF-8, and says that a program wrote it, so that no notice of absence
 * answers it.
 *
 * @throws TypeError that says what of the options cannot be used, without the address
 * @example
 * const mailer = openSmtpMailer({ url: 'smtps://apikey:secret@smtp.example.com:465' });
 */
export function openSmtpMailer(options: SmtpOptions): SmtpMailer {
  const { server, timeoutMs, pool } = settingsOf(options);
  const transport = createTransport(pool);
  /** The tries, by their signals, that handed over the whole mail. */
  const handedOver = new WeakSet<AbortSignal>();
  transport.use('stream', ({ message, data: { signal } }, done) => {
    // No other place sees a mail after its signature, which reads all of it before anything is sent.
    const read = message.createReadStream.bind(message);
    message.createReadStream = (settings) =>
      read(settings).once('end', () => signal && handedOver.add(signal));
    done();
  });
  return {
    async send(mail) {
      const { id, from, to, replyTo, subject, text, html } = mail;
      if (!ONE_ADDRESS.test(to)) return { kind: 'refused', reason: 'It is not one email address.' };
      if (!ONE_ADDRESS.test(from.address))
        return { kind: 'unreachable', reason: 'The address of the sender is not one email address.' };
      if (replyTo !== null && !ONE_ADDRESS.test(replyTo))
        return { kind: 'deferred', reason: 'The address for answers is not one email address.' };
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        await transport.sendMail({
          messageId: `<${id.replaceAll(/[^\x21-\x7e]|[<>]/g, '')}>`,
          from: { name: oneLine(from.name), address: from.address },
          to: { name: '', address: to },
          ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
          ...{ subject: oneLine(subject), text, html },
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' },
          signal,
        });
        return { kind: 'accepted' };
      } catch (error) {
        return outcomeOf(error as NodemailerError, mail, server, handedOver.has(signal));
      }
    },
    close: () => transport.close({ force: true }),
  };
}
