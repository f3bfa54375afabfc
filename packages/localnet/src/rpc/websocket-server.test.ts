import { on, once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createLocalnet, serveLocalnet, type Localnet, type ServedLocalnet } from '../index.js';
import { SOL, signer } from '../tests/transactions.js';

const wallet = (await signer(1)).address;
let monotonicMs = 0;
let chain: Localnet;
let served: ServedLocalnet;
let socket: WebSocket;
let messages: AsyncIterator<[Buffer]>;

beforeEach(async () => {
  monotonicMs = 0;
  chain = createLocalnet({ monotonicMs: () => monotonicMs });
  served = await serveLocalnet(chain, { port: 0 });
  socket = new WebSocket(served.webSocketUrl);
  messages = on(socket, 'message')[Symbol.asyncIterator]() as AsyncIterator<[Buffer]>;
  await once(socket, 'open');
});
afterEach(() => served.close());

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
  readonly method?: string;
  readonly params?: { readonly subscription: number; readonly result: unknown };
}

async function next(): Promise<Message> {
  const received = await messages.next();
  if (received.done === true) throw new Error('The socket closed.');
  const [data] = received.value;
  return JSON.parse(data.toString()) as Message;
}

async function call(method: string, params: readonly unknown[] = []): Promise<Message> {
  const response = next();
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return response;
}

test('calls plain methods too', async () => {
  expect(await call('getHealth')).toEqual({ jsonrpc: '2.0', id: 1, result: 'ok' });
  expect(await call('nonsenseSubscribe')).toMatchObject({ error: { code: -32601 } });
});

test('notifies a subscription until it is ended, and ends it only once', async () => {
  const { result: subscription } = await call('accountSubscribe', [
    wallet,
    { encoding: 'base64', commitment: 'confirmed' },
  ]);
  const notification = next();
  chain.setAccount(wallet, { lamports: SOL });
  expect(await notification).toMatchObject({
    method: 'accountNotification',
    params: { subscription, result: { value: { lamports: Number(SOL), data: ['', 'base64'] } } },
  });
  expect(await call('accountUnsubscribe', [subscription])).toMatchObject({ result: true });
  expect(await call('accountUnsubscribe', [subscription])).toMatchObject({ error: { code: -32602 } });
  chain.setAccount(wallet, { lamports: 2n * SOL });
  expect(await call('getHealth')).toMatchObject({ result: 'ok' });
});

test('does not end a subscription through the method of another topic', async () => {
  const { result: subscription } = await call('slotSubscribe');
  expect(await call('rootUnsubscribe', [subscription])).toMatchObject({ error: { code: -32602 } });
  expect(await call('slotUnsubscribe', [subscription])).toMatchObject({ result: true });
});

test('notifies immediately and only once of a signature that had landed before the subscription', async () => {
  const signature = chain.airdrop(wallet, SOL);
  const { result: subscription } = await call('signatureSubscribe', [signature, { commitment: 'confirmed' }]);
  expect(await next()).toMatchObject({
    method: 'signatureNotification',
    params: { subscription, result: { value: { err: null } } },
  });
  expect(await call('signatureUnsubscribe', [subscription])).toMatchObject({ error: { code: -32602 } });
});

// program#commitment-and-rpc-methods
test('notifies of a finalized signature after 31 slots and not before', async () => {
  const signature = chain.airdrop(wallet, SOL);
  await call('signatureSubscribe', [signature]);
  chain.advance({ slots: 29 });
  expect(await call('getHealth')).toMatchObject({ result: 'ok' });
  const notification = next();
  chain.advance({ slots: 1 });
  expect(await notification).toMatchObject({ method: 'signatureNotification' });
});

test("notifies of a program's accounts that match the filters", async () => {
  const owner = (await signer(9)).address;
  await call('programSubscribe', [
    owner,
    { commitment: 'confirmed', encoding: 'base64', filters: [{ dataSize: 2 }] },
  ]);
  const notification = next();
  chain.setAccount(wallet, { lamports: SOL, owner, data: Uint8Array.of(1) });
  chain.setAccount(wallet, { lamports: SOL, owner, data: Uint8Array.of(1, 2) });
  expect(await notification).toMatchObject({
    params: { result: { value: { pubkey: wallet, account: { data: ['AQI=', 'base64'] } } } },
  });
});

test('notifies of each slot of a running clock', async () => {
  const { slot } = chain.clock;
  chain.resumeClock();
  monotonicMs = 399;
  chain.pauseClock();
  await call('slotSubscribe');
  const notification = next();
  chain.resumeClock();
  monotonicMs = 400;
  expect(await notification).toMatchObject({
    method: 'slotNotification',
    params: { result: { slot: Number(slot + 1n) } },
  });
});

test('responds to invalid JSON with an error and keeps the connection', async () => {
  const response = next();
  socket.send('{');
  expect(await response).toMatchObject({ id: null, error: { code: -32700 } });
  expect(await call('getHealth')).toMatchObject({ result: 'ok' });
});
