import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Socket, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkedLookup } from './checked-lookup.js';
import { Connections } from './connections.js';
import { createHttpSender, type HttpSenderOptions, type NodeHttpSender } from './sender.js';
import { sendRequest } from './request.js';
import { CERTIFICATE, KEY } from './tests/certificate.js';

const post = (url: string) => ({ url, headers: {}, body: 'hello', timeoutMs: 10_000 });

/** What a server does with a request: `nth` counts the requests of its connection from 1. */
type Respond = (response: ServerResponse, nth: number, request: IncomingMessage) => void;

/** Long enough for the beginning of an answer to arrive on a busy machine. */
const STALLED_MS = 1_500;

const ANSWER: Respond = (response) => response.end('ok');
const closing: (() => unknown)[] = [];

interface Endpoint {
  readonly url: string;
  /** The number of requests of each connection, the oldest first. */
  readonly requests: number[];
  readonly sockets: readonly Socket[];
}

/** Opens a server that answers as `respond` says, and counts the requests of each connection. */
async function open(respond: Respond = ANSWER, tls = false): Promise<Endpoint> {
  const requests: number[] = [];
  const sockets: Socket[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const index = sockets.indexOf(request.socket);
    requests[index] = (requests[index] ?? 0) + 1;
    request.resume().on('end', () => respond(response, requests[index] ?? 0, request));
  };
  const server = tls ? createTlsServer({ cert: CERTIFICATE, key: KEY }, listener) : createServer(listener);
  // A connection that stays open longer than the sender keeps it.
  server.keepAliveTimeout = 60_000;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.push(socket);
    requests.push(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/`, requests, sockets };
}

function senderOf(options: HttpSenderOptions = {}): NodeHttpSender {
  const sender = createHttpSender({ allowPrivate: true, ...options });
  closing.push(() => sender.close());
  return sender;
}

/** Waits until a connection is back with the sender, which is the turn after its answer ended. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
const untilClosed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    if (socket === undefined || socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a connection', () => {
  test('is used again for the same origin, and not for another', async () => {
    const [one, other] = [await open(), await open()];
    const sender = senderOf();
    for (const { url } of [one, other, one, one]) {
      expect(await sender.post(post(url))).toMatchObject({ kind: 'answered', status: 200, excerpt: 'ok' });
      await turn();
    }
    expect([one.requests, other.requests]).toEqual([[3], [1]]);
  });

  test('is used for one request at a time', async () => {
    const { url, requests } = await open();
    const sender = senderOf();
    await Promise.all([1, 2, 3].map(() => sender.post(post(url))));
    expect(requests).toEqual([1, 1, 1]);
  });

  test('is looked up when it is opened, and not when it is used again', async () => {
    const { url, requests } = await open();
    const { port } = new URL(url);
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    const sender = senderOf({ resolve: async () => answers.shift() ?? [] });
    for (let each = 0; each < 3; each += 1) {
      expect((await sender.post(post(`http://hooks.test:${port}/`))).kind).toBe('answered');
      await turn();
    }
    expect([requests, answers]).toEqual([[3], [['192.0.2.1']]]);
  });

  test('is closed when it was not in use for a while', async () => {
    const { url, sockets } = await open();
    const sender = senderOf({ idleMs: 20 });
    await sender.post(post(url));
    await untilClosed(sockets[0]);
    expect(sockets).toHaveLength(1);
  });

  test('is closed when it is the longest unused of too many, whatever their origins are', async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const sender = senderOf({ mostIdle: 2 });
    for (const { url } of [one, two, three]) {
      await sender.post(post(url));
      await turn();
    }
    await untilClosed(one.sockets[0]);
    for (const { url } of [two, three]) await sender.post(post(url));
    expect([one.requests, two.requests, three.requests]).toEqual([[1], [2], [2]]);
  });

  test('is closed for each one too many, also when several come out of use at once', () => {
    const { kept } = new Connections({ idleMs: 4_000, mostIdle: 2 });
    const sockets = [1, 2, 3, 4, 5].map(() => new Socket());
    for (const socket of sockets) kept.plain.keepSocketAlive(socket);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false, false]);
  });

  test('serves one request when none may stay open', async () => {
    const { url, requests, sockets } = await open();
    const sender = senderOf({ mostIdle: 0 });
    for (const each of [0, 1]) {
      await sender.post(post(url));
      await untilClosed(sockets[each]);
    }
    expect(requests).toEqual([1, 1]);
  });

  test('is closed after a minute, even when it is always in use', async () => {
    const { url, requests, sockets } = await open();
    const sender = senderOf();
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    for (const at of [0, 30_000, 59_999, 60_000]) {
      now = at;
      await sender.post(post(url));
      await turn();
    }
    await untilClosed(sockets[0]);
    await sender.post(post(url));
    expect(requests).toEqual([4, 1]);
  });

  test('does not keep the process alive when it is not in use', async () => {
    const { url, sockets } = await open();
    const sender = senderOf();
    const alive = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    await sender.post(post(url));
    await turn();
    const whileOpen = alive();
    sender.close();
    await untilClosed(sockets[0]);
    // Of the two ends only the server's counted, which runs in this process too.
    expect(whileOpen - alive()).toBe(1);
  });

  test('is closed with the sender: at once when it is not in use, else when its answer ends', async () => {
    const waiting: ServerResponse[] = [];
    const [idle, busy] = [await open(), await open((response) => waiting.push(response))];
    const sender = senderOf();
    await sender.post(post(idle.url));
    await turn();
    const outcome = sender.post(post(busy.url));
    await expect.poll(() => waiting).toHaveLength(1);
    sender.close();
    await untilClosed(idle.sockets[0]);
    expect(busy.sockets[0]?.destroyed).toBe(false);
    waiting[0]?.end('ok');
    expect((await outcome).kind).toBe('answered');
    await untilClosed(busy.sockets[0]);
    // A post after that still works, on a new connection that only it uses.
    expect((await sender.post(post(idle.url))).kind).toBe('answered');
    await untilClosed(idle.sockets[1]);
  });
});

