import * as z from 'zod';

import { operation } from '../../operations/operation.js';
import { describeMailSettings, updateMailSettings } from './mail-settings.js';
import { listMails, previewMail, readMail } from './read-mails.js';
import { acceptAddress, listRefusedAddresses } from './refused-addresses.js';
import {
  AcceptInput,
  MailPage,
  MailSettingsUpdate,
  MailSettingsWire,
  MailsQuery,
  MailWire,
  MailWithText,
  PreviewQuery,
  ReadMail,
  RefusedAddressWire,
  TestMailInput,
  TestMailResult,
  type MailsQueryInput,
} from './schemas.js';
import { resendMail, sendTestMail } from './send-by-hand.js';

export const mailOperations = {
  /**
   * Reads whether mails are sent to the project's customers, and which: the kinds that are off, the address
   * that answers go to, and the language. `lacks` says what is missing where none are sent. Refuses with
   * `not_found`.
   *
   * @example
   * const { lacks, off } = await shop.mails.settings();
   */
  settings: operation<() => Promise<MailSettingsWire>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/mail-settings',
    output: MailSettingsWire,
    summary: "Whether mails are sent to a project's customers, and which.",
    run: ({ service, project }) => describeMailSettings(service, project),
  }),
  /**
   * Changes the settings of the project's mails; a field that is left out stays as it is. `off` has the kinds
   * that are not sent, in place of those before. Mails that are written already are sent all the same.
   *
   * Refuses with `invalid_request` or `not_found`.
   *
   * @example
   * await shop.mails.updateSettings({ off: ['renewal_ahead'], reply_to: 'help@shop.example' });
   */
  updateSettings: operation<(changes: MailSettingsUpdate) => Promise<MailSettingsWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/mail-settings',
    input: MailSettingsUpdate,
    output: MailSettingsWire,
    summary: "Changes which mails a project's customers get, in which language, and where answers go.",
    run: ({ service, project, input }) => updateMailSettings(service, project, input),
  }),
  /**
   * Lists mails newest first, `limit` (1 to 100, 20 when absent) at a time: in one `state`, or about one
   * `subscription`, when these are given. A mail is listed until 30 days after it was sent or given up.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.mails.list({ state: 'failed' });
   * for (const { kind, email, last_error } of data) console.log(kind, email, last_error);
   */
  list: operation<(query?: MailsQueryInput) => Promise<MailPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/mails',
    input: MailsQuery.prefault({}),
    output: MailPage,
    summary: "A project's mails to its customers, newest first.",
    run: ({ service, project, input }) => listMails(service, project, input),
  }),
  /**
   * Reads one mail with its subject, text and HTML, as it would be sent now. Its button leads nowhere: the
   * link opens a customer's portal, and is made only when the mail is sent. Refuses with `not_found`.
   *
   * @example
   * const { subject, text } = await shop.mails.retrieve(mailId);
   */
  retrieve: operation<(id: string) => Promise<MailWithText>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/mails/{id}',
    output: MailWithText,
    notFound: 'not_found',
    summary: 'One mail with its subject, text and HTML.',
    run: ({ service, project, id }) => readMail(service, project, id),
  }),
  /**
   * Sends a mail again that is `failed`, `refused` or `left_out`: it is `pending` anew, and tried for a day.
   *
   * Refuses with `not_found`, `not_supported` where no mails are sent, or `conflict` for a mail that waits or
   * was sent, and while its address is set aside.
   *
   * @example
   * await shop.mails.acceptAddress({ address: 'ada@example.com' });
   * await shop.mails.resend(mailId);
   */
  resend: operation<(id: string) => Promise<MailWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/mails/{id}/resend',
    output: MailWire,
    notFound: 'not_found',
    errors: ['conflict', 'not_supported'],
    summary: 'Sends a mail again that was given up, refused or left out.',
    run: ({ service, project, id }) => resendMail(service, project, id),
  }),
  /**
   * Lists the addresses to which nothing is sent, because a server refused them for good: the newest 1,000.
   * Refuses with `not_found`.
   *
   * @example
   * for (const { address, reason } of await shop.mails.refused()) console.log(address, reason);
   */
  refused: operation<() => Promise<readonly RefusedAddressWire[]>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/refused-addresses',
    output: z.array(RefusedAddressWire).readonly(),
    summary: 'The addresses that a server refused for good, newest first.',
    run: ({ service, project }) => listRefusedAddresses(service, project),
  }),
  /**
   * Takes a refused address back: later mails are sent there. Those that were left out stay so until they are
   * sent again. Refuses with `invalid_request`, or `not_found` for an address that is not set aside.
   *
   * @example
   * await shop.mails.acceptAddress({ address: 'ada@example.com' });
   */
  acceptAddress: operation<(input: AcceptInput) => Promise<void>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/refused-addresses/accept',
    input: AcceptInput,
    output: z.void(),
    errors: ['not_found'],
    summary: 'Takes a refused address back, so that later mails are sent there.',
    run: ({ service, project, input }) => acceptAddress(service, project, input),
  }),
  /**
   * Sends the sample of a receipt to an address of yours, and resolves with what the mail server answered,
   * within a minute. It is tried once and not stored, and an address that is refused is not set aside.
   *
   * Refuses with `invalid_request`, `not_found`, `not_supported` where no mails are sent, or `rate_limited`
   * past five a minute.
   *
   * @example
   * const { outcome, reason } = await shop.mails.test({ to: 'you@shop.example' });
   */
  test: operation<(input: TestMailInput) => Promise<TestMailResult>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/mail-test',
    input: TestMailInput,
    output: TestMailResult,
    errors: ['not_supported', 'rate_limited'],
    summary: 'Sends one test mail, and answers what the mail server said.',
    run: ({ service, project, input }) => sendTestMail(service, project, input),
  }),
  /**
   * Renders the sample of a kind with the project's name, logo and colour, in its language or in another one.
   * It works where no mails are sent, too. Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { subject, html } = await shop.mails.preview({ kind: 'payment_failed', language: 'de' });
   */
  preview: operation<(query: PreviewQuery) => Promise<ReadMail>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/mail-preview',
    input: PreviewQuery,
    output: ReadMail,
    summary: "A sample of a kind of mail, as a project's customers would get it.",
    run: ({ service, project, input }) => previewMail(service, project, input),
  }),
};
