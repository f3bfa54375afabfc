import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { openSmtpMailer } from '../index.js';
import type { SmtpOptions } from '../options.js';
import { DKIM_KEY, MAIL, mailersForTests } from './mailers.js';

const mailers = mailersForTests();
afterEach(() => mailers.closeAll());

const header = (raw: string, name: string) =>
  new RegExp(`^${name}: ([^]*?)\r\n(?![ \t])`, 'im').exec(raw)?.[1]?.replaceAll(/\r\n(?=[ \t])/g, '');

// mails#same-message-at-every-try
it('a mail has its id, says that a program wrote it, and is text and HTML', async () => {
  const server = await mailers.serve();
  await mailers.send(server.port);
  const raw = server.arrived[0]?.raw ?? '';
  const names = ['Message-ID', 'Auto-Submitted', 'X-Auto-Response-Suppress', 'Reply-To', 'X-Mailer'];
  expect(names.map((name) => header(raw, name))).toEqual([
    ...['<mail_1@billing.example>', 'auto-generated', 'OOF, AutoReply', undefined, undefined],
  ]);
  expect(header(raw, 'Content-Type')).toMatch(/^multipart\/alternative;/);
  expect(raw.match(/^Content-Type: text\/\w+; charset=utf-8/gm)).toEqual([
    ...['Content-Type: text/plain; charset=utf-8', 'Content-Type: text/html; charset=utf-8'],
  ]);
});

it('no text of a mail is read from a file or an address', async () => {
  const server = await mailers.serve();
  const path = { path: '/etc/hosts' } as unknown as string;
  const href = { href: `http://127.0.0.1:${server.port}/` } as unknown as string;
  for (const text of [path, href]) {
    expect((await mailers.send(server.port, {}, { text })).kind).not.toBe('accepted');
    expect((await mailers.send(server.port, {}, { html: text })).kind).not.toBe('accepted');
  }
  expect(server.arrived).toEqual([]);
});

// mails#nothing-of-a-stranger-in-a-header
it('an address, a sender and an address for answers that are not one are told apart without a connection', async () => {
  const server = await mailers.serve();
  const wrong = 'ada@customer.example, eve@evil.example';
  const outcomes = [{ to: wrong }, { from: { name: 'Acme', address: wrong } }, { replyTo: wrong }].map(
    (mail) => mailers.send(server.port, {}, mail),
  );
  const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind);
  expect([kinds, server.connections()]).toEqual([['refused', 'unreachable', 'deferred'], 0]);
});

it('a wrong password makes the server unreachable, and is not shown', async () => {
  const server = await mailers.serve({
    onAuth: (_, __, done) => done(null, { message: 'ada, secret is wrong' }),
  });
  expect(await mailers.send(server.port, { url: 'smtp://ada:secret@127.0.0.1' })).toEqual({
    kind: 'unreachable',
    reason: `The mail server 127.0.0.1:${server.port} refused the log-in with 535: look at the user and the password in its address.`,
  });
});

