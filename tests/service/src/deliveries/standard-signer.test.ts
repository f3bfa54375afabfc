import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookError } from '@subrail/core/webhooks';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'subscription.renewed',
  created_at: '2026-10-02T08:29:59.000Z',
  network: 'devnet',
  api_version: '2026-10-02',
  sequence: 3,
  data: { id: 'sub_1', external_id: 'Zoë 🎟️ 顧客' },
  detail: {},
});

interface Signed {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
}

/** A webhook that the reference library of Standard Webhooks signed. */
function signed({ secret = SECRET, id = 'msg_2b', at = NOW, body = BODY } = {}) {
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
  };
}

const GOOD = signed();
const SIGNATURE = GOOD.headers['webhook-signature'];
const FOREIGN = signed({ secret: OTHER }).headers['webhook-signature'];
const after = (seconds: number) => signed({ at: new Date(NOW.getTime() + seconds * 1_000) });
const withHeaders = (headers: Signed['headers']): Signed => ({
  ...GOOD,
  headers: { ...GOOD.headers, ...headers },
});
const withSignature = (value: string | readonly string[]) => withHeaders({ 'webhook-signature': value });

/** `accepted`, or the reason of the refusal. */
const verdict = (received: Signed): Promise<string> =>
  verifyWebhook(received, SECRET).then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof WebhookError) return error.reason;
      throw error;
    },
  );

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => vi.useRealTimers());

// deliveries#delivery-signature
describe('verifyWebhook judges what the reference library signed', () => {
  test.each<readonly [what: string, received: Signed, verdict: string]>([
    ['as it was signed', GOOD, 'accepted'],
    ['with a body of bytes', { ...GOOD, body: Buffer.from(BODY) }, 'accepted'],
    ['with an empty body', signed({ body: '' }), 'unreadable'],
    ['with a body that is no event', signed({ body: '{"hello":"world"}' }), 'unreadable'],

    ['with one byte changed', { ...GOOD, body: BODY.replace('sub_1', 'sub_2') }, 'forged'],
    ['with a letter in another normal form', { ...GOOD, body: BODY.normalize('NFD') }, 'forged'],
    ['with a newline at the end', { ...GOOD, body: `${BODY}\n` }, 'forged'],
    [
      'parsed and written again',
      { ...GOOD, body: JSON.stringify(JSON.parse(BODY) as unknown, null, 1) },
      'forged',
    ],
    ['with another id', withHeaders({ 'webhook-id': 'msg_2c' }), 'forged'],
    ['with another time', withHeaders({ 'webhook-timestamp': String(NOW.getTime() / 1_000 + 1) }), 'forged'],
    ['by another secret', signed({ secret: OTHER }), 'forged'],

    ['5 minutes ago', after(-300), 'accepted'],
    ['5 minutes and a second ago', after(-301), 'stale'],
    ['a day ago', after(-86_400), 'stale'],
    ['for 5 minutes ahead', after(300), 'accepted'],
    ['for 5 minutes and a second ahead', after(301), 'stale'],

    ['after a foreign signature', withSignature(`${FOREIGN} ${SIGNATURE}`), 'accepted'],
    ['before a foreign signature', withSignature(`${SIGNATURE} ${FOREIGN}`), 'accepted'],
    ['twice', withSignature(`${SIGNATURE} ${SIGNATURE}`), 'accepted'],
    [
      'after a signature of another version',
      withSignature(`v1a,${SIGNATURE.slice(3)} ${SIGNATURE}`),
      'accepted',
    ],
    ['between spaces', withSignature(`  ${SIGNATURE}  `), 'accepted'],
    ['in another version only', withSignature(`v2,${SIGNATURE.slice(3)}`), 'forged'],
    ['without its version', withSignature(SIGNATURE.slice(3)), 'forged'],
    ['without its padding', withSignature(SIGNATURE.replace('=', '')), 'forged'],
    ['with a comma between two', withSignature(`${FOREIGN},${SIGNATURE}`), 'forged'],
    ['without a signature in the header', withSignature(' '), 'forged'],
    ['with an empty signature', withSignature(''), 'unsigned'],
    ['with two signature headers', withSignature([FOREIGN, SIGNATURE]), 'unsigned'],

    [
      'with capital header names',
      {
        ...GOOD,
        headers: Object.fromEntries(
          Object.entries(GOOD.headers).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      },
      'accepted',
    ],
    ['without an id', withHeaders({ 'webhook-id': undefined }), 'unsigned'],
    ['with an id of dots', signed({ id: 'a.b.1790929800.c' }), 'accepted'],
    ['without a time', withHeaders({ 'webhook-timestamp': undefined }), 'unsigned'],
    ['with a time in words', withHeaders({ 'webhook-timestamp': 'now' }), 'forged'],
    [
      'with a fraction of a second',
      withHeaders({ 'webhook-timestamp': `${NOW.getTime() / 1_000}.5` }),
      'forged',
    ],
    [
      'with text behind the time',
      withHeaders({ 'webhook-timestamp': `${NOW.getTime() / 1_000}s` }),
      'forged',
    ],
    [
      'with headers of another scheme only',
      {
        ...GOOD,
        headers: Object.fromEntries(
          Object.entries(GOOD.headers).map(([name, value]) => [name.replace('webhook', 'svix'), value]),
        ),
      },
      'unsigned',
    ],
  ])('%s', async (_, received, expected) => {
    expect(await verdict(received)).toBe(expected);
  });

  test('as the library itself does, whatever the signatures, the time and the body', async () => {
    const part = fc.constantFrom('own', 'own', 'foreign', 'cut', 'v1,', 'v1', 'v1a,AAAA', '', 'x');
    const seconds = fc.oneof(fc.integer({ min: -330, max: 330 }), fc.constantFrom(-86_400, 86_400));
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        seconds,
        fc.constantFrom('', '', '', ' ', '\u0000', '\ufeff'),
        async (parts, offset, suffix) => {
          const moved = after(offset);
          const own = moved.headers['webhook-signature'];
          const named: Readonly<Record<string, string>> = { own, foreign: FOREIGN, cut: own.slice(0, -1) };
          const headers = {
            ...moved.headers,
            'webhook-signature': parts.map((one) => named[one] ?? one).join(' '),
          };
          const body = BODY + suffix;
          const accepts = () => new Webhook(SECRET).verify(body, headers, { jsonParse: false });
          if ((await verdict({ headers, body })) === 'accepted') expect(accepts).not.toThrow();
          else expect(accepts).toThrow();
        },
      ),
      { numRuns: 200 },
    );
  });
});
