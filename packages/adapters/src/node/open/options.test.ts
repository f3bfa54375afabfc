import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBilling, type OpenBillingOptions } from '../index.js';
import { SECRET, keyFileText } from '../tests/keys.js';
import { chooseDatabase } from './choose-database.js';

let folder: string;
let valid: OpenBillingOptions;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-options-'));
  valid = {
    database: ':memory:',
    rpc: 'http://127.0.0.1:1',
    timeouts: { answerMs: 50, totalMs: 100 },
    charger: await generateKeyPairSigner(),
    sealingKey: new Uint8Array(32).fill(1),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The message of the error with which `openBilling` refuses these options. */
async function refusal(bad: Record<string, unknown>): Promise<string> {
  const opened = openBilling({ ...valid, ...bad });
  const error = await opened.then(
    async (billing) => billing.close().then(() => null),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  return (error as TypeError).message;
}

describe('openBilling refuses, by its name,', () => {
  it.each([
    [
      'an unknown option',
      { sealingkey: 'x' },
      /^openBilling has no option "sealingkey"\. Its options are: database, /,
    ],
    [
      'a Postgres address without a database',
      { database: 'postgres://u:hunter2@db' },
      /^"database" is no address of a Postgres database, which is like postgres:\/\/user:password@host:5432\/database\.$/,
    ],
    [
      'options with an address that is none of Postgres',
      { database: { url: 'https://u:hunter2@db/x' } },
      /^"database" is no address of a Postgres database/,
    ],
    [
      'an address with the password in its query',
      { database: 'postgres://db/x?password=hunter2' },
      /^"database" has the parameter password: write the user and the password before the host/,
    ],
    [
      'options with an address that sets a time-out',
      { database: { url: 'postgres://u:hunter2@db/x?lock_timeout=0' } },
      /^"database" has the parameter lock_timeout, which Subrail sets itself: remove it\.$/,
    ],
    [
      'options of connections with one that does not exist',
      { database: { url: 'postgres://u:hunter2@db/x', ssl: {} } },
      /^A Postgres database has no option "ssl"\. Its options are: url, poolSize, timeouts, tls, /,
    ],
    [
      'an address of another database',
      { database: 'mysql://u:hunter2@db/x' },
      /^"database" is an address that begins with mysql:/,
    ],
    [
      'a database in a folder that is missing',
      { database: '/nowhere/at/all/x.db' },
      /^The folder \/nowhere\/at\/all of "database" does not exist\./,
    ],
    [
      'a file address with a query',
      { database: 'file:x.db?mode=ro' },
      /^"database" is a file: address with a query/,
    ],
    [
      'no database',
      { database: undefined },
      /^"database" must be the path of a SQLite file, a file: address of one, or a postgres: address; it is missing\.$/,
    ],
    ['an empty path', { database: '' }, /^"database" must be .* it is empty\.$/],
    ['no RPC server', { rpc: undefined }, /^"rpc" must be .* it is missing\.$/],
    ['an empty list of RPC servers', { rpc: [] }, /^"rpc" is an empty list/],
    [
      'a list with a bad RPC server',
      { rpc: ['https://a.example', 'ws://secret'] },
      /^Item 2 of "rpc" must be .* it is a text of 11 characters\.$/,
    ],
    ['no charger', { charger: undefined }, /^"charger" must be .* it is missing\.$/],
    [
      'a charger that is no signer',
      { charger: { address: 'x' } },
      /^"charger" must be .* it is an object\.$/,
    ],
    [
      'a charger file that is missing',
      { charger: 'nowhere.json' },
      /^"charger" cannot be used\. The key file \/.*\/nowhere\.json is missing .* run: solana-keygen new -o nowhere\.json \(or subrail keygen --out nowhere\.json\)$/,
    ],
    [
      'a short sealing key',
      { sealingKey: new Uint8Array(31) },
      /^"sealingKey" must be 32 bytes, .* it is 31 bytes\.$/,
    ],
    [
      'a sealing key that is no text of bytes',
      { sealingKey: 'x'.repeat(40) },
      /^"sealingKey" must be 32 bytes, .* it is a text of 40 characters\.$/,
    ],
    [
      'older sealing keys that are no list',
      { olderSealingKeys: 'ab'.repeat(32) as never },
      /^"olderSealingKeys" must be a list of sealing keys; it is a text of 64 characters\.$/,
    ],
    [
      'a short older sealing key',
      { olderSealingKeys: ['ab'.repeat(32), 'x'.repeat(40)] },
      /^Item 2 of "olderSealingKeys" must be 32 bytes, .* it is a text of 40 characters\.$/,
    ],
    ['an unknown network', { network: 'testnet' }, /^"network" must be devnet or mainnet-beta/],
    [
      'a logger without a method',
      { logger: { info() {} } },
      /^"logger" must be an object with debug, warn, error; it is an object\.$/,
    ],
    ['tokens that are no object', { tokens: 'none' }, /^"tokens" must be an object with list/],
    ['prices without their method', { prices: {} }, /^"prices" must be an object with usd/],
    [
      'the clock of a chain on mainnet-beta',
      { clock: 'chain', network: 'mainnet-beta' },
      /^"clock" is chain, which is for development, but "network" is mainnet-beta/,
    ],
    ['a clock without its methods', { clock: {} }, /^"clock" must be an object with now, sleep/],
    ['a sender without its method', { sender: {} }, /^"sender" must be an object with post/],
    [
      'a base path of no use',
      { handler: { basePath: 'billing' } },
      /^basePath must be empty or begin with a slash/,
    ],
  ])('%s', async (_, bad, message) => {
    expect(await refusal(bad)).toMatch(message);
  });

  it.each([
    ['a damaged list of bytes', { charger: `[${SECRET.join(',')}` }],
    ['base58 with a character too many', { charger: 'z'.repeat(95) }],
    ['base64', { charger: Buffer.from(SECRET).toString('base64').repeat(2) }],
    ['a list without brackets', { charger: SECRET.join(', ') }],
    ['a damaged sealing key', { sealingKey: `${Buffer.from(SECRET).toString('hex')}0` }],
    [
      'a database address with a password',
      { database: `postgresql://u:${Buffer.from(SECRET).toString('hex')}@db` },
    ],
    ['an RPC server with a key', { rpc: `wss://rpc.example/${Buffer.from(SECRET).toString('hex')}` }],
  ])('secrets without showing them: %s', async (_, bad) => {
    const message = await refusal(bad);
    const [given = ''] = Object.values(bad);
    for (let start = 0; start + 12 <= given.length; start += 1) {
      // Only runs of digits and letters that the messages do not have on their own.
      const part = given.slice(start, start + 12);
      expect(message).not.toContain(part.startsWith('postgresql') || part.startsWith('wss') ? '\0' : part);
    }
  });
});

it.each([
  [undefined, 'missing'],
  [null, 'null'],
  ['billing.db', 'a text of 10 characters'],
])('openBilling refuses %j in place of its options', async (options, found) => {
  await expect(openBilling(options as never)).rejects.toThrow(
    new TypeError(`openBilling needs an object with database, rpc, charger and sealingKey; it is ${found}.`),
  );
});

describe('openBilling takes', () => {
  const open = async (options: Partial<OpenBillingOptions>) => {
    const billing = await openBilling({ ...valid, ...options });
    await billing.close();
    return billing.service;
  };

  it('the charger as the path of a key file, its content, or a signer', async () => {
    const path = join(folder, 'charger.json');
    const text = await keyFileText();
    writeFileSync(path, text, { mode: 0o600 });
    const fromFile = (await open({ charger: path })).chain.charger;
    expect((await open({ charger: `${text}\n` })).chain.charger).toBe(fromFile);
    const signer = await generateKeyPairSigner();
    expect((await open({ charger: signer })).chain.charger).toBe(signer.address);
  });

  it('the sealing key as bytes, hexadecimal digits or base64', async () => {
    const bytes = Buffer.from(SECRET);
    const { crypto } = await open({ sealingKey: SECRET });
    const sealed = await crypto.seal(Uint8Array.of(1, 2, 3));
    for (const sealingKey of [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      `${bytes.toString('base64')}\n`,
    ]) {
      expect(await (await open({ sealingKey })).crypto.open(sealed)).toEqual(Uint8Array.of(1, 2, 3));
    }
  });

  // deliveries#sealing-key-rotation
  it('older sealing keys in the same forms, which open what they sealed and seal nothing', async () => {
    const older = [new Uint8Array(32).fill(2), new Uint8Array(32).fill(3)] as const;
    const before = await Promise.all(
      older.map(async (sealingKey) => (await open({ sealingKey })).crypto.seal(Uint8Array.of(1, 2, 3))),
    );
    const olderSealingKeys = [older[0], Buffer.from(older[1]).toString('base64')];
    const { crypto } = await open({ sealingKey: SECRET, olderSealingKeys });
    for (const sealed of before) expect(await crypto.open(sealed)).toEqual(Uint8Array.of(1, 2, 3));
    const { crypto: newest } = await open({ sealingKey: SECRET });
    expect(await newest.open(await crypto.seal(Uint8Array.of(4)))).toEqual(Uint8Array.of(4));
  });

  it('one RPC server or several, and the network', async () => {
    expect((await open({ rpc: ['https://a.example', 'http://b.example'] })).chain.network).toBe('devnet');
    expect((await open({ network: 'mainnet-beta' })).chain.network).toBe('mainnet-beta');
  });

  it('a database as a path or a file address', () => {
    const path = join(folder, 'a b.db');
    const sqlite = (path: string) => ({ kind: 'sqlite', path });
    expect(chooseDatabase(path)).toEqual(sqlite(path));
    expect(chooseDatabase(pathToFileURL(path))).toEqual(sqlite(path));
    expect(chooseDatabase(pathToFileURL(path).href)).toEqual(sqlite(path));
    expect(chooseDatabase('file:billing.db')).toEqual(sqlite('billing.db'));
    expect(chooseDatabase('billing.db')).toEqual(sqlite('billing.db'));
  });

  it('a Postgres database as an address, or with the options of its connections', () => {
    const url = 'postgresql://subrail:pw@db.example:5432/subrail?sslmode=verify-full';
    const postgres = (options: object) => ({ kind: 'postgres', options });
    expect(chooseDatabase(url)).toEqual(postgres({ url }));
    expect(chooseDatabase(new URL(url))).toEqual(postgres({ url }));
    expect(chooseDatabase({ url, poolSize: 3 })).toEqual(postgres({ url, poolSize: 3 }));
  });
});
