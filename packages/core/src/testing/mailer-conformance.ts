import type { Mailer, MailOutcome, OutgoingMail } from '../ports/mailer.js';
import { expectEqual, expectThat } from './expect.js';
import { promiseTest } from './promise-test.js';
import type { TestFunction } from './test-function.js';

/** The behaviour of a fake mail server at every mail. */
export type FakeMailServer =
  /** Takes it. */
  | 'accepts'
  /** Refuses its recipient for good, with words that name him. */
  | 'refuses_address'
  /** Does not take it for now, with words that repeat its subject. */
  | 'defers'
  /** Refuses the sender. */
  | 'refuses_sender'
  /** Refuses the log-in, with words that name who logs in. */
  | 'refuses_log_in'
  /** Accepts the connection and never answers. */
  | 'silent'
  /** Answers letter by letter, without an end. */
  | 'drips'
  /** Closes the connection without an answer. */
  | 'hangs_up'
  /** Answers something that is not of its protocol. */
  | 'garbage';

/** A mail as the fake server took it, decoded. */
export interface ArrivedMail {
  /** Its `Message-ID`, without the angle brackets. */
  readonly id: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Everyone to whom it goes, as the protocol says, whatever its headers say. */
  readonly to: readonly string[];
  /** Null for answers to the sender. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The names of its headers in lowercase, of its parts too; none when the server takes no headers. */
  readonly headers: readonly string[];
}

/**
 * The parts that the author of a `Mailer` provides for each test: a fake of the mail server on this machine,
 * and the mailer that sends to it. The repository of Subrail has such a server of SMTP to copy:
 * `packages/adapters/src/smtp/tests/fake-mail-server.ts`.
 */
export interface MailerUnderTest {
  /** The mailer, with time-outs that are as short as a busy machine allows. */
  readonly mailer: Mailer;
  /** How long a try of it may take, in milliseconds. In production it is a minute. */
  readonly withinMs: number;
  /** Texts of its settings that no reason may show, such as the user and the password of the server. */
  readonly secrets: readonly string[];
  /** Every mail that the server took so far. */
  readonly arrived: readonly ArrivedMail[];
  /** Lets the server take every later mail. */
  recover(): void;
  /** Stops the server and the mailer. Called at the end of each test. */
  close(): Promise<void>;
}

const MAIL: OutgoingMail = {
  id: 'mail_1@billing.example',
  from: { name: 'Acme', address: 'billing@acme.example' },
  to: 'ada@customer.example',
  replyTo: 'help@acme.example',
  subject: 'Your receipt of March',
  text: 'Thank you.\n\nYour receipt: https://billing.example/portal\n',
  html: '<p>Thank you.</p>\n<p><a href="https://billing.example/portal">Your receipt</a></p>\n',
};

/** Contents that arrive as they are. */
const CONTENTS: readonly (readonly [string, Partial<OutgoingMail>])[] = [
  ['no address for answers', { replyTo: null }],
  ['quotes, commas and brackets in the name', { from: { name: 'Acme, "Pro" <ops> (EU); a@b', ...FROM() } }],
  ['other letters in the name', { from: { name: 'Bücher 📚 東京', ...FROM() } }],
  ['a subject of 1,000 letters', { subject: 'Receipt '.repeat(125).trim() }],
  ['a subject of 1,000 other letters', { subject: 'Überweisung né 東京'.repeat(55) }],
  ['emoji', content('Paid 🎉 👩‍👩‍👧 🇯🇵')],
  ['letters from right to left', content('שולם עבור Pro — تم الدفع')],
  ['text that looks encoded', content('=3D =20 =\\r %0A &amp; \\u0041')],
  ['lines of 5,000 letters', { text: 'long '.repeat(1_000).trim(), html: `<p>${'x'.repeat(5_000)}</p>` }],
  ['lines that begin with dots', lines('.\n..\n.a\n\n.\nQUIT\n.\nend')],
  ['lines that look like headers and commands', lines('From me\nBcc: b@c.example\n\nRCPT TO:<b@c.example>')],
  ['spaces at the ends of lines, and tabs', lines('a  \n\tb\t\n c')],
];

