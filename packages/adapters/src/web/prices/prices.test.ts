import fc from 'fast-check';
import { http, HttpResponse, delay } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mockNetwork } from '../../tests/mock-network.js';
import { plainDecimal } from './decimal.js';
import { createHttpPrices, type HttpPricesOptions } from './http-prices.js';
import { createStaticPrices } from './static-prices.js';

const MINT = 'So11111111111111111111111111111111111111112';
const OTHER = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BASE = 'https://prices.example/price';
const URL_TEMPLATE = `${BASE}?ids={mint}`;

const server = mockNetwork();
afterEach(() => {
  vi.useRealTimers();
});

type Answer = () => Response | Promise<Response>;
const requests: Request[] = [];

/** A source that answers, and whose requests are kept. */
function answering(answer: Answer, options: Partial<HttpPricesOptions> = {}) {
  requests.length = 0;
  server.use(
    http.get(BASE, ({ request }) => {
      requests.push(request);
      return answer();
    }),
  );
  return createHttpPrices({ url: URL_TEMPLATE, ...options });
}

const raw = (text: string, init?: ResponseInit) => () => new Response(text, init);
const priced = (price: string) => raw(`{"${MINT}":{"blockId":348004023,"usdPrice":${price},"decimals":9}}`);

describe('the price source over HTTP', () => {
  it('reads a price as Jupiter answers it, with the address and the headers that were given', async () => {
    const prices = answering(priced('147.4789340738336'), { headers: { 'x-api-key': 'secret' } });
    expect(await prices.usd(MINT)).toBe('147.4789340738336');
    expect(requests[0]?.url).toBe(`${BASE}?ids=${MINT}`);
    expect(requests[0]?.headers.get('x-api-key')).toBe('secret');
  });

  it.each([
    ['0.1', '0.1'],
    ['1', '1'],
    ['"1.50"', '1.5'],
    ['1.2e-8', '0.000000012'],
    ['3E3', '3000'],
    ['0.30000000000000004441', '0.30000000000000004441'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  ])('keeps the digits of %s', async (written, price) => {
    expect(await answering(priced(written)).usd(MINT)).toBe(price);
  });

  it('finds the price by the path, in objects and in lists', async () => {
    const text = '{"parsed":[{"price":{"conf":"1","value":"2.5, \\"1\\""}},{"price":6.125}]}';
    expect(await answering(raw(text), { path: ['parsed', '1', 'price'] }).usd(MINT)).toBe('6.125');
  });

  it.each<[string, Answer]>([
    ['an answer without the token', raw(`{"${OTHER}":{"usdPrice":1}}`)],
    ['an empty object', raw('{}')],
    ['null', raw('null')],
    ['a price of zero', priced('0')],
    ['a negative price', priced('-1')],
    ['a price that is null', priced('null')],
    ['a price that is an object', priced('{}')],
    ['a price that is a word', priced('"soon"')],
    ['a price beyond all bounds', priced('1e400')],
    ['no JSON', raw('<html>')],
    ['JSON that is cut off', raw(`{"${MINT}":{"usdPrice":1`)],
    ['an empty body', raw('')],
    ['a status of failure', raw(`{"${MINT}":{"usdPrice":1}}`, { status: 500 })],
    ['a limit of requests', raw('{}', { status: 429 })],
    ['a redirect', () => HttpResponse.redirect('https://elsewhere.example/price', 302)],
    ['a broken connection', () => HttpResponse.error()],
    ['an answer over 64 kB', raw(`{"${MINT}":{"usdPrice":1},"more":"${'x'.repeat(70_000)}"}`)],
  ])('has no price for %s, and does not throw', async (_, answer) => {
    expect(await answering(answer).usd(MINT)).toBeNull();
  });

  it('gives up a slow answer in time, also when its body never ends', async () => {
    const begun = new TextEncoder().encode('{');
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(body) {
            body.enqueue(begun);
          },
        }),
      );
    const slow = async () => {
      await delay('infinite');
      return new Response();
    };
    for (const answer of [slow, endless])
      expect(await answering(answer, { timeoutMs: 50 }).usd(MINT)).toBeNull();
  });

  it('shares a request between calls, keeps a price for its time, and a failure for less', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let broken = false;
    const prices = answering(() => (broken ? new Response('', { status: 503 }) : priced('2')()), {
      keepMs: 60_000,
    });
    expect(await Promise.all([prices.usd(MINT), prices.usd(MINT)])).toEqual(['2', '2']);
    vi.advanceTimersByTime(59_000);
    broken = true;
    expect(await prices.usd(MINT)).toBe('2');
    expect(requests).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    expect([await prices.usd(MINT), await prices.usd(MINT)]).toEqual([null, null]);
    expect(requests).toHaveLength(2);
    broken = false;
    vi.advanceTimersByTime(5_000);
    expect(await prices.usd(MINT)).toBe('2');
  });

  it('logs once when it begins to fail, and once when it works again', async () => {
    const log: string[] = [];
    const logger = {
      warn: (_: object, message: string) => void log.push(`warn ${message}`),
      info: (_: object, message: string) => void log.push(`info ${message}`),
    };
    let broken = true;
    const prices = answering(() => (broken ? new Response('', { status: 503 }) : priced('2')()), {
      keepMs: 0,
      logger,
    });
    for (let n = 0; n < 3; n++) await prices.usd(MINT);
    broken = false;
    for (let n = 0; n < 3; n++) await prices.usd(MINT);
    expect(log).toEqual([
      'warn The price source fails. Until it answers, amounts have no price.',
      'info The price source answers again.',
    ]);
  });

  it.each(['prices.example/{mint}', 'https://prices.example/', 'ftp://prices.example/{mint}'])(
    'refuses the address %s',
    (url) => {
      expect(() => createHttpPrices({ url })).toThrow(TypeError);
    },
  );
});

describe('the source of fixed prices', () => {
  it('answers the prices it was given, and asks another source for the rest', async () => {
    const prices = createStaticPrices({ [OTHER]: '1.00' }, createStaticPrices({ [MINT]: '150' }));
    expect([await prices.usd(OTHER), await prices.usd(MINT), await prices.usd('other')]).toEqual([
      '1',
      '150',
      null,
    ]);
    expect(await createStaticPrices({}).usd(OTHER)).toBeNull();
  });

  it.each(['', '-1', 'one', '0', '1,5', 'Infinity'])('refuses the price "%s"', (price) => {
    expect(() => createStaticPrices({ [MINT]: price })).toThrow(
      `The price of ${MINT} must be a decimal text`,
    );
  });
});

it('writes every decimal as the same number, without an exponent', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: -30, max: 30 }), (whole, fraction, exponent) => {
      const plain = plainDecimal(`${whole}.${fraction}e${exponent}`);
      const units = BigInt(whole + fraction);
      if (units === 0n) {
        expect(plain).toBeNull();
        return;
      }
      const [before = '', after = ''] = (plain ?? '').split('.');
      // Both sides in units of 10^-60.
      const scaled = BigInt(before + after) * 10n ** BigInt(60 - after.length);
      expect(scaled).toBe(units * 10n ** BigInt(60 - fraction.length + exponent));
    }),
  );
});
