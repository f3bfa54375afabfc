import type { MailOutcome, OutgoingMail } from '@subrail/core/ports';
import type { NodemailerError } from 'nodemailer';
import type { MailServer } from './options.js';

/** The most that a reason shows of an answer. */
const LONGEST_WORDS = 200;

/** Words of answers that refuse whoever sends, or the mail, and not the address. */
const OF_THE_SENDER = /\b(relay(?! recipient table)|sender|authenticat|spam|block|polic)/i;

/** A code of RFC 3463. Some servers write it at the end, as `(#5.1.1)`. */
const EXACT_CODE = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

const RECIPIENT = '(user|mailbox|recipient|address(ee)?|account|alias|person)s?';
const GONE =
  "(unknown|unavailable|disabled|inactive|invalid|closed|not (available|found|known|valid|active|local|exists?)|does(n't| not) exist|name not allowed)";
const NO = '(no|no such|unknown|invalid|bad|unroute?able|not an? (known|valid))';

/** Words that say of a recipient that nobody is there. */
const NOBODY_THERE = new RegExp(
  `\\b(${RECIPIENT}\\b[^.;]{0,40}\\b${GONE}|${NO} (\\w+ )?${RECIPIENT})\\b`,
  'i',
);

/** Words of answers about how much is sent or got, and those that say that it is sent. */
const OF_A_RATE = /throttl|(rate|over)limit|\b(rate|quota|limit|too (many|much|fast|quickly))\b/i;
const OF_SENDING =
  /throttl|\b(sending|sen[dt] too|daily|hourly|per (second|minute|hour|day)|connections|too fast|slow down)\b/i;

/** Words beside which those are about somebody else, or about a moment. */
const NOT_THE_RECIPIENT = /\b(your|client|host|ip|dns|spf|dkim|dmarc|send|excessive|temporar)/i;

/**
 * The outcome of a try that failed. When a server dies or is silent after it was sent the whole mail, nobody
 * knows whether it took it: that is `deferred`, so that it gets few copies of a mail that it always takes.
 * Their `Message-ID` lets the programs of the customer show one.
 */
export function outcomeOf(
  error: NodemailerError,
  mail: OutgoingMail,
  server: MailServer,
  isHandedOver: boolean,
): MailOutcome {
  const { code, command = '', response = '', responseCode = 0 } = error;
  const { user = '', pass = '' } = server.credentials ?? {};
  const words = (text: string) => shown(text, mail.subject, [user, pass]);
  const name = `The mail server ${server.name}`;
  if (isHandedOver && response === '')
    return { kind: 'deferred', reason: `${name} did not say whether it took the mail.` };
  // With 421 a server ends the connection, whatever it was asked.
  const isAnswer = responseCode !== 0 && responseCode !== 421 && /^(EENVELOPE|EMESSAGE)$/.test(code ?? '');
  if (!isAnswer) return { kind: 'unreachable', reason: `${name} ${whyUnreachable(error, words, server)}.` };
  const answer = words(response);
  if (command === 'MAIL FROM' && responseCode >= 500) {
    const lacksLogIn = responseCode === 530 && server.credentials === null;
    const advice = lacksLogIn ? '. To log in, write user:password@ into its address' : '';
    return { kind: 'unreachable', reason: `${name} refused the sender: ${answer}${advice}.` };
  }
  const kind = kindOf(response, command);
  return { kind, reason: `${name} ${VERBS[kind]}: ${answer}.` };
}

const VERBS = {
  refused: 'refused the address',
  deferred: 'did not take the mail',
  unreachable: 'takes no more mails for now',
} as const;

/**
 * Whether an answer refuses the address for good, or all mails for now, because too much is sent. Its code of
 * RFC 3463, when it has one, is more exact than its words, and without one only words that name the recipient
 * refuse him: whoever is refused as a sender would lose every customer's address otherwise.
 */
function kindOf(response: string, command: string): keyof typeof VERBS {
  const text = withoutAddresses(response).replaceAll(/\S+:\/\/\S*/g, '');
  const [exact] = EXACT_CODE.exec(text) ?? [];
  if (OF_A_RATE.test(text)) {
    // That of one recipient, or of the mail.
    if (/^\d\.[12]\./.test(exact ?? '') || /^552|\bsize\b/i.test(text)) return 'deferred';
    return /^4\.7\./.test(exact ?? '') || OF_SENDING.test(text) ? 'unreachable' : 'deferred';
  }
  if (!/^5/.test(response) || OF_THE_SENDER.test(text)) return 'deferred';
  const isRefused =
    exact === undefined
      ? command === 'RCPT TO' &&
        /^55[013]/.test(response) &&
        NOBODY_THERE.test(text) &&
        !NOT_THE_RECIPIENT.test(text)
      : // 5.1.7 and 5.1.8 are about the sender's address; with 5.2.1 the mailbox is closed.
        /^5\.(1\.(?![78]$)|2\.1$)/.test(exact);
  return isRefused ? 'refused' : 'deferred';
}

/** What completes a sentence about a server that took no mail, with what mends it. */
function whyUnreachable(
  error: NodemailerError,
  words: (text: string) => string,
  { secure }: MailServer,
): string {
  const { code, command, response = '', responseCode, message } = error;
  const cause = `${error.originalCode ?? ''} ${message}`;
  // Servers repeat the name of the user here.
  if (code === 'EAUTH')
    return `refused the log-in${responseCode ? ` with ${responseCode}` : ''}: look at the user and the password in its address`;
  if (code === 'EABORT') return 'did not take the mail in time';
  if (code === 'ETIMEDOUT' && command === 'CONN' && !secure)
    return 'does not greet at this port: where it speaks TLS from the start, as 465 does, the address begins with smtps://';
  if (code === 'ETLS' && command === 'STARTTLS' && response !== '')
    return 'offers no TLS (STARTTLS), without which nothing is sent to another machine';
  if (/certificate|\bCERT_/i.test(cause))
    return `has a certificate that is not accepted, ${words(message)}: name an authority of your own in NODE_EXTRA_CA_CERTS`;
  if (/ERR_SSL_|EPROTO|wrong version number/.test(cause))
    return 'does not speak TLS at this port from the start: where it turns to TLS later, as 587 does, the address begins with smtp://';
  return response === '' ? `cannot be reached: ${words(message)}` : `answered ${words(response)}`;
}

const withoutAddresses = (text: string) => text.replaceAll(/[^\s<>@"'(]+@[^\s<>@"')]+/g, '(address)');

/** A text of a server as a part of one sentence: without secrets, addresses, links and line breaks. */
function shown(text: string, subject: string, secrets: readonly string[]): string {
  const hide = (rest: string, one: string) => (one === '' ? rest : rest.replaceAll(one, '(hidden)'));
  const open = withoutAddresses(hide(text, subject).replaceAll(/\S+:\/\/\S*/g, '(link)'));
  const line = secrets
    .reduce(hide, open)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  // By characters: no database stores a half of one.
  const start = Array.from(line).slice(0, LONGEST_WORDS).join('');
  return start === line ? line.replace(/\.+$/, '') : `${start}…`;
}
