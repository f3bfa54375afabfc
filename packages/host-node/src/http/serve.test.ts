import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import {
  VERSION,
  createRefuse,
  type Logger,
  type RequestHandler,
  type HandlerRequest,
  type HandlerResponse,
} from '@subrail/core';
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

const saying = (body: string): HandlerResponse => ({ status: 200, headers: {}, body });

async function whole(request: HandlerRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function listen(
  handle: RequestHandler,
  overrides: { shutdownTimeoutMs?: number; logger?: Logger } = {},
) {
  const options = {
    ...{ host: '127.0.0.1', port: 0, trustedProxies: 0, shutdownTimeoutMs: 5_000, logger: silent },
    refuse: createRefuse(new SeededRandom(1)),
  };
  const server = await serve({ ...options, ...overrides, handle });
  servers.push(server);
  return { server, url: `http://127.0.0.1:${server.port}` };
}

/** A promise and the function that resolves it. */
function latch<T>() {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** What a socket hears. */
function listenTo(socket: Socket) {
  const heard = { text: '', until };
  socket.on('data', (chunk) => (heard.text += chunk.toString('latin1')));
  async function until(pattern: RegExp): Promise<void> {
    while (!pattern.test(heard.text)) await once(socket, 'data');
  }
  return heard;
}

/** Sends 5 MB twenty times, one after the other, and writes down what it was told. */
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
    const told = [];
    for (let tries = 0; tries < 20; tries += 1) told.push(await upload());
    console.log(JSON.stringify(told));
  })();
