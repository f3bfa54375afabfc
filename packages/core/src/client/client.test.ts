import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, type Client } from './client.js';
import { ApiErrors, ConnectionError, UnreadableAnswerError } from './errors.js';
import type { ClientOptions } from './options.js';
import {
  networkFailure,
  proxyPage,
  refusal,
  scriptedFetch,
  success,
  type Scripted,
} from './tests/scripted-fetch.js';

const URL_AND_KEY = { url: 'https://billing.test/base', key: 'SUB_key' };
const SUBMIT = { transaction: 'AbC=', terms_signature: '5x' };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A client over a script of answers, without a random backoff. Keeps the requests and the waits. */
function fixture(script: readonly Scripted[], options: Partial<ClientOptions> = {}) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { fetch, sent } = scriptedFetch(...script);
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  return { client: createClient({ ...URL_AND_KEY, fetch, sleep, ...options }), sent, waits };
}

describe('a call', () => {
  it('sends its method, path, key and version, and reads the answer', async () => {
    const { client, sent } = fixture([success({ slug: 'pro', later_field: 1 })]);
    expect(await client.plans.retrieve('pro')).toEqual({ slug: 'pro', later_field: 1 });
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://billing.test/base/v1/plans/pro',
        headers: { authorization: 'Bearer SUB_key', 'service-version': '2026-10-02' },
        bytes: '',
      },
    ]);
  });

  it('sends its input as JSON in the body of a POST', async () => {
    const { client, sent } = fixture([success({})]);
    await client.subscriptions.submit('sub_1', SUBMIT);
    expect(sent[0]).toMatchObject({
      url: 'https://billing.test/base/v1/subscriptions/sub_1/submit',
      headers: { 'content-type': 'application/json' },
      bytes: Buffer.from(JSON.stringify(SUBMIT)).toString('hex'),
    });
  });

  it('sends no body with a POST that takes none', async () => {
    const { client, sent } = fixture([success({})]);
    await client.subscriptions.retry('sub_1');
    expect(sent[0]).toMatchObject({ method: 'POST', bytes: '' });
    expect(sent[0]?.headers).not.toHaveProperty('content-type');
  });

  it('leaves out of the query what is undefined or null, and nothing else', async () => {
    const { client, sent } = fixture([success({})]);
    const query = { external_id: 'Ä&b', plan: undefined, email: null, attempts: false } as unknown;
    await client.access.check(query as { external_id: string });
    expect(sent[0]?.url).toBe('https://billing.test/base/v1/access?external_id=%C3%84%26b&attempts=false');
  });

  it('encodes the parameter of its path', async () => {
    const { client, sent } = fixture([success({})]);
    await client.events.retrieve('a/../b?c');
    expect(sent[0]?.url).toBe('https://billing.test/base/v1/events/a%2F..%2Fb%3Fc');
  });

  it.each(['', '.', '..'])('refuses the id "%s", which no path can carry', async (id) => {
    const { client, sent } = fixture([]);
    await expect(client.subscriptions.cancel(id)).rejects.toThrow(/^id must be a text other than/);
    expect(sent).toEqual([]);
  });

  it('carries no key when a proxy adds it', async () => {
    const { fetch, sent } = scriptedFetch(success({}));
    await createClient({ url: 'https://page.test/billing/', fetch }).plans.list();
    expect(sent[0]?.url).toBe('https://page.test/billing/v1/plans');
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });

  it('uses the fetch of the platform at the time of the call', async () => {
    const client = createClient(URL_AND_KEY);
    const { fetch, sent } = scriptedFetch(success({ plans: [] }));
    vi.stubGlobal('fetch', fetch);
    expect(await client.plans.list()).toEqual({ plans: [] });
    vi.unstubAllGlobals();
    expect(sent).toHaveLength(1);
  });
});

