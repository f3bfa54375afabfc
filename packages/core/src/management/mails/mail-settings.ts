import type * as z from 'zod';

import { MailLocale } from '../../contract/enums.js';
import type { MailSettings, Project, ProjectId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import type { MailSettingsUpdate, MailSettingsWire } from './schemas.js';

/** Reads the settings of a project's mails: those of a new project where the store keeps none. */
export async function readMailSettings(
  { store, lacks }: Pick<Service, 'store' | 'lacks'>,
  projectId: ProjectId,
): Promise<MailSettings> {
  const settings = lacks.has('MailStore') ? null : await store.findMailSettings(projectId);
  return settings ?? { projectId, off: [], replyTo: null, language: null };
}

/** Describes whether mails are sent, and which (mails#settings-of-mails). */
export async function describeMailSettings(service: Service, { id }: Project): Promise<MailSettingsWire> {
  return settingsWire(service, await readMailSettings(service, id));
}

/** Changes the settings. Calls at once may undo each other, as two people who save do. */
export async function updateMailSettings(
  service: Service,
  { id }: Project,
  { off, reply_to, language }: z.output<typeof MailSettingsUpdate>,
): Promise<MailSettingsWire> {
  requireCapability(service, 'MailStore');
  const before = await readMailSettings(service, id);
  const settings: MailSettings = {
    ...before,
    off: off ?? before.off,
    replyTo: reply_to === undefined ? before.replyTo : reply_to,
    language: language ?? before.language,
  };
  await service.store.saveMailSettings(settings);
  return settingsWire(service, settings);
}

function settingsWire(
  { lacks, settings: { mailFrom } }: Service,
  { off, replyTo, language }: MailSettings,
): MailSettingsWire {
  const storeLacks = lacks.has('MailStore') || lacks.has('SessionStore');
  return {
    from: mailFrom,
    lacks: storeLacks ? 'store' : mailFrom === null ? 'mail_server' : null,
    off,
    reply_to: replyTo,
    language: MailLocale.catch('en').parse(language),
  };
}
