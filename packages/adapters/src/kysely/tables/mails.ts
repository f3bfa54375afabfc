import type {
  EventId,
  Mail,
  MailFacts,
  MailId,
  MailSettings,
  ProjectId,
  RefusedAddress,
  SubscriptionId,
} from '@subrail/core/ports';
import type { MailKind, MailState } from '@subrail/core/schemas';
import { bigInteger, instant, integer, nullable, text } from '../codec/codec.js';
import { json, object, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

const facts = object<MailFacts>({
  amount: nullable(bigInteger),
  missing: nullable(bigInteger),
  periodStart: nullable(instant),
  periodEnd: nullable(instant),
  signature: plain(),
  reason: plain(),
  dueAt: nullable(instant),
  accessUntil: nullable(instant),
  retriesLeft: plain(),
  byHand: plain(),
});

export const mailTable = recordTable<Mail>()('mails', {
  id: text<MailId>(),
  projectId: text<ProjectId>(),
  subscriptionId: text<SubscriptionId>(),
  eventId: nullable(text<EventId>()),
  kind: text<MailKind>(),
  email: text(),
  facts: json(facts),
  createdAt: instant,
  state: text<MailState>(),
  attempts: integer,
  firstAttemptAt: nullable(instant),
  nextAttemptAt: nullable(instant),
  settledAt: nullable(instant),
  lastError: nullable(text()),
});

export const mailSettingsTable = recordTable<MailSettings>()('mail_settings', {
  projectId: text<ProjectId>(),
  off: json(plain<MailSettings['off']>()),
  replyTo: nullable(text()),
  language: nullable(text()),
});

export const refusedAddressTable = recordTable<RefusedAddress>()('refused_addresses', {
  projectId: text<ProjectId>(),
  address: text(),
  reason: text(),
  refusedAt: instant,
});
