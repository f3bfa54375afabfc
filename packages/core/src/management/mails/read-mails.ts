import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import { pageRequest, pageWire } from '../../operations/pages.js';
import { renderSample, renderStored } from '../../outbox/render-mails.js';
import { createMailRecords } from '../../outbox/send-mail.js';
import type { Mail, MailId, Project, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { readMailSettings } from './mail-settings.js';
import type { MailPage, MailsQuery, MailWire, MailWithText, PreviewQuery, ReadMail } from './schemas.js';

export function mailWire(mail: Mail): MailWire {
  return {
    id: mail.id,
    kind: mail.kind,
    subscription: mail.subscriptionId,
    event: mail.eventId,
    email: mail.email,
    state: mail.state,
    attempts: mail.attempts,
    next_attempt_at: toWireDate(mail.nextAttemptAt),
    last_error: mail.lastError,
    created_at: toWireDate(mail.createdAt),
    settled_at: toWireDate(mail.settledAt),
  };
}

export async function listMails(
  service: Service,
  { id }: Project,
  { state, subscription, ...page }: MailsQuery,
): Promise<MailPage> {
  requireCapability(service, 'MailStore');
  const filter = { state: state ?? null, subscriptionId: (subscription ?? null) as SubscriptionId | null };
  const mails = await service.store.listMails(id, filter, pageRequest<MailId>(page));
  return pageWire(mails, mailWire);
}

/** Finds a mail of the project. Throws `not_found` for none. */
export async function requireMail({ store }: Service, project: Project, id: string): Promise<Mail> {
  const mail = await store.findMail(project.id, id as MailId);
  if (mail === null)
    throw new ServiceError('not_found', {
      message: 'No mail of this project has that id. A mail is deleted 30 days after it was settled.',
    });
  return mail;
}

/** Reads a mail with what it says, from the facts that were stored with it (mails#mail-that-is-read). */
export async function readMail(service: Service, project: Project, id: string): Promise<MailWithText> {
  requireCapability(service, 'MailStore');
  const mail = await requireMail(service, project, id);
  const records = await createMailRecords(service)(mail);
  if (records === null)
    throw new ServiceError('not_found', {
      message: 'The subscription of the mail is not stored any more, so what it says is not known.',
    });
  return { ...mailWire(mail), ...(await renderStored(service, mail, records, null)) };
}

/** Renders the sample of a kind with the name and the look of the project (mails#mail-that-is-read). */
export async function previewMail(
  service: Service,
  project: Project,
  { kind, language }: z.output<typeof PreviewQuery>,
): Promise<ReadMail> {
  const settings = await readMailSettings(service, project.id);
  return renderSample(service, project, kind, { language: language ?? settings.language });
}