function FROM() {
  return { address: MAIL.from.address };
}

function content(text: string): Partial<OutgoingMail> {
  return { from: { ...FROM(), name: text }, subject: text, text: `${text}\n`, html: `<p>${text}</p>\n` };
}

function lines(text: string): Partial<OutgoingMail> {
  return { text, html: `<pre>\n${text}\n</pre>` };
}

/** Texts that would be headers, recipients or commands, if they were written as they are, or decoded so. */
const LINE_BREAKS = ['\r\n', '\n', '\r', '\u2028', '\0\r\n', '>\r\n', '"\r\n'];
const INTRUSIONS = LINE_BREAKS.flatMap((end) => [
  `x${end}Bcc: eve@evil.example`,
  `x${end}X-Evil: 1${end}${end}<p>evil</p>`,
  `x${end}.${end}MAIL FROM:<eve@evil.example>${end}RCPT TO:<eve@evil.example>${end}DATA${end}evil${end}.${end}`,
]).concat('=?utf-8?q?x=0D=0ABcc:_eve@evil.example?=');

/** Texts that are not one address. */
const NOT_ONE_ADDRESS = [
  ...['', ' ', 'ada', '@customer.example', 'ada@', 'ada@customer.example, eve@evil.example'],
  ...['ada@customer.example;eve@evil.example', 'ada@customer.example eve@evil.example'],
  ...[
    'Ada <ada@customer.example>',
    '<ada@customer.example>',
    'ada@customer.example>',
    '"ada"@customer.example',
  ],
  ...['eve@evil.example@customer.example', 'ada@[127.0.0.1]', 'ada@customer.example(eve@evil.example)'],
  ...[
    'ada @customer.example',
    'ada@customer.example ',
    'ada\t@customer.example',
    'ada\u0000@customer.example',
  ],
  ...['list:ada@customer.example;', `${'a'.repeat(250)}@customer.example`],
  ...INTRUSIONS.map((text) => `ada@customer.example${text}`),
  ...INTRUSIONS.map((text) => `${text}@customer.example`),
];

/** What each behaviour of a server makes of a mail. */
const OUTCOMES: readonly (readonly [string, FakeMailServer, MailOutcome['kind']])[] = [
  ['says that an address is refused for good', 'refuses_address', 'refused'],
  ['says that a mail is deferred when the server does not take it for now', 'defers', 'deferred'],
  ['is unreachable when the server refuses the sender', 'refuses_sender', 'unreachable'],
  ['is unreachable when the server refuses the log-in', 'refuses_log_in', 'unreachable'],
  ['is unreachable when the server does not answer in time', 'silent', 'unreachable'],
  ['is unreachable when the answer does not end in time', 'drips', 'unreachable'],
  ['is unreachable when the server closes the connection', 'hangs_up', 'unreachable'],
  ['is unreachable when the server speaks another protocol', 'garbage', 'unreachable'],
];

/**
 * The conformance kit of the `Mailer` port: registers one test for each promise. `open` starts a server with
 * the given behaviour, and returns it with the mailer to test. The error of a failed test begins with the
 * promise that the mailer does not keep.
 *
 * @example
 * mailerConformance(test, async (behaviour) => {
 *   const server = await openFakeMailService(behaviour);
 *   const mailer = new MyMailer({ url: server.url, key: 'KEY', timeoutMs: 500 });
 *   return { ...server, mailer, withinMs: 2_000, secrets: ['KEY'] };
 * });
 */
