import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventExample } from '../../contract/event-examples.js';
import { readSigningSecrets } from './read-signing-secrets.js';
import { verifyWebhook } from './verify-webhook.js';
import { WebhookError } from './webhook-error.js';
import type { RawWebhook } from './webhook-request.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OLD = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const EVENT = eventExample('subscription.renewed');
// Letters of several bytes, of which windows-1252 writes one as a character beyond Latin-1, and a slash.
const SENT = { ...EVENT, data: { ...EVENT.data, external_id: 'Zoë, 10 € / month' } };
const BODY = JSON.stringify(SENT);

const HEADERS = {
  'webhook-id': 'dlv_1',
  'webhook-timestamp': String(NOW.getTime() / 1_000),
  'webhook-signature': `v1,${createHmac('sha256', Buffer.alloc(24, 1))
    .update(`dlv_1.${NOW.getTime() / 1_000}.${BODY}`)
    .digest('base64')}`,
};
const PAIRS = Object.entries(HEADERS);
const CAPITALS = PAIRS.map(([name, value]) => [name.toUpperCase(), value] as const);

/** The outcome of a webhook: `accepted`, or the reason and the sentence of its refusal or of a wrong call. */
async function outcome(request: object, secret: unknown): Promise<string> {
  try {
    const { event } = await verifyWebhook(request as RawWebhook, secret as string, { now: NOW });
    expect(event).toEqual(SENT);
    return 'accepted';
  } catch (error) {
    if (error instanceof WebhookError) return `${error.reason}: ${error.message}`;
    if (error instanceof TypeError) return `wrong call: ${error.message}`;
    throw error;
  }
}

const wrongSecret = (found: string) =>
  `wrong call: Expected a signing secret of the form whsec_<base64>, found ${found}. Pass it as it was shown when the endpoint was made.`;
const NO_SECRET =
  "wrong call: No signing secret was given. Pass the endpoint's secret, or the new and the old one.";

// deliveries#signing-secret-format
describe('a secret', () => {
  test.each<[string, unknown, string]>([
    ['with the line break of a file', `${SECRET}\n`, 'accepted'],
    ['with a line break of Windows', `${SECRET}\r\n`, 'accepted'],
    ['with spaces of a pasted line', `  ${SECRET}\t`, 'accepted'],
    ['with spaces of a chat that nobody sees', `\u00a0${SECRET}\u200b`, 'accepted'],
    ['with the byte order mark of a file', `\ufeff${SECRET}`, 'accepted'],
    ['in the quotes of an env file', `"${SECRET}"`, 'accepted'],
    ['in single quotes, with a line break', `'${SECRET}'\n`, 'accepted'],
    ['as one of two with a comma between', `${OLD},${SECRET}`, 'accepted'],
    ['as one of two with a comma and a space', `"${SECRET}", "${OLD}"`, 'accepted'],
    ['with a comma after it', `${SECRET},`, 'accepted'],
    ['beside one that is not set, as it is empty', [SECRET, ''], 'accepted'],
    [
      'that has a line break inside',
      `${SECRET.slice(0, 20)}\n${SECRET.slice(20)}`,
      wrongSecret('white space inside it'),
    ],
    [
      'whose line break was not read as one',
      `${SECRET}\\n`,
      wrongSecret('the character "\\\\", which base64 does not have'),
    ],
    [
      'in the alphabet of URLs',
      SECRET.replace('A', '-'),
      wrongSecret('the character "-", which base64 does not have'),
    ],
    [
      'of which the end is missing',
      SECRET.slice(0, -2),
      wrongSecret('a key of 22 bytes, where 24 to 64 are expected'),
    ],
    ['of which all but one letter is missing', SECRET.slice(0, 7), wrongSecret('base64 that ends too early')],
    [
      'that was pasted twice',
      `${SECRET}${SECRET}`,
      wrongSecret('the character "_", which base64 does not have'),
    ],
    ['without its beginning', SECRET.slice(6), wrongSecret('a text that does not begin with whsec_')],
    ['with the prefix of signatures', `v1,${SECRET}`, wrongSecret('a text that does not begin with whsec_')],
    ['that is a key of the API', `SUB_${'0'.repeat(43)}`, wrongSecret('a text that begins with SUB_')],
    [
      'that is a variable nobody put in',
      '${WEBHOOK_SECRET}',
      wrongSecret('a text that does not begin with whsec_'),
    ],
    ['read from a file without an encoding', Buffer.from(SECRET), wrongSecret('bytes')],
    ['that is not set', undefined, wrongSecret('undefined')],
    ['that is not set beside one that is', [SECRET, undefined], wrongSecret('undefined')],
    ['that is empty', '', NO_SECRET],
    ['that is empty and was split at commas', [''], NO_SECRET],
    ['that is a line break', '\n', NO_SECRET],
  ])('%s', async (_, secret, expected) => {
    expect(await outcome({ headers: HEADERS, body: BODY }, secret)).toBe(expected);
    // The same at the start of a receiver, before the first delivery.
    const atStart = () => readSigningSecrets(secret as string);
    if (expected === 'accepted') expect(atStart()).toContain(SECRET);
    else expect(atStart).toThrow(new TypeError(expected.replace('wrong call: ', '')));
  });
});

