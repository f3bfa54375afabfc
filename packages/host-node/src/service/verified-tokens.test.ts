import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../config/config-error.js';
import { verifiedTokens } from './verified-tokens.js';

const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };
const DEMO = { mint: 'demo', symbol: 'dUSD', name: 'Demo dollar', logoUrl: null };
const LISTED = { mint: 'listed', symbol: 'USDX', name: 'Dollar X', logoUrl: null };
const LIST = JSON.stringify({ tokens: [{ address: 'listed', symbol: 'USDX', name: 'Dollar X' }] });

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'subrail-tokens-')), 'tokens.json');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

const inFile = (demo: typeof DEMO | null = null) =>
  verifiedTokens({ network: 'devnet', tokens: { kind: 'file', path } }, demo, LOGGER);

test('the tokens of a file, and the token of the demo plan, are verified', async () => {
  writeFileSync(path, LIST);
  expect(await inFile().list()).toEqual([LISTED]);
  expect(await inFile(DEMO).list()).toEqual([DEMO, LISTED]);
  expect(await verifiedTokens({ network: 'devnet', tokens: null }, DEMO, LOGGER).list()).toEqual([DEMO]);
});

test.each([
  ['is missing', null, /^tokens is the file .*tokens\.json, which cannot be used: ENOENT/],
  ['is no list', '{}', /cannot be used: The list of tokens has no array "tokens", and is none itself\.$/],
])('a start is refused with a file that %s', (_, text, sentence) => {
  if (text !== null) writeFileSync(path, text);
  expect(() => inFile()).toThrow(ConfigError);
  expect(() => inFile()).toThrow(sentence);
});

test('the tokens at an address are verified', async () => {
  const server = createServer((_, response) => response.end(LIST));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tokens = { network: 'devnet', tokens: { kind: 'url', url } } as const;
  expect(await verifiedTokens(tokens, null, LOGGER).list()).toEqual([LISTED]);
  expect(await verifiedTokens(tokens, DEMO, LOGGER).list()).toEqual([LISTED, DEMO]);
  server.close();
});
