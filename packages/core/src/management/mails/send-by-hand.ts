import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { senderOf, sendSample, type MailSender } from '../../outbox/send-mail.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { excerpt } from '../../webhooks/attempt-result.js';
import { readMailSettings } from './mail-settings.js';
import { mailWire, requireMail } from './read-mails.js';
import type { MailWire, TestMailInput, TestMailResult } from './schemas.js';

const TESTS_A_MINUTE = 5;

/** Sends a mail again that did not arrive (mails#sent-again-by-hand). */
export async function resendMail(service: Service, project: Project, id: string): Promise<MailWire> {
  const { store, wallClock } = service;
  requireSender(service);
  const mail = await requireMail(service, project, id);
  if (mail.state === 'pending')
    throw conflict('The mail waits to be sent, and is tried again by itself. Wait until it is settled.');
  if (mail.state === 'sent')
    throw conflict(
      'The mail was sent. The customer sees what it told in the portal: send a link to that, which "subrail portal create" makes.',
    );
  const subscription = await store.findSubscription(project.id, mail.subscriptionId);
  if (subscription !== null && subscription.email !== mail.email)
    throw conflict('The customer has another email now, and the mail would open their subscription there.');
  const refused = await store.findRefusedAddress(project.id, mail.email);
  if (refused !== null)
    throw conflict(
      'A server refused the address for good, so nothing is sent there. Ask the customer for another one; or, if the address is right, accept it again first, as "subrail mail accept" does.',
    );
  const pending = await store.resendMail(project.id, mail.id, wallClock.now());
  if (pending === null)
    throw conflict('Another call sends the mail again. Look at it for what became of it.');
  return mailWire(pending);
}

/** Sends a test mail, and answers what its server said (mails#test-mail). */
export async function sendTestMail(
  service: Service,
  project: Project,
  { to }: z.output<typeof TestMailInput>,
): Promise<TestMailResult> {
  const sender = requireSender(service);
  const { over, reset } = service.testMails.count('', TESTS_A_MINUTE);
  if (over)
    throw new ServiceError('rate_limited', {
      message: `A process sends at most ${TESTS_A_MINUTE} test mails a minute. Try again in ${reset} seconds.`,
      retryAfter: reset,
    });
  const settings = await readMailSettings(service, project.id);
  const outcome = await sendSample(service, sender, { project, settings, to });
  return { outcome: outcome.kind, reason: outcome.kind === 'accepted' ? null : excerpt(outcome.reason) };
}

/** Refuses with `not_supported` what sends a mail, where none are sent. */
function requireSender(service: Service): MailSender {
  requireCapability(service, 'MailStore');
  requireCapability(service, 'SessionStore');
  const sender = senderOf(service);
  if (sender !== null) return sender;
  throw new ServiceError('not_supported', {
    message:
      'No mail server is set here, so no mails are sent. Whoever runs the service sets SUBRAIL_SMTP_URL and SUBRAIL_MAIL_FROM, for each host and for each command, or in an app the port "mailer" and the setting "mailFrom".',
  });
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', { message });
}
