// Heavy: a server of the tests greets each connection after a tenth of a second.

import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { SmtpOptions } from '../options.js';
import { answer } from './fake-mail-server.js';
import { DKIM_KEY, MAIL, mailersForTests } from './mailers.js';

const mailers = mailersForTests();
afterEach(() => mailers.closeAll());

type Step = 'greeting' | 'MAIL' | 'RCPT' | 'DATA';

/** A server that gives this answer at a step. */
const answering = (step: Step, text: string): SMTPServerOptions => ({
  ...(step === 'greeting' && { onConnect: (_, done) => done(answer(text)) }),
  ...(step === 'MAIL' && { onMailFrom: (_, __, done) => done(answer(text)) }),
  ...(step === 'RCPT' && { onRcptTo: (_, __, done) => done(answer(text)) }),
  ...(step === 'DATA' && {
    onData: (stream, _, done) => void stream.resume().on('end', () => done(answer(text))),
  }),
});

/** The outcome of a mail that the server got, and whose answer never came. */
const UNCERTAIN = (port: number) => ({
  kind: 'deferred',
  reason: `The mail server 127.0.0.1:${port} did not say whether it took the mail.`,
});

// mails#refused-address, mails#mail-server-that-fails
describe('an answer of a server', () => {
  it.each<readonly [Step, string, string]>([
    ['greeting', '421 4.3.2 Too busy', 'unreachable'],
    ['greeting', '554 5.7.1 Your address is on a list', 'unreachable'],
    ['MAIL', '550 5.7.1 You may not send as this', 'unreachable'],
    ['MAIL', '530 5.7.0 Authentication required', 'unreachable'],
    ['MAIL', '451 4.3.0 Try again', 'deferred'],
    ['RCPT', '550 No such user here', 'refused'],
    ['RCPT', '551 User not local', 'refused'],
    ['RCPT', '553 Mailbox name not allowed', 'refused'],
    ['RCPT', '550 5.1.1 <ada@customer.example>: Recipient address rejected: User unknown', 'refused'],
    ['RCPT', '550 5.1.10 Recipient not found', 'refused'],
    ['RCPT', '554 5.1.2 Domain not found', 'refused'],
    ['RCPT', '550 5.2.1 The mailbox is disabled', 'refused'],
    ['RCPT', '550 5.1.1 No such user as blocktrades@customer.example', 'refused'],
    // Postfix
    [
      'RCPT',
      '550 5.1.1 <ada@customer.example>: Recipient address rejected: User unknown in relay recipient table',
      'refused',
    ],
    [
      'RCPT',
      '550 <ada@customer.example>: Recipient address rejected: User unknown in virtual mailbox table',
      'refused',
    ],
    ['RCPT', '550 <ada@customer.example>: Recipient address rejected: Access denied', 'deferred'],
    ['RCPT', '550 <ada@customer.example>: Client host rejected: unknown address', 'deferred'],
    // Exim
    ['RCPT', '550 Unrouteable address', 'refused'],
    ['RCPT', '550 Callout verification failed: 550 5.1.1 User unknown', 'refused'],
    ['RCPT', '550 Administrative prohibition', 'deferred'],
    ['RCPT', '550 Access denied', 'deferred'],
    ['RCPT', '550 192.0.2.1 is blacklisted at list.example', 'deferred'],
    // Exchange
    [
      'RCPT',
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      'refused',
    ],
    ['RCPT', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain', 'deferred'],
    ['RCPT', '550 5.4.1 Recipient address rejected: Access denied', 'deferred'],
    // Gmail
    ['RCPT', '550 5.1.1 The email account that you tried to reach does not exist.', 'refused'],
    ['RCPT', '550 5.2.1 The email account that you tried to reach is disabled', 'refused'],
    // qmail
    ['RCPT', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'deferred'],
    ['RCPT', "553 sorry, that domain isn't in my list of allowed rcpthosts", 'deferred'],
    ['RCPT', '550 sorry, no mailbox here by that name. (#5.1.1)', 'refused'],
    ['RCPT', '511 sorry, no mailbox here by that name (#5.1.1 - chkuser)', 'refused'],
    // Sendmail
    ['RCPT', '550 <ada@customer.example>... User unknown', 'refused'],
    ['RCPT', '550 <ada@customer.example>... Relaying denied', 'deferred'],
    // Others
    [
      'RCPT',
      '550 Requested action not taken: mailbox unavailable, see https://mail.example/?client=192.0.2.1',
      'refused',
    ],
    ['RCPT', '550 #5.1.0 Address rejected.', 'refused'],
    ['RCPT', '550 Invalid recipient', 'refused'],
    ['RCPT', "550 <ada@customer.example> doesn't exist", 'refused'],
    ['RCPT', '550 Your account has been disabled', 'deferred'],
    ['RCPT', '550 Mailbox temporarily unavailable', 'deferred'],
    ['RCPT', '550 Domain not verified', 'deferred'],
    ['RCPT', '550 Refused, see mail 5.1.1.9', 'deferred'],
    ['RCPT', '450 4.2.0 Greylisted, try again in five minutes', 'deferred'],
    ['RCPT', '452 4.2.2 The mailbox is full', 'deferred'],
    ['RCPT', '552 5.2.2 The mailbox is full', 'deferred'],
    ['RCPT', '550 5.7.1 Message refused by policy', 'deferred'],
    ['RCPT', '550 relay not permitted', 'deferred'],
    ['RCPT', '554 5.7.1 <ada@customer.example>: Relay access denied', 'deferred'],
    ['RCPT', '550 Sender verify failed', 'deferred'],
    ['RCPT', '553 5.1.8 Domain of sender address does not resolve', 'deferred'],
    ['RCPT', '421 4.7.0 Too many mails, closing', 'unreachable'],
    ['RCPT', '550 Excessive unknown users', 'deferred'],
    ['RCPT', '550 Too many invalid recipients', 'deferred'],
    ['RCPT', '550 Mailbox unavailable: quota exceeded', 'deferred'],
    ['RCPT', '452 4.2.2 The account is over quota. It was sent too many mails', 'deferred'],
    ['RCPT', '450 4.2.1 The user is receiving mail at a rate that prevents this one', 'deferred'],
    ['RCPT', '550 5.2.1 The user is receiving mail at a rate that prevents this one', 'deferred'],
    ['RCPT', '550 5.7.1 The recipient is limited to known senders', 'deferred'],
    ['RCPT', '450 4.7.1 Recipient address rejected: Policy Rejection - Quota Exceeded', 'unreachable'],
    ['RCPT', '450 4.7.1 You sent too many mails', 'unreachable'],
    ['MAIL', '450 4.7.1 Error: too much mail from 192.0.2.1', 'unreachable'],
    ['MAIL', '432 4.3.2 Concurrent connections limit exceeded', 'unreachable'],
    ['MAIL', '452 Message size exceeds the limit', 'deferred'],
    ['DATA', '421 4.7.28 An unusual rate of mail from 192.0.2.1', 'unreachable'],
    ['DATA', '454 Throttling failure: Maximum sending rate exceeded.', 'unreachable'],
    ['DATA', '454 Throttling failure: Daily message quota exceeded.', 'unreachable'],
    ['DATA', '550 5.4.5 Daily user sending quota exceeded.', 'unreachable'],
    ['DATA', '552 5.3.4 The mail is larger than the daily limit', 'deferred'],
    ['DATA', '451 4.7.1 Later, please', 'deferred'],
    ['DATA', '550 Looks like spam', 'deferred'],
    ['DATA', '554 5.7.1 Message rejected', 'deferred'],
    ['DATA', '550 5.1.1 No such user', 'refused'],
  ])('at %s: "%s" is %s, and the mail did not arrive', async (step, text, kind) => {
    const server = await mailers.serve(answering(step, text));
    const outcome = await mailers.send(server.port);
    expect(outcome).toMatchObject({ kind, reason: expect.stringContaining(text.slice(0, 5)) as string });
    expect(server.arrived).toEqual([]);
  });

  it('says where to write the user, when the server wants one and has got none', async () => {
    const server = await mailers.serve(answering('MAIL', '530 5.7.0 Authentication required'));
    expect(await mailers.send(server.port)).toMatchObject({
      reason: expect.stringMatching(
        /: 530 .*\. To log in, write user:password@ into its address\.$/,
      ) as string,
    });
  });

  it('is a part of one sentence that shows no user, address, link or subject, and is not long', async () => {
    const words = `550 5.7.1 ada:secret may not send "${MAIL.subject}"\tto <${MAIL.to}>: https://billing.example/portal/token and ${'more '.repeat(100)}`;
    const server = await mailers.serve(answering('DATA', words));
    const outcome = await mailers.send(server.port, { url: 'smtp://ada:secret@127.0.0.1' });
    expect(outcome).toEqual({
      kind: 'deferred',
      reason: expect.stringMatching(
        /^The mail server 127\.0\.0\.1:\d+ did not take the mail: 550 5\.7\.1 \(hidden\):\(hidden\) may not send "\(hidden\)" to <\(address\)>: \(link\) and (more )+.{0,4}…\.$/,
      ) as string,
    });
  });
});

it.each(['', 'x'])(
  'an answer of many characters of two parts, after "%s", ends with a whole one',
  async (start) => {
    const server = await mailers.serve(answering('DATA', `550 5.7.1 ${start}${'🎉'.repeat(300)}`));
    const outcome = await mailers.send(server.port);
    const reason = expect.stringMatching(/: 550 5\.7\.1 x?(🎉)+…\.$/u) as string;
    expect(outcome).toEqual({ kind: 'deferred', reason });
  },
);

it('a mail that was put off by greylisting is accepted later', async () => {
  let tries = 0;
  const server = await mailers.serve({
    onRcptTo: (_, __, done) => done(++tries === 1 ? answer('450 4.2.0 Greylisted') : null),
  });
  const mailer = mailers.on(server.port);
  expect((await mailer.send(MAIL)).kind).toBe('deferred');
  expect(await mailer.send(MAIL)).toEqual({ kind: 'accepted' });
  expect(server.arrived.map(({ id }) => id)).toEqual([MAIL.id]);
});

describe('a server that dies', () => {
  // mails#mail-that-may-have-arrived
  it('before it answers to the whole mail defers it, and one try sends it once', async () => {
    let mails = 0;
    const server = await mailers.serve({
      onData(stream) {
        stream.resume().on('end', () => {
          mails += 1;
          server.cut();
        });
      },
    });
    expect(await mailers.send(server.port)).toEqual(UNCERTAIN(server.port));
    expect(mails).toBe(1);
  });

  it('while it is sent the mail makes it unreachable', async () => {
    const server = await mailers.serve({
      onData: (stream) => void stream.once('data', () => server.cut()),
    });
    const text = 'x'.repeat(4_000_000);
    expect((await mailers.send(server.port, {}, { text })).kind).toBe('unreachable');
  });

  it('between two mails costs none: the second goes over a new connection', async () => {
    const server = await mailers.serve();
    const mailer = mailers.on(server.port);
    expect(await mailer.send(MAIL)).toEqual({ kind: 'accepted' });
    server.cut();
    expect(await mailer.send(MAIL)).toEqual({ kind: 'accepted' });
    expect([server.arrived.length, server.connections()]).toEqual([2, 2]);
  });

  it('makes it unreachable when nothing listens any more', async () => {
    const server = await mailers.serve();
    await server.close();
    expect(await mailers.send(server.port)).toMatchObject({
      kind: 'unreachable',
      reason: `The mail server 127.0.0.1:${server.port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${server.port}.`,
    });
  });
});

it.each<readonly [string, SMTPServerOptions]>([
  ['MAIL', { onMailFrom: () => undefined }],
  ['RCPT', { onRcptTo: () => undefined }],
])('a server that never answers to %s is unreachable in time', async (_, settings) => {
  const server = await mailers.serve(settings);
  expect(await mailers.send(server.port, { timeoutMs: 600 })).toEqual({
    kind: 'unreachable',
    reason: `The mail server 127.0.0.1:${server.port} did not take the mail in time.`,
  });
  await expect.poll(() => server.open()).toBe(0);
});

// mails#mail-that-may-have-arrived
it.each<readonly [string, Partial<SmtpOptions>]>([
  ['without', {}],
  ['with', { dkim: { domain: 'acme.example', selector: 's1', privateKey: DKIM_KEY.pem } }],
])(
  'a server that does not answer to the whole mail in time defers it, %s a signature',
  async (_, options) => {
    const server = await mailers.serve({ onData: (stream) => void stream.resume() });
    expect(await mailers.send(server.port, { timeoutMs: 500, ...options })).toEqual(UNCERTAIN(server.port));
    await expect.poll(() => server.open()).toBe(0);
  },
);

it('a server that does not read all of the mail in time is unreachable, also with a signature', async () => {
  const server = await mailers.serve({ onData: () => undefined });
  const dkim = { domain: 'acme.example', selector: 's1', privateKey: DKIM_KEY.pem };
  const text = 'x'.repeat(4_000_000);
  expect((await mailers.send(server.port, { timeoutMs: 1_000, dkim }, { text })).kind).toBe('unreachable');
});

it('a server that is slow, but in time, gets the mail', async () => {
  const slowly = (done: () => void) => void setTimeout(done, 50);
  const server = await mailers.serve({
    onConnect: (_, done) => slowly(done),
    onMailFrom: (_, __, done) => slowly(done),
    onRcptTo: (_, __, done) => slowly(done),
  });
  expect(await mailers.send(server.port)).toEqual({ kind: 'accepted' });
});