`;

/** Writes raw bytes and reads everything the server says until it closes. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.on('data', (chunk) => (said += chunk.toString('latin1')));
  socket.write(text);
  await once(socket, 'close');
  return said;
}

test('a request arrives with its method, path, headers and body, and the answer goes back whole', async () => {
  const { url } = await listen(async (request) => ({
    status: 201,
    headers: { 'Service-Request-Id': 'req_1' },
    body: JSON.stringify({
      method: request.method,
      path: request.path,
      query: request.search,
      authorization: request.header('authorization'),
      absent: request.header('service-version'),
      body: await whole(request),
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

test('a HEAD answer keeps the length the handler stated and carries no body', async () => {
  const { url } = await listen(async () => ({ ...saying(''), headers: { 'Content-Length': '42' } }));
  const answer = await fetch(url, { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe('42');
});

test('a body is read no further than the handler asks, and its answer still arrives', async () => {
  let read = 0;
  const { url } = await listen(async (request) => {
    for await (const piece of request.body) {
      read += piece.byteLength;
      if (read > 100_000) return { ...saying(''), status: 413 };
    }
    return saying('');
  });
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(8_000_000) });
  expect(answer.status).toBe(413);
  expect(answer.headers.get('connection')).toBe('close');
  expect(read).toBeLessThan(400_000);
});

describe('an answer that comes before the body is in', () => {
  const tooLarge: RequestHandler = async () => ({ status: 413, headers: {}, body: 'too large' });

  test('reaches a client in a process of its own, however much it still had to send', async () => {
    const { url } = await listen(tooLarge);
    const { stdout } = await run(process.execPath, ['-e', UPLOADER, url]);
    expect(JSON.parse(stdout)).toEqual(Array.from({ length: 20 }, () => '413 too large'));
  });

  test('is whole at once, and its connection ends as soon as the body does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server } = await listen(tooLarge);
    const socket = connect(server.port, '127.0.0.1');
    const said = listenTo(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await said.until(/\r\n\r\ntoo large$/);
    expect(said.text).toMatch(/^connection: close\r$/im);
    expect(vi.getTimerCount()).toBe(1);
    socket.write('}');
    await once(socket, 'end');
    expect(vi.getTimerCount()).toBe(0);
    socket.destroy();
  });

  test('is not kept open for a body that never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { server } = await listen(tooLarge);
    const socket = connect(server.port, '127.0.0.1');
    const said = listenTo(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    await said.until(/too large$/);
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
  'every method and target is the handler’s to answer, a whole address by its path: %s',
  async (line, told) => {
    const { server } = await listen(async ({ method, path, search }) =>
      saying(`${method} ${path} ${search}`),
    );
    const said = await talk(server.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(said.slice(said.indexOf('\r\n\r\n') + 4)).toBe(told);
  },
);

test('a path with two slashes at its start stays a path', async () => {
  const { server } = await listen(async (request) => saying(request.path));
  const said = await talk(server.port, 'GET //evil/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(said).toMatch(/\/\/evil\/x$/);
});

test('dots in a path are resolved as every URL resolves them', async () => {
  const { server } = await listen(async (request) => saying(`${request.path} ${request.search}`));
  const said = await talk(
    server.port,
    'GET /v1/./a/%2e%2e/plans?x=/../y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(said).toMatch(/\/v1\/plans \?x=\/\.\.\/y$/);
});

test('a header given twice is both of its values, so that neither can pass for the only one', async () => {
  const { server } = await listen(async (request) => saying(request.header('authorization') ?? 'none'));
  const said = await talk(
    server.port,
    'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: one\r\nauthorization: two\r\nConnection: close\r\n\r\n',
  );
  expect(said).toMatch(/one, two$/);
});

test.each<[string, () => HandlerResponse]>([
  [
    'that throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['whose answer cannot be sent', () => ({ status: 200, headers: { broken: '\n' }, body: '' })],
])(
  'a handler %s is answered internal_error under the id the log names, and the server goes on',
  async (_, broken) => {
    const errors: object[] = [];
    const { url } = await listen(async ({ path }) => (path === '/v1/broken' ? broken() : saying('fine')), {
      logger: { ...silent, error: (facts) => errors.push(facts) },
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

test('stopping accepts nothing new and lets a request in flight finish', async () => {
  const arrived = latch<null>();
  const release = latch<null>();
  const { server, url } = await listen(async () => {
    arrived.open(null);
    await release.opened;
    return saying('finished');
  });
  const inFlight = fetch(url);
  await arrived.opened;
  const stopped = server.stop();
  await expect(fetch(url)).rejects.toThrow();
  release.open(null);
  const answer = await inFlight;
  expect(await answer.text()).toBe('finished');
  expect(answer.headers.get('connection')).toBe('close');
  await stopped;
});

test('a request that begins after stopping began is answered 503 and never handed on', async () => {
  const arrived = latch<null>();
  const release = latch<null>();
  const handled: string[] = [];
  const { server, url } = await listen(async (request) => {
    handled.push(request.path);
    arrived.open(null);
    await release.opened;
    return saying('finished');
  });
  const late = connect(server.port, '127.0.0.1');
  await once(late, 'connect');
  // The server has read half a request, so that the connection is not idle when it stops.
  late.write('POST /v1/late HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n');
  const inFlight = fetch(`${url}/early`);
  await arrived.opened;
  const stopped = server.stop();
  const said = listenTo(late);
  late.write('\r\n{}');
  await once(late, 'end');
  expect(said.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(said.text).toMatch(/^retry-after: \d+\r$/im);
  expect(said.text).toMatch(/^connection: close\r$/im);
  expect(said.text).toMatch(/^service-request-id: req_\w{24}\r$/im);
  expect(said.text).toMatch(/^service-version: \S+\r$/im);
  expect(said.text).toMatch(/"code":"unavailable"/);
  release.open(null);
  expect(await (await inFlight).text()).toBe('finished');
  await stopped;
  expect(handled).toEqual(['/early']);
});

test('a request that outlives the grace is cut, so that stopping ends', async () => {
  const arrived = latch<null>();
  const { server, url } = await listen(
    () => {
      arrived.open(null);
      return new Promise(() => {});
    },
    { shutdownTimeoutMs: 0 },
  );
  const inFlight = fetch(url);
  await arrived.opened;
  await Promise.all([server.stop(), expect(inFlight).rejects.toThrow()]);
});
