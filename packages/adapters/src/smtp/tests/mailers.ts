import { generateKeyPairSync } from 'node:crypto';
import type { FakeMailServer } from '@subrail/core/testing';
import type { OutgoingMail } from '@subrail/core/ports';
import type { SMTPServerOptions } from 'smtp-server';
import { openSmtpMailer, type SmtpMailer } from '../index.js';
import type { SmtpOptions } from '../options.js';
import { openFakeMailServer, type FakeSmtp } from './fake-mail-server.js';

export const MAIL: OutgoingMail = {
  id: 'mail_1@billing.example',
  from: { name: 'Acme', address: 'billing@acme.example' },
  to: 'ada@customer.example',
  replyTo: null,
  subject: 'Your receipt of March',
  text: 'Thank you.\n',
  html: '<p>Thank you.</p>\n',
};

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** A key of DKIM: its half in PEM that signs, and the one that verifies. */
export const DKIM_KEY = {
  pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  publicKey,
};

/** Opens servers and mailers for tests, and closes them. */
export function mailersForTests() {
  const closing: (() => unknown)[] = [];
  return {
    async serve(settings: SMTPServerOptions = {}, behaviour: FakeMailServer = 'accepts'): Promise<FakeSmtp> {
      const server = await openFakeMailServer(behaviour, settings);
      closing.push(() => server.close());
      return server;
    },
    /** A mailer on a port of this machine: `smtp://127.0.0.1` unless the address is given. */
    on(port: number, options: Partial<SmtpOptions> = {}): SmtpMailer {
      const mailer = openSmtpMailer({
        timeoutMs: 10_000,
        ...options,
        url: `${options.url ?? 'smtp://127.0.0.1'}:${port}`,
      });
      closing.push(() => mailer.close());
      return mailer;
    },
    /** Sends a mail over a connection of its own. */
    async send(port: number, options: Partial<SmtpOptions> = {}, mail: Partial<OutgoingMail> = {}) {
      return this.on(port, options).send({ ...MAIL, ...mail });
    },
    async closeAll(): Promise<void> {
      for (const close of closing.splice(0).toReversed()) await close();
    },
  };
}
