import { describe, expect, it } from 'vitest';
import type { Mailer, MailOutcome, OutgoingMail } from '../ports/mailer.js';
import {
  mailerConformance,
  type ArrivedMail,
  type FakeMailServer,
  type MailerUnderTest,
} from './mailer-conformance.js';

/** A mail service in memory, whose mailer keeps every promise. */
interface Service {
  readonly mailer: Mailer;
  readonly behaviour: () => FakeMailServer;
  readonly arrived: ArrivedMail[];
}

const WITHIN_MS = 100;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const OUTCOMES: Readonly<Record<FakeMailServer, MailOutcome>> = {
  accepts: { kind: 'accepted' },
  refuses_address: { kind: 'refused', reason: 'No such user.' },
  defers: { kind: 'deferred', reason: 'Later, please.' },
  refuses_sender: { kind: 'unreachable', reason: 'The sender is not known.' },
  refuses_log_in: { kind: 'unreachable', reason: 'The log-in was refused.' },
  silent: { kind: 'unreachable', reason: 'It did not answer in time.' },
  drips: { kind: 'unreachable', reason: 'It did not answer in time.' },
  hangs_up: { kind: 'unreachable', reason: 'It closed the connection.' },
  garbage: { kind: 'unreachable', reason: 'It speaks another protocol.' },
};

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028]+/gu, ' ');

/** What arrives of a mail: it has no line breaks and nothing encoded in what is one line. */
const arrivalOf = (mail: OutgoingMail): ArrivedMail => ({
  ...mail,
  id: oneLine(mail.id),
  from: { name: oneLine(mail.from.name), address: oneLine(mail.from.address) },
  to: [mail.to],
  subject: oneLine(mail.subject),
  headers: ['from', 'to', 'subject', 'message-id'],
});

function openService(initial: FakeMailServer, change: Change): MailerUnderTest {
  let behaviour = initial;
  const arrived: ArrivedMail[] = [];
  const mailer: Mailer = {
    async send(mail) {
      if (!/^[\w.-]{1,64}@[\w.-]+$/.test(mail.to)) return { kind: 'refused', reason: 'It is no address.' };
      if (behaviour === 'silent' || behaviour === 'drips') await later(5);
      const outcome = OUTCOMES[behaviour];
      if (outcome.kind === 'accepted') arrived.push(arrivalOf(mail));
      return outcome;
    },
  };
  const service: Service = { mailer, arrived, behaviour: () => behaviour };
  return {
    mailer: { ...mailer, ...change(service) },
    ...{ arrived, withinMs: WITHIN_MS, secrets: ['hunter2'] },
    recover: () => (behaviour = 'accepts'),
    close: async () => undefined,
  };
}

type Change = (service: Service) => Partial<Mailer>;

const HONEST: Change = () => ({});

/** A mailer that sends a changed mail. */
const sending =
  (changed: (mail: OutgoingMail) => Partial<OutgoingMail>): Change =>
  ({ mailer }) => ({ send: (mail) => mailer.send({ ...mail, ...changed(mail) }) });

/** A mailer whose mails arrive otherwise. */
const arriving =
  (changed: (mail: OutgoingMail, arrived: ArrivedMail) => Partial<ArrivedMail>): Change =>
  ({ mailer, arrived }) => ({
    async send(mail) {
      const before = arrived.length;
      const outcome = await mailer.send(mail);
      const last = arrived[before];
      if (last !== undefined) arrived[before] = { ...last, ...changed(mail, last) };
      return outcome;
    },
  });

/** A mailer that says something else of a server with this behaviour. */
const saying =
  (when: FakeMailServer, said: MailOutcome | (() => Promise<MailOutcome>)): Change =>
  ({ mailer, behaviour }) => ({
    send: async (mail) => {
      if (behaviour() !== when) return mailer.send(mail);
      return typeof said === 'function' ? said() : said;
    },
  });