export function mailerConformance(
  test: TestFunction,
  open: (behaviour: FakeMailServer) => Promise<MailerUnderTest>,
): void {
  const against = (
    promise: string,
    behaviour: FakeMailServer,
    check: (underTest: MailerUnderTest) => Promise<void>,
  ) => promiseTest(test, 'The mailer', promise, () => open(behaviour), check);

  against('sends a mail once, with every part as given', 'accepts', expectArrival({}));
  for (const [what, part] of CONTENTS) against(`sends ${what} as given`, 'accepts', expectArrival(part));

  against('sends a repeated mail with the same id', 'accepts', async (underTest) => {
    for (const time of [1, 2]) expectAccepted(await trySending(underTest, {}), `time ${time}`);
    const ids = underTest.arrived.map(({ id }) => id);
    expectEqual(ids, [MAIL.id, MAIL.id], 'the ids that arrived');
  });

  against('makes no header, recipient or command of any part of a mail', 'accepts', async (underTest) => {
    expectAccepted(await trySending(underTest, {}), 'a plain mail');
    const [plain] = underTest.arrived;
    for (const [part, change] of PARTS)
      for (const intrusion of INTRUSIONS) {
        const before = underTest.arrived.length;
        // A mail that cannot be sent as it is may be refused too.
        const { kind } = await trySending(underTest, change(intrusion));
        const what = `${JSON.stringify(intrusion)} as ${part}`;
        const more = underTest.arrived.slice(before);
        expectEqual(more.length, kind === 'accepted' ? 1 : 0, `how many mails arrived of ${what}`);
        for (const { to, from, subject, headers } of more) {
          expectEqual(to, [MAIL.to], `the recipients of ${what}`);
          const oneLine = [from.name, subject].every((text) => !/[\r\n\0]/.test(text));
          expectThat(oneLine, `the name and the subject to be one line of ${what}`, from.name, subject);
          const added = headers.filter((name) => !plain?.headers.includes(name));
          // An encoding of the text, or an address for answers less, adds none of these.
          expectEqual(added, [], `the headers that are added by ${what}`);
        }
      }
  });

  against('refuses what is not one address, and sends nothing', 'accepts', async (underTest) => {
    for (const to of NOT_ONE_ADDRESS)
      expectEqual((await trySending(underTest, { to })).kind, 'refused', `the outcome of "${to}"`);
    expectEqual(underTest.arrived, [], 'what arrived');
  });

  for (const [promise, behaviour, kind] of OUTCOMES) {
    against(promise, behaviour, async (underTest) => {
      const outcome = await trySending(underTest, {});
      expectEqual(outcome.kind, kind, 'the outcome');
      expectReason(outcome, underTest.secrets);
      expectEqual(underTest.arrived, [], 'what arrived');
    });
  }

  for (const behaviour of ['silent', 'drips', 'hangs_up'] as const)
    against(
      `ends every try of many in time when the server ${VERBS[behaviour]}`,
      behaviour,
      async (underTest) => {
        const tries = Array.from({ length: 20 }, () => trySending(underTest, {}));
        const kinds = new Set((await Promise.all(tries)).map(({ kind }) => kind));
        expectEqual([...kinds], ['unreachable'], 'the outcomes');
      },
    );

  for (const [, behaviour] of OUTCOMES)
    against(
      `sends mails again after a server that ${VERBS[behaviour]} is well again`,
      behaviour,
      async (underTest) => {
        await trySending(underTest, {});
        underTest.recover();
        expectAccepted(await trySending(underTest, { id: 'mail_2@billing.example' }), 'the next mail');
        expectEqual(
          underTest.arrived.map(({ id }) => id),
          ['mail_2@billing.example'],
          'the ids that arrived',
        );
      },
    );

  against('sends many mails at once, each once and unmixed', 'accepts', async (underTest) => {
    const mails = Array.from({ length: 40 }, (_, index) => ({
      ...{ id: `mail_${index}@billing.example`, to: `customer-${index}@customer.example` },
      ...{ subject: `Receipt ${index}`, text: `Receipt ${index}\n`, html: `<p>Receipt ${index}</p>\n` },
    }));
    const outcomes = await Promise.all(mails.map((mail) => trySending(underTest, mail)));
    for (const outcome of outcomes) expectAccepted(outcome, 'a mail of many');
    const key = ({
      id,
      to,
      subject,
      text,
      html,
    }: Omit<OutgoingMail, 'to' | 'from' | 'replyTo'> & { to: unknown }) =>
      JSON.stringify([id, to, subject, lineByLine(text), lineByLine(html)]);
    expectEqual(
      underTest.arrived.map(key).toSorted(),
      mails.map((mail) => key({ ...mail, to: [mail.to] })).toSorted(),
      'what arrived',
    );
  });
}

