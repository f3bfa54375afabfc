import { once } from 'node:events';
import { connect } from 'node:net';
import { VERSION, createRefuse, type RequestHandler } from '@subrail/core';
import { ErrorBody } from '@subrail/core/schemas';
import { SeededRandom } from '@subrail/core/testing';
import { afterEach, expect, test } from 'vitest';
import { serve, type Server } from './serve.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** Requests get thirty milliseconds to arrive, and are looked at every ten. */
const IMPATIENT = { requestTimeout: 30, headersTimeout: 30, connectionsCheckingInterval: 10 };

async function listen(handle: RequestHandler, timeouts = {}): Promise<number> {
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    trustedProxies: 0,
    shutdownTimeoutMs: 1_000,
    logger: silent,
    handle,
    refuse: createRefuse(new SeededRandom(1)),
    timeouts,
  });
  servers.push(server);
  return server.port;
}

const readsAll: RequestHandler = async (request) => {
  for await (const _ of request.body);
  return { status: 200, headers: {}, body: 'read' };
};

/** Sends bytes, and returns what the server sends until it ends the connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'end');
  socket.destroy();
  return received;
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 2)]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: ErrorBody.parse(JSON.parse(body)) };
}

const GET = 'GET /v1/plans HTTP/1.1\r\nHost: x\r\n';
const POST = 'POST /v1/subscriptions HTTP/1.1\r\nHost: x\r\n';

/** Requests that a server gives up before there is one, and the refusal of each. */
const UNREAD: readonly (readonly [name: string, sent: string, refusal: string])[] = [
  ['what is not HTTP', 'HELLO\r\n\r\n', '400 invalid_request'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400 invalid_request'],
  ['another version of HTTP', 'GET /v1/plans HTTP/9.9\r\nHost: x\r\n\r\n', '400 invalid_request'],
  ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 invalid_request'],
  ['no host', 'GET /v1/plans HTTP/1.1\r\n\r\n', '400 invalid_request'],
  ['a header without a name', `${GET}: x\r\n\r\n`, '400 invalid_request'],
  ['a character in a header that none may have', `${GET}X: a\0b\r\n\r\n`, '400 invalid_request'],
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, '400 invalid_request'],
  [
    'a length and chunks',
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    '400 invalid_request',
  ],
  ['a length that is no number', `${POST}Content-Length: two\r\n\r\n{}`, '400 invalid_request'],
  ['a chunk without a length', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, '400 invalid_request'],
  ['a space in the target', 'GET /v1/pl ans HTTP/1.1\r\nHost: x\r\n\r\n', '400 invalid_request'],
  ['headers of 20 kB', `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`, '431 headers_too_large'],
  ['a target of 20 kB', `GET /v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, '431 headers_too_large'],
  [
    'extensions of a chunk of 20 kB',
    `${POST}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    '413 payload_too_large',
  ],
  [
    'an unknown expectation',
    `${POST}Expect: a-miracle\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    '417 expectation_failed',
  ],
  ['headers that do not end', GET, '408 request_timeout'],
  ['a body that does not end', `${POST}Content-Length: 20\r\n\r\n{`, '408 request_timeout'],
  ['a tunnel', 'CONNECT db.internal:5432 HTTP/1.1\r\nHost: db.internal:5432\r\n\r\n', '404 not_found'],
];

// errors#requests-that-cannot-be-read
test.each(UNREAD)('%s is refused as the contract says', async (_, sent, refusal) => {
  const { status, headers, body } = parse(
    await exchange(await listen(readsAll, refusal.startsWith('408') ? IMPATIENT : {}), sent),
  );
  expect(`${status} ${body.code}`).toBe(refusal);
  expect(body.statusCode).toBe(status);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    'service-request-id': body.request_id,
  });
  expect(body.request_id).toMatch(/^req_\w{24}$/);
  expect(headers['retry-after']).toBe(body.code === 'request_timeout' ? '1' : undefined);
  expect(Number(headers['content-length'])).toBe(JSON.stringify(body).length);
  // What arrived whole says that it is a request of the contract; headers that do not end are not looked at.
  const isBelowV1 = /^[A-Z]+ \/v1\/\S{1,1000} HTTP/.test(sent) && sent.includes('\r\n\r\n');
  expect(headers['service-version']).toBe(isBelowV1 ? VERSION : undefined);
});

// errors#requests-that-cannot-be-read
test('a whole request gets its answer although what follows it is no request', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const port = await listen(async () => {
    setTimeout(release, 20);
    await released;
    return { status: 200, headers: {}, body: 'paid' };
  });
  const answer = await exchange(port, `${GET}\r\nHELLO\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\n\r\npaid$/);
});

test('a refused client that goes on sending is answered once', async () => {
  const port = await listen(readsAll);
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = once(socket, 'end');
  socket.write('HELLO\r\n\r\n');
  socket.write(GET);
  socket.write('HELLO\r\n\r\n');
  await ended;
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  socket.destroy();
});

test('a client of HTTP/1.0 needs no host, and 100-continue is an expectation that is known', async () => {
  const port = await listen(readsAll);
  expect(await exchange(port, 'GET /v1/plans HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const continued = await exchange(
    port,
    `${POST}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  );
  expect(continued).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});
