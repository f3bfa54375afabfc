// Heavy: the kit of mailers waits for the ends of tries in real time.

import { mailerConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { openSmtpMailer } from '../index.js';
import { openFakeMailServer } from './fake-mail-server.js';

describe('the Mailer port on SMTP', () => {
  mailerConformance(test, async (behaviour) => {
    const server = await openFakeMailServer(behaviour);
    const url = `smtp://ada.lovelace:pass%40word@127.0.0.1:${server.port}`;
    const isSlow = behaviour === 'silent' || behaviour === 'drips';
    const mailer = openSmtpMailer({ url, timeoutMs: isSlow ? 500 : 10_000 });
    return {
      ...server,
      ...{ mailer, withinMs: 15_000, secrets: ['ada.lovelace', 'pass@word'] },
      async close() {
        mailer.close();
        await server.close();
      },
    };
  });
});
