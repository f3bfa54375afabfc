import { MailKind, MailLocale, MailState } from '@subrail/core/schemas';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged, PAGE_OPTIONS } from '../managed.js';
import { list, oneOf, required, text, textOrNone } from '../option.js';
import { details } from '../table.js';

/** The kinds of `--off`. The service refuses an unknown name. */
const kindsOf = (off: readonly string[]) => (off[0] === 'none' ? [] : off) as MailKind[];

/** A mail as a person reads it in a terminal. */
const letter = ({ subject, text: body }: { readonly subject: string; readonly text: string }) =>
  `Subject: ${subject}\n\n${body}`;

/** `subrail mail`. */
export function addMailCommands(root: Group): void {
  const group = addGroup(root, 'mail', 'Mails: what customers are told of their subscriptions.');
  addManaged(group, {
    usage: 'list',
    about: 'List mails, newest first.',
    example: 'subrail mail list --state failed',
    operations: ['mails.list'],
    options: {
      state: oneOf(MailState.options, 'only those in this state'),
      subscription: text('id', 'only those about this subscription'),
      ...PAGE_OPTIONS,
    },
    run: async ({ project, options }) => (await project()).mails.list(options),
    shown: ['id', 'created_at', 'kind', 'email', 'state', 'attempts', 'next_attempt_at', 'last_error'],
  });
  addManaged(group, {
    usage: 'show <id>',
    about: 'Show a mail as it reads.',
    example: 'subrail mail show eml_…',
    operations: ['mails.retrieve'],
    run: async ({ project, operands: [id = ''] }) => (await project()).mails.retrieve(id),
    shown: ({ html: _, text: body, subject, ...mail }, { terminal }) =>
      `${details(terminal, mail)}\n${letter({ subject, text: body })}`,
  });
  addManaged(group, {
    usage: 'send-again <id>',
    about: 'Send a mail again that was given up, refused or left out.',
    example: 'subrail mail send-again eml_…',
    operations: ['mails.resend'],
    run: async ({ project, operands: [id = ''] }) => (await project()).mails.resend(id),
  });
  addManaged(group, {
    usage: 'settings',
    about: 'Show or change which mails customers get. What is not given stays as it is.',
    example: 'subrail mail settings --off renewal_ahead --reply-to help@shop.example --language de',
    operations: ['mails.settings', 'mails.updateSettings'],
    options: {
      off: list('kinds', 'all the kinds that are not sent, with commas between, or none'),
      reply_to: textOrNone('address', 'where answers go'),
      language: oneOf(MailLocale.options, 'the language of the mails'),
    },
    run: async ({ project, options: { off, reply_to, language } }) => {
      const { mails } = await project();
      if (off === undefined && reply_to === undefined && language === undefined) return mails.settings();
      return mails.updateSettings({
        ...(off === undefined ? {} : { off: kindsOf(off) }),
        ...(reply_to === undefined ? {} : { reply_to }),
        ...(language === undefined ? {} : { language }),
      });
    },
    next: ({ from }) => (from === null ? null : 'mail test --to you@example.com'),
  });
  addManaged(group, {
    usage: 'refused',
    about: 'List the addresses to which nothing is sent, because a server refused them for good.',
    example: 'subrail mail refused',
    operations: ['mails.refused'],
    run: async ({ project }) => (await project()).mails.refused(),
    shown: ['address', 'refused_at', 'reason'],
  });
  addManaged(group, {
    usage: 'accept <address>',
    about: 'Send to a refused address again, from the next mail on.',
    example: 'subrail mail accept ada@example.com',
    operations: ['mails.acceptAddress'],
    run: async ({ project, operands: [address = ''] }) => (await project()).mails.acceptAddress({ address }),
    next: () => 'mail list',
  });
  addManaged(group, {
    usage: 'test',
    about: 'Send a sample now, and show what the mail server said.',
    example: 'subrail mail test --to you@example.com',
    operations: ['mails.test'],
    options: { to: required(text('address', 'where it goes')) },
    run: async ({ project, options: { to } }) => (await project()).mails.test({ to }),
    shown: ({ outcome, reason }, { terminal }) =>
      outcome === 'accepted'
        ? 'The mail server took the mail over. Look into the mailbox, and under junk mail.\n'
        : details(terminal, { outcome, reason }),
    exitCode: ({ outcome }) => (outcome === 'accepted' ? 0 : 1),
  });
  addManaged(group, {
    usage: 'preview <kind>',
    about: `Show a sample of a kind of mail: ${MailKind.options.join(', ')}.`,
    example: 'subrail mail preview payment_failed --language de',
    operations: ['mails.preview'],
    options: { language: oneOf(MailLocale.options, 'the language; that of the project without it') },
    run: async ({ project, operands: [kind = ''], options: { language } }) =>
      (await project()).mails.preview({
        kind: kind as MailKind,
        ...(language === undefined ? {} : { language }),
      }),
    shown: letter,
  });
}