it('a user and a password with every character log in', async () => {
  const server = await mailers.serve();
  const [user, password] = ['ada@acme.example', 'p@ss/w:rd?#%é'];
  const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1`;
  expect(await mailers.send(server.port, { url })).toEqual({ kind: 'accepted' });
  expect(server.logIns).toEqual([`${user}:${password}`]);
});

describe('the pool', () => {
  it('sends many mails over no more connections than it may have', async () => {
    const server = await mailers.serve();
    const mailer = mailers.on(server.port, { poolSize: 3 });
    const sent = Array.from({ length: 60 }, (_, index) =>
      mailer.send({ ...MAIL, id: `mail_${index}@acme.example` }),
    );
    expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(new Set(server.arrived.map(({ id }) => id)).size).toBe(60);
    expect(server.connections()).toBe(3);
  });

  it('uses a connection again for a later mail', async () => {
    const server = await mailers.serve();
    const mailer = mailers.on(server.port);
    for (let each = 0; each < 3; each += 1) await mailer.send(MAIL);
    expect([server.arrived.length, server.connections()]).toEqual([3, 1]);
  });

  it('ends a connection whose server is silent', async () => {
    const server = await mailers.serve({}, 'silent');
    await mailers.send(server.port, { timeoutMs: 100 });
    await expect.poll(() => server.open()).toBe(0);
  });
});

describe('close', () => {
  it('ends idle connections, and later mails are unreachable', async () => {
    const server = await mailers.serve();
    const mailer = mailers.on(server.port);
    await mailer.send(MAIL);
    mailer.close();
    await expect.poll(() => server.open()).toBe(0);
    expect((await mailer.send(MAIL)).kind).toBe('unreachable');
    expect([server.arrived.length, server.connections()]).toEqual([1, 1]);
  });

  it('ends mails that are being sent and those that wait for a connection', async () => {
    let read = 0;
    const server = await mailers.serve({
      onData: (stream) => void stream.resume().on('end', () => (read += 1)),
    });
    const mailer = mailers.on(server.port, { poolSize: 1 });
    const sent = [mailer.send(MAIL), mailer.send(MAIL)];
    await expect.poll(() => read).toBe(1);
    mailer.close();
    expect((await Promise.all(sent)).map(({ kind }) => kind)).toEqual(['deferred', 'unreachable']);
    await expect.poll(() => server.open()).toBe(0);
  });
});

describe('a signature of DKIM', () => {
  const { pem, publicKey } = DKIM_KEY;

  /** The canonical form `relaxed` of a header, and of a body (RFC 6376, 3.4). */
  const relaxedHeader = (name: string, value: string) =>
    `${name.toLowerCase()}:${value.replaceAll(/[ \t\r\n]+/g, ' ').trim()}`;
  const relaxedBody = (body: string) =>
    `${body
      .replaceAll(/[ \t]+(?=\r\n)/g, '')
      .replaceAll(/[ \t]+/g, ' ')
      .replace(/(\r\n)*$/, '')}\r\n`;

  it.each([
    ['plain text', {}],
    [
      'other letters and dots',
      { subject: 'Überweisung 東京 🎉', text: '.\n..\n  zwei  \n東京\n\n\n', html: '<p>é</p>' },
    ],
  ])('verifies on a mail of %s', async (_, mail) => {
    const server = await mailers.serve();
    const dkim = { domain: 'acme.example', selector: 's1', privateKey: pem };
    await mailers.send(server.port, { dkim }, mail);
    const raw = server.arrived[0]?.raw ?? '';
    const signature = header(raw, 'DKIM-Signature') ?? '';
    const field = (name: string) =>
      new RegExp(`\\b${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? '';
    const body = relaxedBody(raw.slice(raw.indexOf('\r\n\r\n') + 4));
    expect(['d', 's', 'a', 'c'].map(field)).toEqual(['acme.example', 's1', 'rsa-sha256', 'relaxed/relaxed']);
    expect(createHash('sha256').update(body).digest('base64')).toBe(field('bh'));
    const names = field('h').split(':');
    expect(names.map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining(['from', 'to', 'subject', 'message-id']),
    );
    const present = names.filter((name) => header(raw, name) !== undefined);
    const signed = [
      ...present.map((name) => `${relaxedHeader(name, header(raw, name) ?? '')}\r\n`),
      relaxedHeader('dkim-signature', signature.replace(/\bb=[^;]*/, 'b=')),
    ].join('');
    expect(createVerify('RSA-SHA256').update(signed).verify(publicKey, field('b'), 'base64')).toBe(true);
  });

  it.each([
    ['no key', { privateKey: 'secret' }],
    [
      'another kind of key',
      {
        privateKey: generateKeyPairSync('ed25519')
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      },
    ],
    ['no domain', { domain: 'acme example' }],
    ['no selector', { selector: '' }],
  ])('is refused with %s', (_, wrong) => {
    const dkim = { domain: 'acme.example', selector: 's1', privateKey: pem, ...wrong };
    expect(() => openSmtpMailer({ url: 'smtps://mail.example.com', dkim })).toThrow(
      'The option "dkim" of a mailer must have a domain, a selector and a private RSA key of 1,024 bits or more in PEM as "privateKey".',
    );
  });
});

describe('options that cannot be used are refused, without the address', () => {
  it.each([
    ...[
      '',
      'mail.example.com',
      'https://ada:secret@mail.example.com',
      'smtp://',
      'smtp://ada:se/cret@mail.example.com',
    ],
    ...['smtp://ada:secret@', 'smtp://ada:secret@mail.example.com:port'],
    ...['smtp://ada:secret@mail.example.com/secret', 'smtp://ada:secret@mail.example.com?secret=1'],
    ...[
      'smtp://ada:secret@mail.example.com#secret',
      'smtp://ada@mail.example.com',
      'smtp://ada:secret%@mail.example.com',
    ],
  ])('"%s"', (url) => {
    const opening = () => openSmtpMailer({ url });
    expect(opening).toThrow(/^The address of the mail server (is not like|goes on|has only one|has a %)/);
    expect(opening).not.toThrow(/secret|ada/);
  });

  it.each<readonly [string, object]>([
    ['The option "timeoutMs" of a mailer must be a whole number from 1 to 60000.', { timeoutMs: 60_001 }],
    ['The option "poolSize" of a mailer must be a whole number from 1 to 1000.', { poolSize: 0 }],
    [
      'A mailer has no option "password". Its options are: url, requireTls, tls, dkim, poolSize, timeoutMs.',
      { password: 'secret' },
    ],
  ])('%s', (sentence, wrong) => {
    const options: SmtpOptions = { url: 'smtps://mail.example.com', ...wrong };
    expect(() => openSmtpMailer(options)).toThrow(sentence);
  });
});
