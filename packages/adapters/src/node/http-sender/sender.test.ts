// Heavy: the kit of senders waits for the deadlines of posts in real time.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { httpSenderConformance } from '@subrail/core/testing';
import { createHttpSender } from './sender.js';
import { openMisbehavingEndpoint } from './tests/misbehaving-endpoint.js';

const post = (url: string) => ({ url, headers: {}, body: 'hello', timeoutMs: 20_000 });

// deliveries#success-and-failure: the kit shows that no redirect is followed and that a post has a deadline.
describe('the HttpSender port', () => {
  httpSenderConformance(test, async (response) => {
    const endpoint = await openMisbehavingEndpoint(response);
    return { ...endpoint, sender: createHttpSender({ allowPrivate: true }), strict: createHttpSender() };
  });
});

// deliveries#endpoint-address
describe('a host name', () => {
  test('is refused at connect time when it resolves to a private address, and nothing is sent', async () => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
    const { port } = new URL(endpoint.url);
    const sender = createHttpSender({ resolve: async () => ['127.0.0.1'] });
    const outcome = await sender.post(post(`https://hooks.example.com:${port}/`));
    await endpoint.close();
    expect(outcome).toEqual({
      kind: 'refused',
      reason: 'hooks.example.com resolves to an address that is not public',
    });
    expect(endpoint.requests).toEqual([]);
  });

  test('is refused when one of its addresses is private', async () => {
    const sender = createHttpSender({ resolve: async () => ['93.184.215.14', '::ffff:10.0.0.1'] });
    expect((await sender.post(post('https://hooks.example.com/'))).kind).toBe('refused');
  });

  test('that changes its answer cannot move a connection, and is checked again for the next one', async () => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
    const { port, host } = new URL(endpoint.url);
    const answers = [['127.0.0.1'], ['10.1.2.3'], ['127.0.0.1', '10.1.2.3']];
    const lookups: string[] = [];
    const sender = createHttpSender({
      allowPrivate: [host],
      mostIdle: 0,
      resolve: async (name) => {
        lookups.push(name);
        return answers.shift() ?? [];
      },
    });
    // The endpoint does not speak TLS, so a post that may connect fails.
    const kinds = [];
    for (let each = 0; each < 3; each += 1)
      kinds.push(await sender.post(post(`https://hooks.example.com:${port}/`)));
    await endpoint.close();
    expect(kinds.map(({ kind }) => kind)).toEqual(['failed', 'refused', 'refused']);
    expect(lookups).toHaveLength(3);
    expect([endpoint.connections(), endpoint.requests]).toEqual([1, []]);
  });

  test('is resolved once for a post, and the connection goes to the address that was checked', async () => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
    const { port } = new URL(endpoint.url);
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    const lookups: string[] = [];
    const sender = createHttpSender({
      allowPrivate: true,
      resolve: async (name) => {
        lookups.push(name);
        return answers.shift() ?? [];
      },
    });
    const outcome = await sender.post(post(`http://hooks.example.com:${port}/`));
    await endpoint.close();
    expect(outcome.kind).toBe('answered');
    expect(lookups).toEqual(['hooks.example.com']);
    expect(endpoint.requests[0]?.headers['host']).toBe(`hooks.example.com:${port}`);
  });

  test('makes the post fail when it has no address', async () => {
    const sender = createHttpSender({ resolve: async () => [] });
    expect(await sender.post(post('https://hooks.example.com/'))).toEqual({
      kind: 'failed',
      reason: 'hooks.example.com has no IP address',
    });
  });

  test('makes the post fail when it is unknown', async () => {
    const sender = createHttpSender({ resolve: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')) });
    expect((await sender.post(post('https://hooks.example.com/'))).kind).toBe('failed');
  });

  test('makes the post time out when its lookup never ends', async () => {
    const sender = createHttpSender({ resolve: () => new Promise(() => undefined) });
    const outcome = await sender.post({ ...post('https://hooks.example.com/'), timeoutMs: 50 });
    expect(outcome).toEqual({ kind: 'timed_out' });
  });

  test('makes the post fail with a reason when the server does not speak TLS', async () => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
    const { port } = new URL(endpoint.url);
    const outcome = await createHttpSender({ allowPrivate: true }).post(post(`https://127.0.0.1:${port}/`));
    await endpoint.close();
    expect(outcome).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(/SSL|TLS|EPROTO/i) as string,
    });
  });
});

