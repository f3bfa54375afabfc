import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import {
  VERSION,
  createRefuse,
  type RequestHandler,
  type HandlerRequest,
  type HandlerResponse,
} from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serve, type Server } from './serve.js';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const servers: Server[] = [];
const run = promisify(execFile);

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const response = (body: string): HandlerResponse => ({ status: 200, headers: {}, body });

async function readAll(request: HandlerRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function listen(
  handle: RequestHandler,
  overrides: { shutdownTimeoutMs?: number; logger?: Logger } = {},
) {
  const options = {
    host: '127.0.0.1',
    port: 0,
    trustedProxies: 0,
    shutdownTimeoutMs: 5_000,
    logger: silent,
    refuse: createRefuse(new SeededRandom(1)),
  };
  const server = await serve({ ...options, ...overrides, handle });
  servers.push(server);
  return { server, url: `http://127.0.0.1:${server.port}` };
}

/** A promise with its resolve function. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { resolve, promise };
}

/** Collects what a socket receives. */
function receiveFrom(socket: Socket) {
  const received = { text: '', until };
  socket.on('data', (chunk) => (received.text += chunk.toString('latin1')));
  async function until(pattern: RegExp): Promise<void> {
    while (!pattern.test(received.text)) await once(socket, 'data');
  }
  return received;
}

/** Sends 5 MB twenty times, one after the other, and prints the answers. */
const UPLOADER = `
  const { request } = require('node:http');
  const upload = () => new Promise((resolve) => {
    const sent = request(process.argv[1], { method: 'POST', agent: false }, async (answer) => {
      let text = '';
      try {
        for await (const piece of answer) text += piece;
        resolve(answer.statusCode + ' ' + text);
      } catch (error) { resolve(String(error)); }
    });
    sent.on('error', (error) => resolve(String(error)));
    sent.end(Buffer.alloc(5_000_000));
  });
  (async () => {
    const answers = [];
    for (let tries = 0; tries < 20; tries += 1) answers.push(await upload());
    console.log(JSON.stringify(answers));
  })();
`;

/** Sends raw bytes and returns everything the server sends until it closes. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.write(text);
  await once(socket, 'close');
  return received;
}

test('passes method, path, headers and body to the handler, and sends its answer back', async () => {
  const { url } = await listen(async (request) => ({
    status: 201,
    headers: { 'Service-Request-Id': 'req_1' },
    body: JSON.stringify({
      method: request.method,
      path: request.path,
      query: request.search,
      authorization: request.header('authorization'),
      absent: request.header('service-version'),
      body: await readAll(request),
      ip: request.ip,
    }),
  }));
  const answer = await fetch(`${url}/v1/subscriptions?limit=2`, {
    method: 'POST',
    headers: { authorization: 'Bearer abc' },
    body: 'ünïcode',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('service-request-id')).toBe('req_1');
  expect(await answer.json()).toEqual({
    method: 'POST',
    path: '/v1/subscriptions',
    query: '?limit=2',
    authorization: 'Bearer abc',
    absent: null,
    body: 'ünïcode',
    ip: '127.0.0.1',
  });
});

test('answers HEAD with the length that the handler gave and without a body', async () => {
  const { url } = await listen(async () => ({ ...response(''), headers: { 'Content-Length': '42' } }));
  const answer = await fetch(url, { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe('42');
});

test('reads a body no further than the handler asks, and still sends the answer', async () => {
  let read = 0;
  const { url } = await listen(async (request) => {
    for await (const piece of request.body) {
      read += piece.byteLength;
      if (read > 100_000) return { ...response(''), status: 413 };
    }
    return response('');
  });
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(8_000_000) });
  expect(answer.status).toBe(413);
  expect(answer.headers.get('connection')).toBe('close');
  expect(read).toBeLessThan(400_000);
});

describe('an answer sent before the body has arrived', () => {
  const tooLarge: RequestHandler = async () => ({ status: 413, headers: {}, body: 'too large' });

  test('reaches a client that is still sending, in another process', async () => {
    const { url } = await listen(tooLarge);
    const { stdout } = await run(process.execPath, ['-e', UPLOADER, url]);
    expect(JSON.parse(stdout)).toEqual(Array.from({ length: 20 }, () => '413 too large'));
  });

  test('is sent in full at once, and the connection closes at the end of the body', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server } = await listen(tooLarge);
    const socket = connect(server.port, '127.0.0.1');
    const received = receiveFrom(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await received.until(/\r\n\r\ntoo large$/);
    expect(received.text).toMatch(/^connection: close\r$/im);
    expect(vi.getTimerCount()).toBe(1);
    socket.write('}');
    await once(socket, 'end');
    expect(vi.getTimerCount()).toBe(0);
    socket.destroy();
  });

  test('closes the connection after two seconds if the body does not end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server } = await listen(tooLarge);
    const socket = connect(server.port, '127.0.0.1');
    const received = receiveFrom(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await received.until(/too large$/);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(2_000);
    await once(socket, 'end');
    socket.destroy();
  });
});

test.each([
  ['TRACE /v1/plans', 'TRACE /v1/plans '],
  ['GET http://other.example/v1/plans?limit=2', 'GET /v1/plans ?limit=2'],
  ['GET HTTPS://other.example', 'GET / '],
  ['GET http://[x/v1/plans', 'GET http://[x/v1/plans '],
  ['GET ftp://other.example/v1/plans', 'GET ftp://other.example/v1/plans '],
  ['OPTIONS *', 'OPTIONS * '],
])(
  'passes every method and target to the handler, and an absolute URL by its path: %s',
  async (line, passed) => {
    const { server } = await listen(async ({ method, path, search }) =>
      response(`${method} ${path} ${search}`),
    );
    const received = await exchange(server.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toBe(passed);
  },
);

test('keeps a path that starts with two slashes', async () => {
  const { server } = await listen(async (request) => response(request.path));
  const received = await exchange(
    server.port,
    'GET //evil/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/\/\/evil\/x$/);
});

test('resolves dots in a path as URLs do', async () => {
  const { server } = await listen(async (request) => response(`${request.path} ${request.search}`));
  const received = await exchange(
    server.port,
    'GET /v1/./a/%2e%2e/plans?x=/../y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/\/v1\/plans \?x=\/\.\.\/y$/);
});

test('joins the values of a header that is sent twice', async () => {
  const { server } = await listen(async (request) => response(request.header('authorization') ?? 'none'));
  const received = await exchange(
    server.port,
    'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: one\r\nauthorization: two\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/one, two$/);
});

test.each<[string, () => HandlerResponse]>([
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['gives an answer that cannot be sent', () => ({ status: 200, headers: { broken: '\n' }, body: '' })],
])(
  'answers internal_error with the logged request id when the handler %s, and continues',
  async (_, broken) => {
    const errors: object[] = [];
    const { url } = await listen(async ({ path }) => (path === '/v1/broken' ? broken() : response('fine')), {
      logger: { ...silent, error: (fields) => errors.push(fields) },
    });
    const answer = await fetch(`${url}/v1/broken`);
    const requestId = answer.headers.get('service-request-id');
    expect(answer.status).toBe(500);
    expect(answer.headers.get('service-version')).toBe(VERSION);
    expect(await answer.json()).toMatchObject({ code: 'internal_error', request_id: requestId });
    expect(await (await fetch(url)).text()).toBe('fine');
    expect(errors).toMatchObject([{ requestId, method: 'GET' }]);
  },
);

test('refuses connections while stopping and lets a request in flight finish', async () => {
  const arrived = deferred<null>();
  const release = deferred<null>();
  const { server, url } = await listen(async () => {
    arrived.resolve(null);
    await release.promise;
    return response('finished');
  });
  const inFlight = fetch(url);
  await arrived.promise;
  const stopped = server.stop();
  await expect(fetch(url)).rejects.toThrow();
  release.resolve(null);
  const answer = await inFlight;
  expect(await answer.text()).toBe('finished');
  expect(answer.headers.get('connection')).toBe('close');
  await stopped;
});

test('answers 503 to a request that begins after stopping began, without calling the handler', async () => {
  const arrived = deferred<null>();
  const release = deferred<null>();
  const handled: string[] = [];
  const { server, url } = await listen(async (request) => {
    handled.push(request.path);
    arrived.resolve(null);
    await release.promise;
    return response('finished');
  });
  const late = connect(server.port, '127.0.0.1');
  await once(late, 'connect');
  // The server has read half a request, so that the connection is not idle when it stops.
  late.write('POST /v1/late HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n');
  const inFlight = fetch(`${url}/early`);
  await arrived.promise;
  const stopped = server.stop();
  const received = receiveFrom(late);
  late.write('\r\n{}');
  await once(late, 'end');
  expect(received.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(received.text).toMatch(/^retry-after: \d+\r$/im);
  expect(received.text).toMatch(/^connection: close\r$/im);
  expect(received.text).toMatch(/^service-request-id: req_\w{24}\r$/im);
  expect(received.text).toMatch(/^service-version: \S+\r$/im);
  expect(received.text).toMatch(/"code":"unavailable"/);
  release.resolve(null);
  expect(await (await inFlight).text()).toBe('finished');
  await stopped;
  expect(handled).toEqual(['/early']);
});

test('closes the connection of a request that takes longer than the shutdown timeout', async () => {
  const arrived = deferred<null>();
  const { server, url } = await listen(
    () => {
      arrived.resolve(null);
      return new Promise(() => {});
    },
    { shutdownTimeoutMs: 0 },
  );
  const inFlight = fetch(url);
  await arrived.promise;
  await Promise.all([server.stop(), expect(inFlight).rejects.toThrow()]);
});