const changed = (how: string) =>
  `forged: The signature is not valid for the body that was passed, and is valid for what was sent before ${how}. Pass the body as it arrived, before anything reads it.`;
const PARSED = changed('it was parsed and printed again');
const LATIN = changed('its characters were read or written in another encoding than UTF-8');
const BASE64 = changed('it was encoded as base64, as some gateways do');
const MARKED = changed('a byte order mark was put in front of it');
const UNKNOWN =
  "forged: No signature of the request is valid. Either the service did not send it, or the secret is another endpoint's, or it was rotated, or the body is not the bytes that were sent.";
const EMPTY =
  'forged: No signature of the request is valid, and its body is empty: something read it before.';
const LOST =
  'forged: No signature of the request is valid, and its body has characters that could not be decoded: it was read in another encoding than UTF-8, or in pieces.';
const NOT_RAW =
  'wrong call: Expected the raw body, a string or bytes. If a JSON parser of your framework runs first, take the body before it.';

/** JSON as Python, PHP and others print it: every character beyond ASCII as an escape. */
const ascii = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

// deliveries#delivery-signature
describe('a body', () => {
  test.each<[string, unknown, string]>([
    ['that is raw text', BODY, 'accepted'],
    ['that is raw bytes', Buffer.from(BODY), 'accepted'],
    ['that is an ArrayBuffer', new TextEncoder().encode(BODY).buffer, 'accepted'],
    ['that was parsed and printed as it was', JSON.stringify(JSON.parse(BODY)), 'accepted'],
    ['printed with indentation', JSON.stringify(SENT, null, 2), PARSED],
    [
      'printed with a space after colons and commas',
      JSON.stringify(SENT, null, 1).replace(/\n */g, ' '),
      PARSED,
    ],
    ['printed in ASCII', ascii(BODY), PARSED],
    ['printed with escaped slashes', BODY.replaceAll('/', '\\/'), PARSED],
    ['with a line break at the end', `${BODY}\n`, PARSED],
    ['printed with indentation, as bytes', Buffer.from(JSON.stringify(SENT, null, 2)), PARSED],
    ['decoded as Latin-1', Buffer.from(BODY).toString('latin1'), LATIN],
    ['decoded as windows-1252', new TextDecoder('windows-1252').decode(Buffer.from(BODY)), LATIN],
    ['decoded as Latin-1 and encoded as UTF-8', Buffer.from(Buffer.from(BODY).toString('latin1')), LATIN],
    ['in base64, as a gateway passes it', Buffer.from(BODY).toString('base64'), BASE64],
    ['in base64, as bytes', Buffer.from(Buffer.from(BODY).toString('base64')), BASE64],
    ['with a byte order mark', `\ufeff${BODY}`, MARKED],
    ['with a byte order mark, as bytes', Buffer.from(`\ufeff${BODY}`), MARKED],
    ['that is empty, because a parser read it', '', EMPTY],
    ['that is empty bytes', new Uint8Array(), EMPTY],
    ['decoded in pieces', BODY.replace('ë', '\ufffd\ufffd'), LOST],
    ['that was cut', BODY.slice(0, -1), UNKNOWN],
    ['whose keys were sorted', JSON.stringify(SENT, Object.keys(SENT).toSorted()), UNKNOWN],
    ['nested deeper than can be printed', '['.repeat(50_000) + ']'.repeat(50_000), UNKNOWN],
    ['that is an object, because a parser read it', SENT, NOT_RAW],
    ['that is bytes printed as JSON', Buffer.from(BODY).toJSON(), NOT_RAW],
    ['that is missing', undefined, NOT_RAW],
    ['that is null, as a gateway passes none', null, NOT_RAW],
    ['that is not awaited', Promise.resolve(BODY), NOT_RAW],
  ])('%s', async (_, body, expected) => {
    expect(await outcome({ headers: HEADERS, body }, SECRET)).toBe(expected);
  });

  test('of another sender is never said to have been changed', async () => {
    for (const body of [
      JSON.stringify(SENT, null, 2),
      Buffer.from(BODY).toString('base64'),
      `\ufeff${BODY}`,
    ]) {
      expect(await outcome({ headers: HEADERS, body }, OLD)).toBe(UNKNOWN);
    }
  });
});