/** A mailer that fails for good once a try failed. */
const failingForGood: Change = ({ mailer, behaviour }) => {
  let failed = false;
  return {
    send: async (mail) => {
      failed ||= behaviour() !== 'accepts';
      return failed ? OUTCOMES.hangs_up : mailer.send(mail);
    },
  };
};

const ascii = (text: string) => text.replaceAll(/[^\x20-\x7e\n]/g, '?');
const inBody = (change: (text: string) => string) =>
  sending(({ text, html }) => ({ text: change(text), html: change(html) }));
const never = () => new Promise<MailOutcome>(() => undefined);

const BROKEN: readonly (readonly [promise: string, fault: string, change: Change])[] = [
  ['sends a mail once, with every part as given', 'loses the text', sending(() => ({ text: '' }))],
  [
    'sends a mail once, with every part as given',
    'sends it twice',
    ({ mailer }) => ({ send: async (mail) => (await mailer.send(mail), mailer.send(mail)) }),
  ],
  [
    'sends a mail once, with every part as given',
    'throws',
    () => ({ send: () => Promise.reject(new Error('Oops.')) }),
  ],
  [
    'sends no address for answers as given',
    'lets answers go to the sender by a header',
    arriving(({ replyTo, from }) => ({ replyTo: replyTo ?? from.address })),
  ],
  [
    'sends quotes, commas and brackets in the name as given',
    'writes the name as it is',
    arriving(({ from }) => ({ from: { ...from, name: from.name.split(',')[0] ?? '' } })),
  ],
  [
    'sends other letters in the name as given',
    'writes the name in ASCII',
    sending(({ from }) => ({ from: { ...from, name: ascii(from.name) } })),
  ],
  [
    'sends a subject of 1,000 letters as given',
    'cuts it',
    sending(({ subject }) => ({ subject: subject.slice(0, 998) })),
  ],
  [
    'sends a subject of 1,000 other letters as given',
    'encodes a part of a letter',
    sending(({ subject }) => ({ subject: subject.replace(/(?<=.{75})東/u, '\ufffd') })),
  ],
  [
    'sends emoji as given',
    'knows two bytes of a letter',
    inBody((text) => text.replaceAll(/\p{Cs}|[^\0-\uffff]/gu, '?')),
  ],
  ['sends letters from right to left as given', 'sends ASCII', inBody(ascii)],
  ['sends text that looks encoded as given', 'decodes it', inBody((text) => text.replaceAll('&amp;', '&'))],
  [
    'sends lines of 5,000 letters as given',
    'breaks lines',
    inBody((text) => text.replaceAll(/.{998}/g, '$&\n')),
  ],
  [
    'sends lines that begin with dots as given',
    'stuffs no dots',
    inBody((text) => text.replaceAll(/^\./gm, '')),
  ],
  [
    'sends lines that look like headers and commands as given',
    'marks From',
    inBody((text) => text.replaceAll(/^From /gm, '>From ')),
  ],
  [
    'sends spaces at the ends of lines, and tabs as given',
    'trims lines',
    inBody((text) => text.replaceAll(/[ \t]+$/gm, '')),
  ],
  [
    'sends a repeated mail with the same id',
    'makes an id for each try',
    ({ mailer, arrived }) => ({
      send: (mail) => mailer.send({ ...mail, id: `${arrived.length}-${mail.id}` }),
    }),
  ],
  [
    'makes no header, recipient or command of any part of a mail',
    'writes the subject as it is',
    arriving(({ subject }, { headers }) => (/\nBcc/.test(subject) ? { headers: [...headers, 'bcc'] } : {})),
  ],
  [
    'makes no header, recipient or command of any part of a mail',
    'takes recipients from the name',
    arriving(({ from, to }) => ({ to: [to, ...(/Bcc: (\S+)/.exec(from.name)?.slice(1) ?? [])] })),
  ],
  [
    'makes no header, recipient or command of any part of a mail',
    'ends the mail where the text says',
    ({ mailer }) => ({
      send: async (mail) => {
        if (/\n\.\r?\n/.test(mail.text)) await mailer.send(mail);
        return mailer.send(mail);
      },
    }),
  ],
  [
    'makes no header, recipient or command of any part of a mail',
    'lets encoded line breaks through',
    arriving(({ subject }) => (subject.startsWith('=?') ? { subject: 'x\r\nBcc: eve@evil.example' } : {})),
  ],
  [
    'refuses what is not one address, and sends nothing',
    'takes the first of several',
    sending(({ to }) => ({ to: to.split(',')[0] ?? '' })),
  ],
  ['refuses what is not one address, and sends nothing', 'trims', sending(({ to }) => ({ to: to.trim() }))],
  ['says that an address is refused for good', 'tries it again', saying('refuses_address', OUTCOMES.defers)],
  [
    'says that a mail is deferred when the server does not take it for now',
    'refuses it',
    saying('defers', OUTCOMES.refuses_address),
  ],
  [
    'says that a mail is deferred when the server does not take it for now',
    'repeats the subject',
    saying('defers', { kind: 'deferred', reason: 'Not now: Your receipt of March.' }),
  ],
  [
    'is unreachable when the server refuses the sender',
    'refuses the address',
    saying('refuses_sender', OUTCOMES.refuses_address),
  ],
  [
    'is unreachable when the server refuses the log-in',
    'defers it',
    saying('refuses_log_in', OUTCOMES.defers),
  ],
  [
    'is unreachable when the server refuses the log-in',
    'shows the password',
    saying('refuses_log_in', { kind: 'unreachable', reason: 'The password hunter2 is wrong.' }),
  ],
  ['is unreachable when the server does not answer in time', 'waits for ever', saying('silent', never)],
  ['is unreachable when the answer does not end in time', 'waits for ever', saying('drips', never)],
  [
    'is unreachable when the server closes the connection',
    'throws',
    saying('hangs_up', () => Promise.reject(new Error('Closed.'))),
  ],
  [
    'is unreachable when the server speaks another protocol',
    'takes it for success',
    saying('garbage', OUTCOMES.accepts),
  ],
  ...(['never answers', 'answers letter by letter', 'closes connections'] as const).map(
    (what) =>
      [
        `ends every try of many in time when the server ${what}`,
        'tries one after the other',
        ({ mailer }: Service) => {
          let last: Promise<unknown> = Promise.resolve();
          return {
            send: (mail: OutgoingMail) => (last = last.then(() => later(10))).then(() => mailer.send(mail)),
          };
        },
      ] as const,
  ),
  ...[
    ...['refuses an address', 'defers a mail', 'refuses the sender', 'refuses the log-in', 'never answers'],
    ...['answers letter by letter', 'closes connections', 'speaks another protocol'],
  ].map(
    (what) =>
      [
        `sends mails again after a server that ${what} is well again`,
        'keeps a broken connection',
        failingForGood,
      ] as const,
  ),
  [
    'sends many mails at once, each once and unmixed',
    'has one mail of all tries',
    ({ mailer }) => {
      let shared: OutgoingMail;
      return {
        async send(mail) {
          shared = mail;
          await later(1);
          return mailer.send(shared);
        },
      };
    },
  ],
];

type Body = () => Promise<void>;

/** The tests that the kit registers, by the promise that each one checks. */
function kit(change: Change): Map<string, Body> {
  const tests = new Map<string, Body>();
  mailerConformance(
    (name, body) => tests.set(name, body),
    async (behaviour) => openService(behaviour, change),
  );
  return tests;
}

describe('the mailer kit fails on a mailer that', () => {
  it.each(BROKEN)('breaks "%s": %s', async (promise, _, change) => {
    await expect(kit(HONEST).get(promise)?.()).resolves.toBeUndefined();
    await expect(kit(change).get(promise)?.()).rejects.toThrow(
      `The mailer does not keep its promise: ${promise}. `,
    );
  });
});

it('has a broken mailer for every promise of the mailer kit', () => {
  const broken = new Set(BROKEN.map(([promise]) => promise));
  expect([...kit(HONEST).keys()].filter((promise) => !broken.has(promise))).toEqual([]);
});
