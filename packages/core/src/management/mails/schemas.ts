import * as z from 'zod';

import { MailKind, MailLocale, MailState } from '../../contract/enums.js';
import { cursorInput, emailInput, limitInput, subscriptionIdInput } from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { fields } from '../../contract/requests.js';
import { isoDate } from '../../contract/scalars.js';

const kindInput = z.enum(MailKind.options, { error: `must be one of ${MailKind.options.join(', ')}` });
const languageInput = z.enum(MailLocale.options, {
  error: `must be one of ${MailLocale.options.join(', ')}`,
});

/** What is missing where no mails are sent. */
const Lacking = z.enum(['mail_server', 'store']);

/** The settings of a project's mails. */
export const MailSettingsWire = z.strictObject({
  /** The address that mails come from; null while none are sent. */
  from: z.string().nullable(),
  /**
   * Why no mails are sent: the service has no mail server, or its store keeps none. Null while they are sent.
   */
  lacks: Lacking.nullable(),
  /** The kinds that are not sent. */
  off: z.array(MailKind).readonly(),
  /** The address that answers go to; null for that of `from`. */
  reply_to: z.string().nullable(),
  language: MailLocale,
});
export type MailSettingsWire = z.infer<typeof MailSettingsWire>;

/** A change of the settings of a project's mails. A field that is left out stays as it is. */
export const MailSettingsUpdate = z.strictObject({
  /** The kinds that are not sent, in place of those before. */
  off: z
    .array(kindInput, { error: 'must be a list of kinds of mails' })
    .transform((off) => MailKind.options.filter((kind) => off.includes(kind)))
    .optional(),
  /** The address that answers go to; null for that of the sender. */
  reply_to: emailInput.nullable().optional(),
  language: languageInput.optional(),
});
export type MailSettingsUpdate = z.input<typeof MailSettingsUpdate>;

/** A mail to a customer. Dates are of the wall clock of the sending hosts. */
export const MailWire = z.strictObject({
  id: z.string(),
  kind: MailKind,
  subscription: z.string(),
  /** The id of the event of the change that it tells; null for a reminder. */
  event: z.string().nullable(),
  /** The customer's email when it was written. */
  email: z.string(),
  state: MailState,
  /** The tries since it was written, or sent again. */
  attempts: z.int().min(0),
  next_attempt_at: isoDate.nullable(),
  /** Why the last try did not succeed: at most 1,024 characters. */
  last_error: z.string().nullable(),
  created_at: isoDate,
  /** When it was sent, given up, refused or left out. */
  settled_at: isoDate.nullable(),
});
export type MailWire = z.infer<typeof MailWire>;

/** A mail as it is read. */
export const ReadMail = z.strictObject({ subject: z.string(), text: z.string(), html: z.string() });
export type ReadMail = z.infer<typeof ReadMail>;

/** A mail with what it says. Its button leads nowhere, because the link is made when it is sent. */
export const MailWithText = MailWire.extend(ReadMail.shape);
export type MailWithText = z.infer<typeof MailWithText>;

/** A page of a project's mails, newest first. */
export const MailPage = page(MailWire, 'The mails of this page, newest first.');
export type MailPage = z.infer<typeof MailPage>;

/** Which mails to list. */
export const MailsQuery = fields({
  state: z
    .enum(MailState.options, { error: `must be one of ${MailState.options.join(', ')}` })
    .optional()
    .describe('Only mails in this state.'),
  subscription: subscriptionIdInput.optional().describe('Only mails about the subscription with this id.'),
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type MailsQuery = z.infer<typeof MailsQuery>;
/** A request for a page of mails: `limit` is 1 to 100, 20 when absent. */
export type MailsQueryInput = z.input<typeof MailsQuery>;

/** Which sample to render: `language` is that of the project when absent. */
export const PreviewQuery = fields({
  kind: kindInput.describe('The kind of mail.'),
  language: languageInput.optional().describe('The language, such as de; that of the project when absent.'),
});
export type PreviewQuery = z.input<typeof PreviewQuery>;

/** An address to which nothing is sent, because a server refused it for good. */
export const RefusedAddressWire = z.strictObject({
  address: z.string(),
  /** The words of the server. */
  reason: z.string(),
  refused_at: isoDate,
});
export type RefusedAddressWire = z.infer<typeof RefusedAddressWire>;

/** An address to which mails are sent again. */
export const AcceptInput = z.strictObject({ address: emailInput });
export type AcceptInput = z.input<typeof AcceptInput>;

/** Where a test mail goes. */
export const TestMailInput = z.strictObject({ to: emailInput });
export type TestMailInput = z.input<typeof TestMailInput>;

/**
 * What became of a test mail. `accepted`: the server took it over. `refused`: it refuses the address.
 * `deferred`: it did not take it now. `unreachable`: nothing can be sent, until `reason` is mended.
 */
export const TestMailResult = z.strictObject({
  outcome: z.enum(['accepted', 'refused', 'deferred', 'unreachable']),
  /** What went wrong, at most 1,024 characters; null for a mail that was accepted. */
  reason: z.string().nullable(),
});
export type TestMailResult = z.infer<typeof TestMailResult>;