const lacks = (names: string) =>
  `unsigned: The request is not signed: it needs each of the headers webhook-id, webhook-timestamp and webhook-signature once, and ${names} is missing or repeated.`;
const ALL = lacks('webhook-id, webhook-timestamp, webhook-signature');
const NO_HEADERS =
  'wrong call: Expected the headers of the request, found nothing. Pass the request of fetch, or { headers, body }.';

// deliveries#request-headers
describe('headers', () => {
  test.each<[string, unknown, string]>([
    ['of fetch', new Headers(HEADERS), 'accepted'],
    ['of Node', HEADERS, 'accepted'],
    ['in capitals', Object.fromEntries(CAPITALS), 'accepted'],
    [
      'as lists of one, as headersDistinct and gateways have them',
      Object.fromEntries(PAIRS.map(([name, value]) => [name, [value]])),
      'accepted',
    ],
    [
      'as lists of objects, as edge functions have them',
      Object.fromEntries(CAPITALS.map(([key, value]) => [key.toLowerCase(), [{ key, value }]])),
      'accepted',
    ],
    ['as pairs', PAIRS, 'accepted'],
    ['as pairs in capitals', CAPITALS, 'accepted'],
    ['as an iterator of pairs', new Headers(HEADERS).entries(), 'accepted'],
    ['as a flat list, which is rawHeaders', CAPITALS.flat(), 'accepted'],
    ['as a Map', new Map(PAIRS), 'accepted'],
    ['as a Map in capitals', new Map(CAPITALS), 'accepted'],
    ['with nothing but get', { get: (name: string) => new Headers(HEADERS).get(name) }, 'accepted'],
    ['of which a proxy took one', { ...HEADERS, 'webhook-signature': undefined }, lacks('webhook-signature')],
    ['of which one is empty', { ...HEADERS, 'webhook-id': '' }, lacks('webhook-id')],
    ['of which one came twice', { ...HEADERS, 'webhook-id': ['a', 'b'] }, lacks('webhook-id')],
    ['of which one came twice in a flat list', [...PAIRS.flat(), 'Webhook-Id', 'b'], lacks('webhook-id')],
    ['of another request', { 'content-type': 'application/json' }, ALL],
    ['that are empty', {}, ALL],
    ['that are missing', undefined, NO_HEADERS],
    ['that are null', null, NO_HEADERS],
    [
      'that are not awaited',
      Promise.resolve(HEADERS),
      'wrong call: Expected the headers of the request, found a promise: await it.',
    ],
  ])('%s', async (_, headers, expected) => {
    expect(await outcome({ headers, body: BODY }, SECRET)).toBe(expected);
  });

  test('of a framework whose own request was passed', async () => {
    const request = { raw: {}, header: () => null, arrayBuffer: async () => new ArrayBuffer() };
    expect(await outcome(request, SECRET)).toBe(NO_HEADERS);
  });
});
