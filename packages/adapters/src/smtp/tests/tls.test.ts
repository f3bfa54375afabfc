import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { certificateOf } from '../../tests/certificate-of.js';
import { mailersForTests } from './mailers.js';

const mailers = mailersForTests();
afterEach(() => mailers.closeAll());

const VALID = certificateOf('localhost', 2);
const EXPIRED = certificateOf('localhost', -1);
const OTHER = certificateOf('mail.example.com', 2);

type Certificate = typeof VALID;

/** How a server encrypts, and the address by which it is reached. */
const WAYS: readonly (readonly [string, SMTPServerOptions])[] = [
  ['smtps://ada:secret@localhost', { secure: true }],
  ['smtp://ada:secret@localhost', { disabledCommands: [] }],
];

describe.each(WAYS)('over %s', (url, way) => {
  it('a mail and the log-in are encrypted', async () => {
    const secure: boolean[] = [];
    const server = await mailers.serve({
      ...{ ...way, ...VALID, allowInsecureAuth: false },
      onMailFrom(_, session, done) {
        secure.push(session.secure);
        done();
      },
    });
    const options = { url, requireTls: true, tls: { ca: VALID.cert } };
    expect(await mailers.send(server.port, options)).toEqual({ kind: 'accepted' });
    expect([secure, server.logIns]).toEqual([[true], ['ada:secret']]);
  });

  it.each<readonly [string, Certificate, string | undefined, RegExp]>([
    [
      'expired',
      EXPIRED,
      EXPIRED.cert,
      /has a certificate that is not accepted, .*certificate has expired: name an authority/,
    ],
    [
      'is signed by nobody known',
      VALID,
      undefined,
      /that is not accepted, .*self[- ]signed certificate: name/,
    ],
    ['is of another name', OTHER, OTHER.cert, /that is not accepted, .*does not match certificate/],
  ])('a server whose certificate %s gets nothing', async (_, certificate, ca, reason) => {
    const server = await mailers.serve({ ...way, ...certificate });
    const outcome = await mailers.send(server.port, { url, requireTls: true, ...(ca && { tls: { ca } }) });
    expect(outcome).toEqual({ kind: 'unreachable', reason: expect.stringMatching(reason) as string });
    expect([server.arrived, server.logIns]).toEqual([[], []]);
  });

  it('a server without TLS gets nothing', async () => {
    const server = await mailers.serve();
    const outcome = await mailers.send(server.port, { url, requireTls: true });
    const reason =
      /offers no TLS \(STARTTLS\), without which|does not speak TLS at this port from the start: .* begins with smtp:/;
    expect(outcome).toEqual({ kind: 'unreachable', reason: expect.stringMatching(reason) as string });
    expect([server.arrived, server.logIns]).toEqual([[], []]);
  });
});

it('a server that begins with TLS, reached over smtp://, is unreachable', async () => {
  const server = await mailers.serve({ secure: true, ...VALID });
  expect(await mailers.send(server.port, { timeoutMs: 200 })).toEqual({
    kind: 'unreachable',
    reason: expect.stringMatching(/does not greet at this port: .* begins with smtps:/) as string,
  });
});

it('a server that never answers to the beginning of TLS is unreachable in time', async () => {
  const server = await mailers.serve({}, 'silent');
  const outcome = await mailers.send(server.port, { url: 'smtps://localhost', timeoutMs: 200 });
  expect(outcome.kind).toBe('unreachable');
  await expect.poll(() => server.open()).toBe(0);
});

describe('a server on this machine, without `requireTls`,', () => {
  it('gets a mail in plain text', async () => {
    const server = await mailers.serve();
    for (const host of ['localhost', '127.0.0.1'])
      expect(await mailers.send(server.port, { url: `smtp://${host}` })).toEqual({ kind: 'accepted' });
  });

  it('gets it encrypted when it can, with whatever certificate', async () => {
    const server = await mailers.serve({ ...EXPIRED, disabledCommands: [], allowInsecureAuth: false });
    const options = { url: 'smtp://ada:secret@localhost' };
    expect(await mailers.send(server.port, options)).toEqual({ kind: 'accepted' });
    expect(server.logIns).toEqual(['ada:secret']);
  });
});

it('a server on another machine gets nothing in plain text, unless `requireTls` is false', async () => {
  const server = await mailers.serve();
  // A name of this machine that does not look like one.
  const url = 'smtp://[::ffff:127.0.0.1]';
  expect((await mailers.send(server.port, { url })).kind).toBe('unreachable');
  expect(await mailers.send(server.port, { url, requireTls: false })).toEqual({ kind: 'accepted' });
});