describe('a failed call', () => {
  // requests#idempotent-calls
  it('is repeated with the very same request after no answer, a retryable code and the page of a proxy', async () => {
    const script = [networkFailure(), refusal('internal_error'), proxyPage(502), success({ ok: true })];
    const { client, sent, waits } = fixture(script);
    expect(await client.subscriptions.submit('sub_1', SUBMIT)).toEqual({ ok: true });
    expect(sent).toHaveLength(4);
    for (const request of sent) expect(request).toEqual(sent[0]);
    expect(sent[0]?.bytes).toBe(Buffer.from(JSON.stringify(SUBMIT)).toString('hex'));
    expect(waits).toEqual([250, 500, 1_000]);
  });

  it('is repeated when the answer breaks off', async () => {
    const broken = new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"plans":'));
          controller.error(networkFailure());
        },
      }),
    );
    const { client } = fixture([broken, success({ plans: [] })]);
    expect(await client.plans.list()).toEqual({ plans: [] });
  });

  it('sends the input as it was when the call was made', async () => {
    const input = { ...SUBMIT };
    const { client, sent } = fixture([networkFailure(), success({})], {
      sleep: async () => {
        input.transaction = 'changed';
      },
    });
    await client.subscriptions.submit('sub_1', input);
    expect(sent[1]?.bytes).toBe(sent[0]?.bytes);
  });

  // errors#retry-after-header
  it('waits as long as Retry-After says, and the backoff on top', async () => {
    const script = [refusal('network_unavailable'), proxyPage(503, { 'retry-after': '3' }), success({})];
    const { client, waits } = fixture(script);
    await client.plans.list();
    expect(waits).toEqual([10_250, 3_500]);
  });

  it('is not repeated when Retry-After asks for longer than is allowed', async () => {
    const late = () => proxyPage(503, { 'retry-after': '61' });
    const { client, sent, waits } = fixture([late()]);
    await expect(client.plans.list()).rejects.toMatchObject({ retryAfter: 61, retryable: true });
    expect([sent.length, waits]).toEqual([1, []]);
    const patient = fixture([late(), success({})], { maxRetryAfter: 61 });
    await patient.client.plans.list();
    expect(patient.waits).toEqual([61_250]);
  });

  it('backs off twice as long each time, up to eight seconds, of which half is random', async () => {
    const failures = Array.from({ length: 7 }, networkFailure);
    const shortest = fixture(failures, { maxRetries: 6 });
    await expect(shortest.client.plans.list()).rejects.toBeInstanceOf(ConnectionError);
    expect(shortest.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    const longest = fixture(failures, { maxRetries: 6 });
    vi.spyOn(Math, 'random').mockReturnValue(1);
    await expect(longest.client.plans.list()).rejects.toBeInstanceOf(ConnectionError);
    expect(longest.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  it.each([
    ['four times when nothing else is said', {}, {}, 5],
    ['as often as the client may', { maxRetries: 1 }, {}, 2],
    ['as often as the call may', { maxRetries: 1 }, { maxRetries: 2 }, 3],
    ['never when it may not', {}, { maxRetries: 0 }, 1],
  ])('is repeated %s', async (_, options, callOptions, tries) => {
    const { client, sent } = fixture(Array.from({ length: 9 }, networkFailure), options);
    await expect(client.plans.list(callOptions)).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(tries);
  });

  // errors#retryable-errors
  it('is not repeated when the service says that it would fail again', async () => {
    const { client, sent } = fixture([refusal('seat_cap_reached')]);
    const call = client.subscriptions.create({ plan: 'pro', wallet: 'w' });
    await expect(call).rejects.toBeInstanceOf(ApiErrors.SeatCapReached);
    expect(sent).toHaveLength(1);
  });

  it('has what fetch threw as its cause', async () => {
    const failure = networkFailure();
    const { client } = fixture([failure], { maxRetries: 0 });
    await expect(client.plans.retrieve('pro')).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(
        /^GET \/v1\/plans\/\{slug\} got no answer: the connection failed\./,
      ) as string,
      cause: failure,
      timeoutMs: null,
      retryable: true,
    });
  });
});

