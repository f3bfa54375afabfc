import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalnet, serveLocalnet, type ServedLocalnet } from '../index.js';

let served: ServedLocalnet;

beforeAll(async () => {
  served = await serveLocalnet(createLocalnet(), { port: 0 });
});
afterAll(() => served.close());

test('the WebSocket is on the next port', async () => {
  const port = (url: string) => Number(new URL(url).port);
  expect(port(served.webSocketUrl)).toBeGreaterThan(0);
  const again = await serveLocalnet(createLocalnet(), { port: 0 });
  expect(port(again.url)).not.toBe(port(served.url));
  await again.close();
});

test('a port that is taken is an error, and nothing stays open', async () => {
  const taken = Number(new URL(served.url).port);
  await expect(serveLocalnet(createLocalnet(), { port: taken })).rejects.toThrow('EADDRINUSE');
});
