import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { sendResponse } from './send-response.js';

/** The size of a part, and their number: far more than the buffers between two sockets hold. */
const [PART, PARTS] = ['x'.repeat(100_000), 2_000];

let stop: () => void;
afterEach(() => {
  stop();
});

/** Asks a server that answers with parts, and tells how many were asked for and how the answer went. */
async function ask(parts: (made: { count: number; ended: boolean }) => AsyncIterable<string>) {
  const made = { count: 0, ended: false };
  let settled: (error: unknown) => void;
  const sent = new Promise<unknown>((resolve) => (settled = resolve));
  const server = createServer((_, outgoing) => {
    sendResponse({ status: 200, headers: {}, body: parts(made) }, outgoing).then(
      () => settled('sent'),
      (error: unknown) => settled(error),
    );
  }).listen(0, '127.0.0.1');
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return { made, sent, response };
}

async function* manyParts(made: { count: number; ended: boolean }) {
  try {
    for (; made.count < PARTS; made.count++) yield PART;
  } finally {
    made.ended = true;
  }
}

/** The number of parts that were asked for once no more are. */
async function atRest(made: { readonly count: number }): Promise<number> {
  for (let before = -1, same = 0; same < 200; before = made.count) {
    await turn();
    same = before === made.count ? same + 1 : 0;
  }
  return made.count;
}

// payments#exports
test('parts are asked for as the client takes them, and no more once it has gone', async () => {
  const { made, sent, response } = await ask(manyParts);
  response.once('data', () => response.pause());
  expect(await atRest(made)).toBeLessThan(PARTS / 2);
  expect(made.ended).toBe(false);
  response.destroy();
  expect(await sent).toBe('sent');
  expect(made).toMatchObject({ ended: true });
  expect(made.count).toBeLessThan(PARTS / 2);
});

test('all parts arrive in their order', async () => {
  const { response } = await ask(async function* () {
    for (const part of ['one\r\n', 'zwö\r\n', 'three\r\n']) yield part;
  });
  let text = '';
  for await (const part of response.setEncoding('utf8') as AsyncIterable<string>) text += part;
  expect(text).toBe('one\r\nzwö\r\nthree\r\n');
  expect(response.complete).toBe(true);
});

test('a part that cannot be read cuts the connection, so that the answer does not look whole', async () => {
  const error = new Error('The database is gone.');
  const { sent, response } = await ask(async function* () {
    yield 'one';
    await turn();
    throw error;
  });
  response.resume();
  expect(await sent).toBe(error);
  await new Promise((resolve) => response.once('close', resolve));
  expect(response.complete).toBe(false);
});