describe('an answer that the service did not write', () => {
  it.each<[string, Response, boolean]>([
    ['a page with status 200', proxyPage(200), false],
    ['JSON that is no object', Response.json([]), false],
    ['half of an object', new Response('{"plans":'), false],
    ['no body', new Response(null, { status: 204 }), false],
    ['a redirect', new Response(null, { status: 302, headers: { location: 'https://other.test' } }), false],
    ['the page of a wrong address', proxyPage(404), false],
    ['the error of another service', Response.json({ code: 'x', message: 'y' }, { status: 400 }), false],
    ['a limit of a proxy', proxyPage(429), true],
    ['a proxy without a service behind it', proxyPage(503), true],
  ])('%s is unreadable', async (_, answer, retryable) => {
    const { status } = answer;
    const text = await answer.clone().text();
    const { client, sent } = fixture([answer], { maxRetries: 0 });
    const error: unknown = await client.plans.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnreadableAnswerError);
    expect(error).toMatchObject({ status, retryable, text });
    expect(sent).toHaveLength(1);
  });

  it('is kept up to a thousand characters, with its request id', async () => {
    const answer = new Response('x'.repeat(5_000), { headers: { 'service-request-id': 'req_1' } });
    const { client } = fixture([answer]);
    await expect(client.plans.list()).rejects.toMatchObject({ text: 'x'.repeat(1_000), requestId: 'req_1' });
  });

  it('is not followed to where it redirects, because a POST would become a GET there', async () => {
    const { fetch } = scriptedFetch(success({}));
    const redirects: string[] = [];
    const client = createClient({
      ...URL_AND_KEY,
      fetch: (request) => {
        redirects.push(request.redirect);
        return fetch(request);
      },
    });
    await client.plans.list();
    expect(redirects).toEqual(['manual']);
  });
});

