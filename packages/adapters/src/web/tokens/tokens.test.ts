import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mockNetwork } from '../../tests/mock-network.js';
import { createHttpTokens, type HttpTokensOptions } from './http-tokens.js';
import { readTokenList } from './token-list.js';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const USDC = { mint: MINT, symbol: 'USDC', name: 'USD Coin', logoUrl: null };
const ENTRY = { address: MINT, symbol: 'USDC', name: 'USD Coin' };
const ADDRESS = 'https://tokens.example/list.json';

const list = (...tokens: readonly unknown[]) => JSON.stringify({ name: 'A list', tokens });
const read = (text: string) => readTokenList(text, 'mainnet-beta');

describe('a token list', () => {
  it.each([
    ['in the standard form', list({ ...ENTRY, chainId: 101, decimals: 6 })],
    ['without its wrapping', JSON.stringify([ENTRY])],
    ['as Jupiter answers', JSON.stringify([{ id: MINT, symbol: 'USDC', name: 'USD Coin', icon: null }])],
    [
      'with tokens of another network',
      list({ ...ENTRY, chainId: 103, name: 'Devnet' }, { ...ENTRY, chainId: 101 }),
    ],
  ])('is read %s', (_, text) => {
    expect(read(text)).toEqual([USDC]);
  });

  it.each(['logoURI', 'icon'])('has logos under %s', (field) => {
    const [token] = read(list({ ...ENTRY, [field]: 'https://tokens.example/usdc.png' }));
    expect(token?.logoUrl).toBe('https://tokens.example/usdc.png');
  });

  it.each([
    ['no JSON', '<html>', 'The list of tokens is no JSON.'],
    ['null', 'null', 'The list of tokens has no array "tokens", and is none itself.'],
    ['something else', '{"prices":{}}', 'The list of tokens has no array "tokens", and is none itself.'],
    [
      'an entry that is none',
      list(ENTRY, 'USDC'),
      'Token 2 of the list has no "address": it must be a text.',
    ],
    [
      'no address',
      list({ ...ENTRY, address: undefined }),
      'Token 1 of the list has no "address": it must be a text.',
    ],
    [
      'a number for a symbol',
      list({ ...ENTRY, symbol: 5 }),
      'Token 1 of the list has no "symbol": it must be a text.',
    ],
    ['an empty name', list({ ...ENTRY, name: '' }), 'Token 1 of the list has no "name": it must be a text.'],
  ])('is refused with %s', (_, text, sentence) => {
    expect(() => read(text)).toThrow(new TypeError(sentence));
  });
});

it('leaves out of a list that others wrote what is not complete', () => {
  const text = list(ENTRY, 'USDC', { ...ENTRY, symbol: '' }, { ...ENTRY, name: null });
  expect(readTokenList(text, 'mainnet-beta', 'left out')).toEqual([USDC]);
});

const server = mockNetwork();
afterEach(() => {
  vi.useRealTimers();
});

const requests: Request[] = [];
const said: string[] = [];

/** A source whose answer can be changed, and whose requests are kept. */
function source(options: Partial<HttpTokensOptions> = {}) {
  vi.useFakeTimers({ toFake: ['performance'] });
  requests.length = 0;
  said.length = 0;
  const answers = { next: () => new HttpResponse(list(ENTRY)) };
  server.use(
    http.get(ADDRESS, ({ request }) => {
      requests.push(request);
      return answers.next();
    }),
  );
  const log = (_: object, text: string) => said.push(text);
  const logger = { info: log, warn: log };
  return { answers, tokens: createHttpTokens({ url: ADDRESS, network: 'mainnet-beta', logger, ...options }) };
}

const HOUR = 3_600_000;

describe('a source of tokens over HTTP', () => {
  it('reads the list once for all that wait, with the headers that were given', async () => {
    const { tokens } = source({ headers: { 'x-api-key': 'secret' } });
    expect(await Promise.all([tokens.list(), tokens.list()])).toEqual([[USDC], [USDC]]);
    expect(requests.map(({ headers }) => headers.get('x-api-key'))).toEqual(['secret']);
  });

  it('reads it again after an hour, and nobody waits for that', async () => {
    const { tokens, answers } = source();
    const first = await tokens.list();
    vi.advanceTimersByTime(HOUR - 1);
    expect(await tokens.list()).toBe(first);
    expect(requests).toHaveLength(1);
    vi.advanceTimersByTime(1);
    answers.next = () => new HttpResponse(list());
    expect(await tokens.list()).toBe(first);
    await vi.waitFor(async () => {
      expect(await tokens.list()).toEqual([]);
    });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['an error', () => new HttpResponse(null, { status: 500 })],
    ['no list', () => new HttpResponse('{}')],
    [
      'a redirect',
      () => new HttpResponse(null, { status: 302, headers: { location: 'https://other.example/' } }),
    ],
    ['more than is read', () => new HttpResponse(new Uint8Array(16_777_217))],
  ])(
    'goes on with the last list when it answers %s, says so once, and asks again after a minute',
    async (_, answer) => {
      const { tokens, answers } = source();
      const first = await tokens.list();
      answers.next = answer;
      vi.advanceTimersByTime(HOUR);
      expect(await tokens.list()).toBe(first);
      await vi.waitFor(() => {
        expect(said).toEqual(['The source of tokens fails. Until it answers, the last list counts.']);
      });
      expect(await tokens.list()).toBe(first);
      expect(requests).toHaveLength(2);
      answers.next = () => new HttpResponse(list());
      vi.advanceTimersByTime(60_000);
      await vi.waitFor(async () => {
        expect(await tokens.list()).toEqual([]);
      });
      expect(said).toHaveLength(2);
    },
  );

  it('has its own tokens while its first answer fails, and then both', async () => {
    const own = [{ ...USDC, mint: 'own', symbol: 'OWN' }];
    const { tokens, answers } = source({ own });
    const { next } = answers;
    answers.next = () => new HttpResponse('<html>');
    expect(await tokens.list()).toEqual(own);
    answers.next = next;
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => {
      expect(await tokens.list()).toEqual([USDC, ...own]);
    });
  });

  it.each(['', 'tokens.json', 'ftp://tokens.example/'])('refuses the address %j', (url) => {
    expect(() => createHttpTokens({ url, network: 'devnet' })).toThrow(
      '"url" must be an http or https address.',
    );
  });
});
