import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createFetchSender } from '../web/fetch/fetch-sender.js';
import { createHttpSender } from '../node/http-sender/sender.js';
import { openMisbehavingEndpoint } from '../node/http-sender/tests/misbehaving-endpoint.js';

/** An error page of a server in front of an app, and one that is longer than an excerpt when compressed. */
const PAGE = 'No such route: /webhooks ☕';
const LONG = Array.from({ length: 3_000 }, (_, line) => `${line * 7_919} no such route`).join('\n');
/** Pages that hardly take anything when compressed. */
const EMPTY_PAGE = '<p>502 Bad Gateway</p>\n'.repeat(28_000);
const MANY = Buffer.alloc(40_000_000, 'x');

/** What is compressed, with other bytes in front of its last ones. */
function withBrokenEnd(body: Uint8Array): Uint8Array {
  return body.map((byte, place) => (place > 3_500 ? byte ^ 0x5a : byte));
}

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}
const compressed = (encoding: string, body: Uint8Array): Answer => ({
  headers: { 'content-encoding': encoding },
  body,
});
const typed = (type: string, body: Uint8Array): Answer => ({ headers: { 'content-type': type }, body });
/** "Größe" in the encoding of Western Europe, and "エラー" in one of Japan. */
const LATIN = Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65);
const SHIFT_JIS = Uint8Array.of(0x83, 0x47, 0x83, 0x89, 0x81, 0x5b);

/** What an endpoint answers, and the excerpt of it. Where the platform of `fetch` decides, that differs. */
const ANSWERS: [what: string, answer: Answer, excerpt: string, byFetch?: string][] = [
  ['gzip', compressed('gzip', gzipSync(PAGE)), PAGE],
  ['gzip by its older name', compressed('x-gzip', gzipSync(PAGE)), PAGE],
  ['gzip in capitals', compressed('GZIP', gzipSync(PAGE)), PAGE],
  ['gzip longer than an excerpt', compressed('gzip', gzipSync(LONG)), LONG.slice(0, 1_024)],
  ['deflate', compressed('deflate', deflateSync(PAGE)), PAGE],
  ['deflate without its header', compressed('deflate', deflateRawSync(PAGE)), PAGE],
  ['Brotli', compressed('br', brotliCompressSync(PAGE)), PAGE],
  ['Brotli longer than an excerpt', compressed('br', brotliCompressSync(LONG)), LONG.slice(0, 1_024)],
  ['gzip twice', compressed('gzip, gzip', gzipSync(gzipSync(PAGE))), PAGE],
  ['plain text that is called gzip', compressed('gzip', Buffer.from(PAGE)), PAGE, ''],
  [
    'an encoding that is unknown',
    compressed('compress', Uint8Array.of(31, 157)),
    'An answer that is compressed, and not read: compress',
    '\u001f\uFFFD',
  ],
  ['gzip of 640 kB in a few bytes', compressed('gzip', gzipSync(EMPTY_PAGE)), EMPTY_PAGE.slice(0, 1_024)],
  [
    'deflate of 640 kB in a few bytes',
    compressed('deflate', deflateSync(EMPTY_PAGE)),
    EMPTY_PAGE.slice(0, 1_024),
  ],
  ['Brotli of 40 MB in a few bytes', compressed('br', brotliCompressSync(MANY)), 'x'.repeat(1_024)],
  [
    'gzip of 40 MB in a few bytes, twice',
    compressed('gzip, gzip', gzipSync(gzipSync(MANY))),
    'x'.repeat(1_024),
  ],
  ['gzip whose end is broken', compressed('gzip', withBrokenEnd(gzipSync(LONG))), LONG.slice(0, 1_024)],
  ['Latin-1', typed('text/html; charset=ISO-8859-1', LATIN), 'Größe'],
  ['Shift JIS in quotes', typed('text/html;charset="Shift_JIS"', SHIFT_JIS), 'エラー'],
  ['UTF-8 under the name of nothing', typed('text/html; charset=none', Buffer.from(PAGE)), PAGE],
  ['UTF-8 without a charset', typed('text/html', Buffer.from(PAGE)), PAGE],
];

// deliveries#response-excerpt
describe.each([
  ['node', createHttpSender({ allowPrivate: true }), false],
  ['fetch', createFetchSender({ allowPrivate: true }), true],
] as const)('the sender on %s keeps an answer as text', (_, sender, isFetch) => {
  test.each(ANSWERS)('in %s', async (_what, { headers, body }, excerpt, byFetch) => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 404, headers, body });
    const outcome = await sender.post({ url: endpoint.url, headers: {}, body: '{}', timeoutMs: 20_000 });
    await endpoint.close();
    expect(outcome).toMatchObject({ status: 404, excerpt: isFetch ? (byFetch ?? excerpt) : excerpt });
  });

  test.each([301, 302, 303, 307, 308])('with where %i leads', async (status) => {
    const headers = { location: 'https://www.example.com/webhooks' };
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status, headers, body: 'Moved' });
    const outcome = await sender.post({ url: endpoint.url, headers: {}, body: '{}', timeoutMs: 20_000 });
    await endpoint.close();
    expect(outcome).toEqual({
      kind: 'answered',
      status,
      retryAfter: null,
      location: 'https://www.example.com/webhooks',
      excerpt: 'Moved',
    });
    expect(endpoint.requests).toHaveLength(1);
  });
});