describe('the time limit of a try', () => {
  const CALLS: readonly [string, number, (client: Client) => Promise<unknown>][] = [
    ['a read', 30_000, (client) => client.access.check({ wallet: 'w', plan: 'pro' })],
    ['a list', 30_000, (client) => client.events.list()],
    ['a create', 30_000, (client) => client.subscriptions.create({ plan: 'pro', wallet: 'w' })],
    ['a build', 30_000, (client) => client.subscriptions.cancel('sub_1')],
    ['a submit', 100_000, (client) => client.subscriptions.submit('sub_1', SUBMIT)],
    ['a confirm', 100_000, (client) => client.subscriptions.confirmClose('sub_1', { signature: 's' })],
    ['a call with its own limit', 7, (client) => client.plans.list({ timeoutMs: 7 })],
  ];

  it.each(CALLS)('of %s is %i ms, also when fetch does not heed its signal', async (_, ms, call) => {
    vi.useFakeTimers();
    const fetch = vi.fn((_request: Request) => new Promise<Response>(() => undefined));
    const settled = vi.fn();
    const result = call(createClient({ ...URL_AND_KEY, fetch, maxRetries: 0 })).catch(settled);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(settled).not.toHaveBeenCalled();
    expect(fetch.mock.calls[0]?.[0].signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await result;
    expect(settled).toHaveBeenCalledExactlyOnceWith(expect.any(ConnectionError));
    expect(settled.mock.calls[0]?.[0]).toMatchObject({ timeoutMs: ms, retryable: true });
    expect(fetch.mock.calls[0]?.[0].signal.aborted).toBe(true);
  });

  it('includes the body of the answer', async () => {
    vi.useFakeTimers();
    const endless = new Response(new ReadableStream({}));
    const client = createClient({ ...URL_AND_KEY, fetch: async () => endless, maxRetries: 0 });
    const call = expect(client.plans.list()).rejects.toMatchObject({ timeoutMs: 30_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    await call;
  });

  it('begins anew with each try', async () => {
    vi.useFakeTimers();
    let tries = 0;
    const fetch = () => {
      tries += 1;
      return tries === 3 ? Promise.resolve(success({ plans: [] })) : new Promise<Response>(() => undefined);
    };
    const client = createClient({ ...URL_AND_KEY, fetch, sleep: async () => undefined });
    const call = client.plans.list();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await call).toEqual({ plans: [] });
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers();
    const { client } = fixture([success({}), refusal('conflict')]);
    await client.plans.list();
    await expect(client.plans.list()).rejects.toBeInstanceOf(ApiErrors.Conflict);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the signal of a call', () => {
  const stop = new Error('The shop is closing.');

  it('ends the call before anything is sent', async () => {
    const { client, sent } = fixture([]);
    await expect(client.plans.list({ signal: AbortSignal.abort(stop) })).rejects.toBe(stop);
    expect(sent).toEqual([]);
  });

  it('ends the request, and the call rejects with its reason', async () => {
    const controller = new AbortController();
    const fetch = (request: Request) =>
      new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => {
          reject(new DOMException('aborted', 'AbortError'));
        });
      });
    const call = createClient({ ...URL_AND_KEY, fetch }).plans.list({ signal: controller.signal });
    const rejected = expect(call).rejects.toBe(stop);
    controller.abort(stop);
    await rejected;
  });

  it('ends the wait before a retry', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const { fetch, sent } = scriptedFetch(networkFailure());
    const call = createClient({ ...URL_AND_KEY, fetch }).plans.list({ signal: controller.signal });
    const rejected = expect(call).rejects.toBe(stop);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort(stop);
    await rejected;
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('keeps no listener of a call that is over', async () => {
    const { signal } = new AbortController();
    const { client } = fixture([networkFailure(), success({}), refusal('conflict')]);
    await client.plans.list({ signal });
    await expect(client.plans.list({ signal })).rejects.toBeInstanceOf(ApiErrors.Conflict);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('waits by a timer before a retry when no sleep is given', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { fetch, sent } = scriptedFetch(refusal('unavailable'), success({ plans: [] }));
  const call = createClient({ ...URL_AND_KEY, fetch }).plans.list();
  await vi.advanceTimersByTimeAsync(5_249);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await call).toEqual({ plans: [] });
});

describe('options with which no call can be made are refused', () => {
  it.each<[string, Partial<ClientOptions>, RegExp]>([
    ['a URL without a host', { url: '/billing' }, /^url must be the URL of the service/],
    [
      'a URL with a password',
      { url: 'https://me:secret@billing.test' },
      /^url must be [^:]*https:\/\/billing\.example/,
    ],
    ['a URL that names the version', { url: 'https://billing.test/v1/' }, /^url must end before \/v1/],
    ['a URL with a query', { url: 'https://billing.test?a=b' }, /^url must end before \/v1/],
    ['a key with a line break', { key: 'SUB_key\n' }, /^key must be an API key/],
    ['an empty key', { key: '' }, /^key must be an API key/],
    ['no number of retries', { maxRetries: Number.NaN }, /^maxRetries must be a whole number from 0 to 100/],
    ['too long a wait', { maxRetryAfter: Infinity }, /^maxRetryAfter must be a whole number/],
  ])('%s', (_, options, message) => {
    const create = () => createClient({ ...URL_AND_KEY, ...options });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).toThrow(expect.not.objectContaining({ cause: expect.anything() as unknown }) as Error);
    expect(create).not.toThrow(/SUB_key|secret/);
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: Infinity }, { maxRetries: -1 }])(
    '%o of a call',
    async (options) => {
      const { client, sent } = fixture([]);
      await expect(client.plans.list(options)).rejects.toThrow(/must be a whole number from/);
      expect(sent).toEqual([]);
    },
  );
});