const VERBS: Readonly<Record<FakeMailServer, string>> = {
  accepts: 'accepts mails',
  refuses_address: 'refuses an address',
  defers: 'defers a mail',
  refuses_sender: 'refuses the sender',
  refuses_log_in: 'refuses the log-in',
  silent: 'never answers',
  drips: 'answers letter by letter',
  hangs_up: 'closes connections',
  garbage: 'speaks another protocol',
};

/** Every part of a mail, with a mail whose part is the given text. */
const PARTS: readonly (readonly [string, (text: string) => Partial<OutgoingMail>])[] = [
  ['the id', (text) => ({ id: text })],
  ['the name of the sender', (text) => ({ from: { ...FROM(), name: text } })],
  [
    'the address of the sender',
    (text) => ({ from: { ...MAIL.from, address: `billing@acme.example${text}` } }),
  ],
  ['the address for answers', (text) => ({ replyTo: `help@acme.example${text}` })],
  ['the subject', (text) => ({ subject: text })],
  ['the text', (text) => ({ text })],
  ['the html', (text) => ({ html: text })],
];

/** Sends a mail that differs from the usual one, and fails when that throws or takes too long. */
async function trySending(
  { mailer, withinMs }: MailerUnderTest,
  part: Partial<OutgoingMail>,
): Promise<MailOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  const sent = Promise.resolve(mailer.send({ ...MAIL, ...part })).catch((error: unknown) => String(error));
  const outcome = await Promise.race([sent, late]);
  clearTimeout(timer);
  expectThat(outcome !== null, `the try to end within ${withinMs} ms`);
  if (typeof outcome !== 'string') return outcome;
  throw new Error(`Expected an outcome; send rejected with ${outcome}.`);
}

const lineByLine = (text: string) => text.replaceAll('\r\n', '\n').replace(/\n+$/, '');

/** A check that one mail arrives as it was given, but for the kind of line breaks, and those at the end. */
function expectArrival(part: Partial<OutgoingMail>) {
  return async (underTest: MailerUnderTest): Promise<void> => {
    expectAccepted(await trySending(underTest, part), 'the mail');
    const expected = { ...MAIL, ...part };
    const [first, ...others] = underTest.arrived;
    expectThat(first !== undefined && others.length === 0, 'one mail to arrive', underTest.arrived.length);
    const { id, from, to, replyTo, subject, text, html } = first;
    expectEqual(
      { id, from, to, replyTo, subject, text: lineByLine(text), html: lineByLine(html) },
      { ...expected, to: [expected.to], text: lineByLine(expected.text), html: lineByLine(expected.html) },
      'what arrived',
    );
  };
}

function expectAccepted(outcome: MailOutcome, what: string): void {
  expectEqual(outcome, { kind: 'accepted' }, `the outcome of ${what}`);
}

/** Fails unless the reason is one short sentence without what operators should not see. */
function expectReason(outcome: MailOutcome, secrets: readonly string[]): void {
  const reason = outcome.kind === 'accepted' ? '' : outcome.reason;
  expectThat(/^[^\p{Cc}]{3,500}\.$/u.test(reason), 'a reason of one line that ends with a full stop', reason);
  const shown = [...secrets, MAIL.to, MAIL.subject].find((secret) => reason.includes(secret));
  expectThat(shown === undefined, `a reason without "${shown ?? ''}"`, reason);
}