describe('an answer', () => {
  test('that is short is read to its end, and its connection is used again', async () => {
    const { url, requests } = await open((response) => response.end('x'.repeat(4_096)));
    const sender = senderOf();
    for (let each = 0; each < 2; each += 1) {
      expect(await sender.post(post(url))).toMatchObject({ excerpt: 'x'.repeat(1_024) });
      await turn();
    }
    expect(requests).toEqual([2]);
  });

  test('that is long costs its connection', async () => {
    const { url, requests, sockets } = await open((response) => response.end('x'.repeat(4_097)));
    const sender = senderOf();
    for (const each of [0, 1]) {
      expect(await sender.post(post(url))).toMatchObject({ excerpt: 'x'.repeat(1_024) });
      await untilClosed(sockets[each]);
    }
    expect(requests).toEqual([1, 1]);
  });

  test('that stalls costs its connection', async () => {
    const { url, requests, sockets } = await open((response) => response.write('x'));
    const sender = senderOf();
    for (const each of [0, 1]) {
      const outcome = await sender.post({ ...post(url), timeoutMs: STALLED_MS });
      expect(outcome).toMatchObject({ kind: 'answered', excerpt: 'x' });
      await untilClosed(sockets[each]);
    }
    expect(requests).toEqual([1, 1]);
  });
});

/** Answers the first request of each connection, and closes the connection at the second. */
const CLOSES_ON_REUSE: Respond = (response, nth) => {
  if (nth === 1) response.end('ok');
  else response.destroy();
};

// deliveries#reused-connection
describe('a connection that is used again', () => {
  test.each([
    ['is closed', CLOSES_ON_REUSE],
    [
      'is reset',
      (response, nth) => (nth === 1 ? response.end('ok') : (response.socket as Socket).resetAndDestroy()),
    ],
  ] as const satisfies [string, Respond][])(
    'and %s before any byte of an answer costs no attempt',
    async (_, respond) => {
      const { url, requests } = await open(respond);
      const sender = senderOf();
      await sender.post(post(url));
      await turn();
      expect(await sender.post(post(url))).toMatchObject({ kind: 'answered', status: 200 });
      expect(requests).toEqual([2, 1]);
    },
  );

  test('is retried on a new connection even when others are open', async () => {
    const { url, requests } = await open(CLOSES_ON_REUSE);
    const sender = senderOf();
    await Promise.all([1, 2, 3].map(() => sender.post(post(url))));
    await turn();
    expect(await sender.post(post(url))).toMatchObject({ kind: 'answered' });
    expect(requests.toSorted()).toEqual([1, 1, 1, 2]);
  });

  test('and breaks after the first byte of an answer is a failed attempt', async () => {
    const { url, requests } = await open((response, nth) => {
      if (nth === 1) response.end('ok');
      else response.socket?.write('HTTP/1.1 2', () => response.socket?.destroy());
    });
    const sender = senderOf();
    await sender.post(post(url));
    await turn();
    expect((await sender.post(post(url))).kind).toBe('failed');
    expect(requests).toEqual([2]);
  });

  test('is retried once', async () => {
    let answered = 0;
    const { url, requests } = await open((response) => {
      answered += 1;
      if (answered === 1) response.end('ok');
      else response.destroy();
    });
    const sender = senderOf();
    await sender.post(post(url));
    await turn();
    expect((await sender.post(post(url))).kind).toBe('failed');
    expect(requests).toEqual([2, 1]);
  });

  test('is retried within the same deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { url, requests } = await open((response, nth, { socket }) => {
      if (nth === 1 && requests.length === 1) response.end('ok');
      // The second request breaks late, and the third gets no answer.
      else if (nth === 2) {
        vi.advanceTimersByTime(200);
        socket.destroy();
      } else vi.advanceTimersByTime(100);
    });
    const sender = senderOf();
    await sender.post(post(url));
    await turn();
    expect(await sender.post({ ...post(url), timeoutMs: 300 })).toEqual({ kind: 'timed_out' });
    expect(requests).toEqual([2, 1]);
  });

  test('is one over TLS too', async () => {
    const { url, requests } = await open(CLOSES_ON_REUSE, true);
    const connections = new Connections({ idleMs: 4_000, mostIdle: 10, ca: CERTIFICATE });
    closing.push(() => connections.close());
    const target = new URL(url.replace('127.0.0.1', 'localhost'));
    const send = () =>
      sendRequest(
        target,
        post(target.href),
        connections,
        checkedLookup(
          async () => ['127.0.0.1'],
          () => true,
        ),
      );
    for (let each = 0; each < 2; each += 1) {
      expect(await send()).toMatchObject({ kind: 'answered', status: 200 });
      await turn();
    }
    expect(requests).toEqual([2, 1]);
  });
});

test('a connection that fails when it is first opened is not retried', async () => {
  const { url, requests } = await open((response) => response.destroy());
  expect((await senderOf().post(post(url))).kind).toBe('failed');
  expect(requests).toEqual([1]);
});
