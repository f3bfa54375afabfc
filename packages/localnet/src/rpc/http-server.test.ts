import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalnet, serveLocalnet, type Localnet, type ServedLocalnet } from '../index.js';
import { signer } from '../tests/transactions.js';

let chain: Localnet;
let served: ServedLocalnet;
const wallet = (await signer(1)).address;

beforeAll(async () => {
  chain = createLocalnet();
  served = await serveLocalnet(chain, { port: 0 });
});
afterAll(() => served.close());

const post = (body: string) =>
  fetch(served.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
const rpc = async (body: unknown): Promise<unknown> => (await post(JSON.stringify(body))).json();
const call = (method: string, params: unknown = []) => rpc({ jsonrpc: '2.0', id: 1, method, params });

describe('JSON-RPC 2.0 over HTTP', () => {
  test('a response has the id of its request: a number, a string or null', async () => {
    for (const id of [7, 'seven', null]) {
      expect(await rpc({ jsonrpc: '2.0', id, method: 'getHealth' })).toEqual({
        jsonrpc: '2.0',
        id,
        result: 'ok',
      });
    }
  });

  test('a batch gets responses in order, and none for its notifications', async () => {
    const body = [
      { jsonrpc: '2.0', id: 1, method: 'getHealth' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'nonsense' },
      5,
    ];
    expect(await rpc(body)).toEqual([
      { jsonrpc: '2.0', id: 1, result: 'ok' },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found: nonsense' } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } },
    ]);
    expect(await (await post('{"jsonrpc":"2.0","method":"getHealth"}')).text()).toBe('');
    expect(await rpc([])).toMatchObject({ id: null, error: { code: -32600 } });
  });

  test('text that is not JSON is -32700, an object that is not a request -32600', async () => {
    for (const text of ['', '{', 'hello', '{"a":1}}']) {
      expect(await (await post(text)).json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Parse error' },
      });
    }
    expect(await rpc({ id: 1, method: 'getHealth' })).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await rpc({ jsonrpc: '2.0', id: 1, method: 5 })).toMatchObject({ error: { code: -32600 } });
    expect(await rpc({ jsonrpc: '2.0', id: {}, method: 'getHealth' })).toMatchObject({ id: null });
  });

  test("an unknown method is -32601, also with the name of an object's property", async () => {
    for (const method of ['getNothing', 'toString', 'constructor', '__proto__', 'slotSubscribe']) {
      expect(await call(method)).toMatchObject({
        error: { code: -32601, message: `Method not found: ${method}` },
      });
    }
  });

  // program#transaction-admission
  test('a wrong parameter is -32602, and the message says which one it is and what it must be', async () => {
    const refusals: readonly (readonly [string, unknown, string])[] = [
      ['getBalance', ['abc'], 'pubkey must be an address in base58'],
      ['getBalance', { pubkey: wallet }, 'the parameters must be a list'],
      [
        'getBalance',
        [wallet, { commitment: 'soon' }],
        'config.commitment must be one of processed, confirmed, finalized',
      ],
      [
        'getAccountInfo',
        [wallet, { encoding: 'hex' }],
        'config.encoding must be one of binary, base58, base64, base64+zstd, jsonParsed',
      ],
      ['getMultipleAccounts', [Array(101).fill(wallet)], 'Too many inputs provided; max 100'],
      ['getSignatureStatuses', [Array(257).fill('1')], 'Too many inputs provided; max 256'],
      ['getSignatureStatuses', [['nonsense']], 'signatures[0] must be a signature in base58'],
      ['getMinimumBalanceForRentExemption', [-1], 'dataLength must be an unsigned 64-bit integer'],
      ['getMinimumBalanceForRentExemption', [1.5], 'dataLength must be an unsigned 64-bit integer'],
      ['sendTransaction', ['AAAA', { encoding: 'base64' }], 'the transaction ends too early'],
      ['sendTransaction', ['*', { encoding: 'base64' }], 'transaction must be a transaction in base64'],
    ];
    for (const [method, params, message] of refusals) {
      expect(await call(method, params)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(message) as string },
      });
    }
  });

  test('64-bit integers stay exact in requests and responses', async () => {
    const huge = 18_446_744_073_709_551_615n;
    const body = `{"jsonrpc":"2.0","id":9007199254740993,"method":"surfnet_setAccount","params":["${wallet}",{"lamports":${huge}}]}`;
    expect(await (await post(body)).text()).toContain('"id":9007199254740993');
    expect(chain.getAccount(wallet)?.lamports).toBe(huge);
    const text = await (
      await post(`{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["${wallet}"]}`)
    ).text();
    expect(text).toContain(`"value":${huge}`);
  });

  test('the server allows web pages of any origin', async () => {
    const preflight = await fetch(served.url, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-headers': 'content-type,solana-client',
        origin: 'https://shop.example',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,solana-client');
    expect((await post('{}')).headers.get('access-control-allow-origin')).toBe('*');
  });

  test('GET /health responds ok, and methods other than POST are refused', async () => {
    expect(await (await fetch(`${served.url}/health`)).text()).toBe('ok');
    expect((await fetch(served.url)).status).toBe(405);
    expect((await fetch(served.url, { method: 'DELETE' })).status).toBe(405);
  });

  test('a body that is too large is refused before it is fully read', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(served.url, { method: 'POST' }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      for (let megabytes = 0; megabytes < 25; megabytes++) sent.write(chunk);
    });
    expect(status).toBe(413);
  });
});