// deliveries#success-and-failure
describe('the deadline of a post', () => {
  /** A server that accepts connections and never reads. */
  async function openDeafServer() {
    const sockets: Socket[] = [];
    const server = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    };
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  }

  test.each([
    ['connecting, when TLS is never agreed on', 'https', 'hello'],
    ['sending, when the endpoint never reads', 'http', 'x'.repeat(20_000_000)],
  ])('counts %s', async (_, scheme, body) => {
    const { host, close } = await openDeafServer();
    const sender = createHttpSender({ allowPrivate: [host] });
    const outcome = await sender.post({ ...post(`${scheme}://${host}/`), body, timeoutMs: 100 });
    await close();
    expect(outcome).toEqual({ kind: 'timed_out' });
  });

  test('counts the look-up of the name and the response together', async () => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'late', status: 200, afterMs: 200 });
    const { port } = new URL(endpoint.url);
    const resolve = () => new Promise<string[]>((resolved) => setTimeout(() => resolved(['127.0.0.1']), 200));
    const sender = createHttpSender({ allowPrivate: true, resolve });
    const outcome = await sender.post({ ...post(`http://hooks.test:${port}/`), timeoutMs: 300 });
    await endpoint.close();
    expect(outcome).toEqual({ kind: 'timed_out' });
  });
});

// deliveries#endpoint-address
describe('a list of private targets', () => {
  test('lets the sender reach what is listed, over plain http too, and nothing else that is private', async () => {
    const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
    const { host, port } = new URL(endpoint.url);
    const kind = async (url: string, allowPrivate: readonly string[], address = '127.0.0.1') => {
      const sender = createHttpSender({ allowPrivate, resolve: async () => [address] });
      return (await sender.post(post(url))).kind;
    };
    expect(await kind(endpoint.url, [host])).toBe('answered');
    expect(await kind(endpoint.url, ['127.0.0.0/8'])).toBe('answered');
    expect(await kind(`http://receiver:${port}/`, [`receiver:${port}`])).toBe('answered');
    expect(await kind(endpoint.url, ['localhost', '127.0.0.1:1', '10.0.0.0/8'])).toBe('refused');
    expect(await kind(`https://hooks.test:${port}/`, ['10.0.0.0/8'])).toBe('refused');
    await endpoint.close();
    expect(endpoint.requests).toHaveLength(3);
  });

  test('is refused with the entry that cannot be read', () => {
    expect(() => createHttpSender({ allowPrivate: ['localhost', '10.1.0.0/40'] })).toThrow(
      /^The private target "10.1.0.0\/40" must be a host /,
    );
  });
});

describe('a response', () => {
  // deliveries#response-excerpt
  test('has an excerpt that does not split a letter', async () => {
    const endpoint = await openMisbehavingEndpoint({
      kind: 'answers',
      status: 500,
      body: `a${'☕'.repeat(3_000)}`,
    });
    const outcome = await createHttpSender({ allowPrivate: true }).post(post(endpoint.url));
    await endpoint.close();
    expect(outcome).toMatchObject({ kind: 'answered', excerpt: `a${'☕'.repeat(1_023)}` });
  });

  // deliveries#retry-after-of-an-endpoint
  test('has a Retry-After date as seconds from now', async () => {
    const until = new Date(Date.now() + 3_600_000).toUTCString();
    const endpoint = await openMisbehavingEndpoint({
      kind: 'answers',
      status: 429,
      headers: { 'retry-after': until },
    });
    const outcome = await createHttpSender({ allowPrivate: true }).post(post(endpoint.url));
    await endpoint.close();
    const { retryAfter } = outcome.kind === 'answered' ? outcome : { retryAfter: null };
    expect(retryAfter).toBeGreaterThan(3_500);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
  });
});
