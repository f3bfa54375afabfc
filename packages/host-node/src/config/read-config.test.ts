import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TIERS } from '@subrail/core';
import { ConfigError } from './config-error.js';
import { readConfig } from './read-config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-config-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function problemsOf(environment: Record<string, string>, file?: string): readonly string[] {
  try {
    readConfig(environment, folder, file);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

function write(name: string, content: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const KEYPAIR = JSON.stringify(Array.from({ length: 64 }, (_, index) => index));
const PRODUCTION = {
  SUBRAIL_CHAIN: 'https://one.example,https://two.example',
  SUBRAIL_NETWORK: 'mainnet-beta',
  SUBRAIL_CHARGER_KEY: KEYPAIR,
  SUBRAIL_SEALING_KEY: 'ab'.repeat(32),
};

describe('without any setting', () => {
  test('runs on the local chain, keeps state in .subrail and listens on this machine only', () => {
    expect(readConfig({}, folder)).toEqual({
      host: '127.0.0.1',
      port: null,
      basePath: '',
      publicUrl: null,
      trustedProxies: 0,
      traces: false,
      dataDir: join(folder, '.subrail'),
      database: { kind: 'sqlite', path: join(folder, '.subrail', 'subrail.sqlite') },
      chain: { kind: 'localnet' },
      network: 'devnet',
      clock: 'chain',
      localnetPort: null,
      localnetProgram: null,
      chargerKey: null,
      chargerMayOwnPlans: true,
      dashboard: true,
      computeUnitPrice: 0n,
      packing: true,
      sealingKey: null,
      olderSealingKeys: [],
      serviceName: 'Subrail',
      tiers: TIERS,
      prices: {},
      priceSource: null,
      tokens: null,
      privateTargets: true,
      metrics: null,
      warnBelowCharges: 1_000,
      alertsUrl: null,
      mail: null,
      logLevel: 'info',
      remarks: [],
    });
  });
});

describe('a valid configuration', () => {
  // seats-and-tiers#tiers-are-configuration
  test('changes what a tier allows, and leaves the rest of it and the other tiers', () => {
    const tiers = { free: { subscribers: 100 }, dev: { published_plans: null, automatic_retries: false } };
    const expected = {
      free: { ...TIERS.free, subscribers: 100 },
      dev: { ...TIERS.dev, publishedPlans: null, automaticRetries: false },
      business: TIERS.business,
    };
    expect(readConfig({ SUBRAIL_TIERS: JSON.stringify(tiers) }, folder).tiers).toEqual(expected);
    write('subrail.json', JSON.stringify({ tiers }));
    expect(readConfig({}, folder).tiers).toEqual(expected);
  });

  test('reads where verified tokens are listed', () => {
    const tokens = (SUBRAIL_TOKENS: string) => readConfig({ SUBRAIL_TOKENS }, folder).tokens;
    expect(tokens('tokens.json')).toEqual({ kind: 'file', path: join(folder, 'tokens.json') });
    expect(tokens('/etc/tokens.json')).toEqual({ kind: 'file', path: '/etc/tokens.json' });
    const url = 'https://tokens.example/all';
    expect(tokens(url)).toEqual({ kind: 'url', url });
  });

  test('reads fixed prices, and where other prices are read', () => {
    const { prices, priceSource } = readConfig(
      {
        SUBRAIL_PRICES: '{"Mint1":"1.00"}',
        SUBRAIL_PRICE_URL: 'https://prices.example/{mint}',
        SUBRAIL_PRICE_PATH: 'data.{mint}.price',
        SUBRAIL_PRICE_HEADER_FILE: write('header', 'x-api-key: a:b\n'),
      },
      folder,
    );
    expect(prices).toEqual({ Mint1: '1.00' });
    expect(priceSource).toEqual({
      url: 'https://prices.example/{mint}',
      path: ['data', '{mint}', 'price'],
      headers: { 'x-api-key': 'a:b' },
    });
    expect(readConfig({ SUBRAIL_PRICE_URL: 'https://prices.example/{mint}' }, folder).priceSource).toEqual({
      url: 'https://prices.example/{mint}',
    });
  });

  test.each([
    ['SUBRAIL_TIERS', '{'],
    ['SUBRAIL_TIERS', '[]'],
    ['SUBRAIL_TIERS', '{"gold":{}}'],
    ['SUBRAIL_TIERS', '{"free":{"seats":3}}'],
    ['SUBRAIL_TIERS', '{"free":{"subscribers":-1}}'],
    ['SUBRAIL_TIERS', '{"free":{"subscribers":"3"}}'],
    ['SUBRAIL_PRICES', '{"Mint1":1}'],
    ['SUBRAIL_PRICES', '{"Mint1":"0"}'],
    ['SUBRAIL_PRICES', '{"Mint1":"1e3"}'],
    ['SUBRAIL_TOKENS', 'https://'],
    ['SUBRAIL_PRICE_URL', 'https://prices.example/'],
    ['SUBRAIL_PRICE_URL', 'prices.example/{mint}'],
  ])('does not have %s %s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} is .*: it must be `)),
    ]);
  });

  test.each([
    ['price_path', 'a.b'],
    ['price_header', 'x-api-key: secret'],
  ])('has %s only with price_url', (name, value) => {
    expect(problemsOf({ [`SUBRAIL_${name.toUpperCase()}`]: value })).toEqual([
      `${name} has no effect without price_url: remove it, or set price_url.`,
    ]);
  });

  test('has a file, or a Postgres database with how this host connects to it', () => {
    const url = 'postgres://billing:pw@db.example/billing?sslmode=verify-full';
    expect(readConfig({ SUBRAIL_DATABASE: 'billing.db' }, folder).database).toEqual({
      kind: 'sqlite',
      path: join(folder, 'billing.db'),
    });
    const postgres = (connections: number, preparedStatements: boolean | null) => ({
      kind: 'postgres',
      url,
      connections,
      preparedStatements,
    });
    expect(readConfig({ SUBRAIL_DATABASE: url }, folder).database).toEqual(postgres(10, null));
    const twenty = {
      SUBRAIL_DATABASE_FILE: write('database', `${url}\n`),
      SUBRAIL_DATABASE_CONNECTIONS: '20',
      SUBRAIL_DATABASE_PREPARED_STATEMENTS: 'false',
    };
    expect(readConfig(twenty, folder).database).toEqual(postgres(20, false));
    for (const name of ['database_connections', 'database_prepared_statements'])
      expect(problemsOf({ [`SUBRAIL_${name.toUpperCase()}`]: '1' })).toEqual([
        `${name} has no effect on a SQLite file: remove it, or set database to a Postgres address.`,
      ]);
    // The address may have a password, so it is not shown.
    for (const misspelt of [
      'postgres://billing:pw@db.example',
      'postgress://billing:pw@db.example/billing',
      'jdbc:postgresql://db.example/billing',
      'mysql://db.example/billing',
    ])
      expect(problemsOf({ SUBRAIL_DATABASE: misspelt })).toEqual([
        'SUBRAIL_DATABASE is no address of a Postgres database, which is like postgres://user:password@host:5432/database.',
      ]);
  });

  // invariants#no-secret-leaks
  test.each([
    [
      'password=hunter2',
      /^SUBRAIL_DATABASE has the parameter password: write the user and the password before /,
    ],
    ['sslmode=require&user=billing', /^SUBRAIL_DATABASE has the parameter user: write the user and /],
    [
      'statement_timeout=0',
      /^SUBRAIL_DATABASE has the parameter statement_timeout, which Subrail sets itself: remove it\.$/,
    ],
    [
      'options=-c%20search_path%3Dother',
      /^SUBRAIL_DATABASE has the parameter options, which could change settings that Subrail relies on: remove it\.$/,
    ],
    ['sslMode=verify-full', /^SUBRAIL_DATABASE has the parameter sslMode, which does not exist\. /],
    [
      'sslmode=',
      /^SUBRAIL_DATABASE has a value of sslmode that does not exist\. Those that do are: disable, /,
    ],
  ])('refuses an address of Postgres with ?%s', (query, sentence) => {
    const problems = problemsOf({ SUBRAIL_DATABASE: `postgres://db.example/billing?${query}` });
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  // starting#secret-files
  test('keeps the password of a database in a file that only its owner may read', () => {
    const open = (database: string) => {
      const file = write('open.json', JSON.stringify({ database }));
      chmodSync(file, 0o644);
      try {
        return readConfig({ SUBRAIL_CONFIG: file }, folder).database.kind;
      } catch (error) {
        return (error as ConfigError).message;
      }
    };
    expect(open('billing.db')).toBe('sqlite');
    expect(open('postgres://billing@db.example/billing')).toBe('postgres');
    expect(open('postgres://billing@db.example/billing?sslmode=verify-full')).toBe('postgres');
    expect(open('postgres://:pw@db.example/billing')).toMatch(/open\.json holds database/);
    expect(open('postgres://billing:pw@db.example/billing')).toMatch(
      /open\.json holds database, and other users have a permission on it\. Run: chmod 600 /,
    );
  });

  test('the environment takes precedence over the file for each setting', () => {
    write('subrail.json', JSON.stringify({ port: 7000, host: '0.0.0.0', private_targets: false }));
    const config = readConfig({ SUBRAIL_PORT: '7001' }, folder);
    expect([config.port, config.host, config.privateTargets]).toEqual([7001, '0.0.0.0', false]);
  });

  test('--config takes precedence over SUBRAIL_CONFIG, which takes precedence over subrail.json', () => {
    write('subrail.json', JSON.stringify({ port: 1 }));
    write('two.json', JSON.stringify({ port: 2 }));
    write('three.json', JSON.stringify({ port: 3 }));
    expect(readConfig({ SUBRAIL_CONFIG: 'two.json' }, folder).port).toBe(2);
    expect(readConfig({ SUBRAIL_CONFIG: 'two.json' }, folder, 'three.json').port).toBe(3);
  });

  test('accepts several RPC servers separated by commas, or as a list in the file', () => {
    expect(readConfig(PRODUCTION, folder).chain).toEqual({
      kind: 'rpc',
      urls: ['https://one.example', 'https://two.example'],
    });
    write('subrail.json', JSON.stringify({ chain: ['https://three.example'] }));
    const { SUBRAIL_CHAIN: _, ...rest } = PRODUCTION;
    expect(readConfig(rest, folder).chain).toEqual({ kind: 'rpc', urls: ['https://three.example'] });
  });

  test('serves the metrics on this machine only, unless a host is given', () => {
    const metrics = (more = {}) => readConfig({ SUBRAIL_METRICS_PORT: '9464', ...more }, folder).metrics;
    expect(metrics()).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(metrics({ SUBRAIL_METRICS_HOST: '0.0.0.0' })).toEqual({ host: '0.0.0.0', port: 9464 });
  });

  // deliveries#endpoint-address
  test('accepts a list of private targets separated by commas, or as a list in the file', () => {
    const { privateTargets } = readConfig({ SUBRAIL_PRIVATE_TARGETS: 'localhost:3000, 10.1.0.0/16' }, folder);
    expect(privateTargets).toEqual(['localhost:3000', '10.1.0.0/16']);
    write('subrail.json', JSON.stringify({ private_targets: ['receiver.test'] }));
    expect(readConfig({}, folder).privateTargets).toEqual(['receiver.test']);
    expect(readConfig({ SUBRAIL_PRIVATE_TARGETS: '1' }, folder).privateTargets).toBe(true);
  });

  test('the compute price is fixed, or follows recent fees up to a ceiling', () => {
    const priceWith = (more: Record<string, string>) =>
      readConfig({ ...PRODUCTION, ...more }, folder).computeUnitPrice;
    expect(priceWith({ SUBRAIL_COMPUTE_PRICE: '2500' })).toBe(2_500n);
    expect(priceWith({ SUBRAIL_COMPUTE_PRICE: 'recent' })).toEqual({ upTo: 100_000n });
    const ceiling = { SUBRAIL_COMPUTE_PRICE: 'recent', SUBRAIL_COMPUTE_PRICE_CEILING: '7000' };
    expect(priceWith(ceiling)).toEqual({ upTo: 7_000n });
  });

  test('with an RPC server, time is the system clock and webhooks go to public addresses only', () => {
    const config = readConfig(PRODUCTION, folder);
    expect([config.clock, config.privateTargets]).toEqual(['system', false]);
  });

  test('reads a secret from a file and ignores the newline at its end', () => {
    write('sealing.txt', `${'cd'.repeat(32)}\n`);
    const { SUBRAIL_SEALING_KEY: _, ...rest } = PRODUCTION;
    const config = readConfig({ ...rest, SUBRAIL_SEALING_KEY_FILE: 'sealing.txt' }, folder);
    expect(config.sealingKey).toEqual(new Uint8Array(32).fill(0xcd));
  });

  test('accepts a sealing key in hexadecimal or in base64', () => {
    const bytes = new Uint8Array(32).fill(0xfb);
    for (const encoding of ['hex', 'base64'] as const) {
      const SUBRAIL_SEALING_KEY = Buffer.from(bytes).toString(encoding);
      expect(readConfig({ ...PRODUCTION, SUBRAIL_SEALING_KEY }, folder).sealingKey).toEqual(bytes);
    }
  });

  test('accepts older sealing keys separated by commas, as a list in the file, or one a line in a file of their own', () => {
    const older = [new Uint8Array(32).fill(0xcd), new Uint8Array(32).fill(0xfb)];
    const texts = ['cd'.repeat(32), Buffer.from(older[1] ?? []).toString('base64')];
    const keysOf = (environment: Record<string, string>) => readConfig(environment, folder).olderSealingKeys;
    expect(keysOf({ ...PRODUCTION, SUBRAIL_OLDER_SEALING_KEYS: texts.join(', ') })).toEqual(older);
    write('older.txt', `${texts.join('\n')}\n`);
    expect(keysOf({ ...PRODUCTION, SUBRAIL_OLDER_SEALING_KEYS_FILE: 'older.txt' })).toEqual(older);
    write('subrail.json', JSON.stringify({ older_sealing_keys: texts }));
    expect(keysOf({})).toEqual(older);
  });

  test('accepts a charger key as text or, in the file, as the list of numbers of a key file', () => {
    const { SUBRAIL_CHARGER_KEY: _, ...rest } = PRODUCTION;
    write('subrail.json', JSON.stringify({ charger_key: JSON.parse(KEYPAIR) as unknown }));
    expect(readConfig(PRODUCTION, folder).chargerKey).toBe(KEYPAIR);
    expect(readConfig(rest, folder).chargerKey).toBe(KEYPAIR);
  });
});

describe('an invalid configuration is refused with the setting, the value found and the value expected', () => {
  test.each([
    [
      { SUBRAIL_PORT: 'eighty' },
      'SUBRAIL_PORT is "eighty": it must be a whole number from 0 to 65535, 0 for any free port.',
    ],
    [
      { SUBRAIL_PORT: '' },
      'SUBRAIL_PORT is empty: it must be a whole number from 0 to 65535, 0 for any free port.',
    ],
    [
      { SUBRAIL_PORT: '65536' },
      'SUBRAIL_PORT is "65536": it must be a whole number from 0 to 65535, 0 for any free port.',
    ],
    [
      { SUBRAIL_BASE_PATH: 'billing/' },
      'SUBRAIL_BASE_PATH is "billing/": it must be a path that starts with / and does not end with it, such as /billing.',
    ],
    [
      { SUBRAIL_BASE_PATH: '/a/../b' },
      'SUBRAIL_BASE_PATH is "/a/../b": it must be a path that starts with / and does not end with it, such as /billing.',
    ],
    [
      { SUBRAIL_CHAIN: 'solana' },
      'SUBRAIL_CHAIN is "solana": it must be localnet, or one or more http or https addresses of Solana RPC servers, separated by commas.',
    ],
    [
      { SUBRAIL_TRUSTED_PROXIES: '-1' },
      'SUBRAIL_TRUSTED_PROXIES is "-1": it must be the number of proxies in front of the host, a whole number from 0 to 10.',
    ],
    [
      { SUBRAIL_PRIVATE_TARGETS: 'yes' },
      'SUBRAIL_PRIVATE_TARGETS is "yes": it must be true to allow webhooks to private addresses (development), false, or a list with commas between of what to allow, each a host (localhost, receiver.test), an address or a block of addresses (10.1.0.0/16), or a host with a port (localhost:3000).',
    ],
    [
      { SUBRAIL_PRIVATE_TARGETS: 'localhost:3000, 10.1.0.0/40' },
      'Item 2 of SUBRAIL_PRIVATE_TARGETS is "10.1.0.0/40": the setting must be true to allow webhooks to private addresses (development), false, or a list with commas between of what to allow, each a host (localhost, receiver.test), an address or a block of addresses (10.1.0.0/16), or a host with a port (localhost:3000).',
    ],
    [
      { SUBRAIL_SERVICE_NAME: 'Shop\u202e' },
      'SUBRAIL_SERVICE_NAME is "Shop\u202e": it must be the name shown in the terms that wallets sign, 1 to 64 characters.',
    ],
    [
      { SUBRAIL_LOG_LEVEL: 'loud' },
      'SUBRAIL_LOG_LEVEL is "loud": it must be one of debug, info, warn, error, silent.',
    ],
  ])('%j', (environment, sentence) => {
    expect(problemsOf(environment)).toEqual([sentence]);
  });

  test('refuses an unknown variable and an unknown setting, suggests one, and lists the known ones', () => {
    write('subrail.json', JSON.stringify({ prot: 1 }));
    const [inFile, inEnvironment] = problemsOf({ SUBRAIL_PROT: '1' });
    expect(inFile).toMatch(
      /^"prot" in .*subrail\.json is not a known setting\. Did you mean "port"\? Known ones: "host", "port"/,
    );
    expect(inEnvironment).toMatch(
      /^SUBRAIL_PROT is not a known environment variable\. Did you mean SUBRAIL_PORT\? Known ones: SUBRAIL_HOST.*, SUBRAIL_CHARGER_KEY, SUBRAIL_CHARGER_KEY_FILE, .*, SUBRAIL_CONFIG\.$/,
    );
    expect(inFile).toContain('"sealing_key", "sealing_key_file"');
    expect(inFile).not.toContain('config"');
  });

  test.each(['HELP', 'HELP_', '', '-', '-H', '--', '--HELP'])('suggests nothing for SUBRAIL_%s', (name) => {
    const [problem] = problemsOf({ [`SUBRAIL_${name}`]: '1' });
    expect(problem).toContain(`SUBRAIL_${name} is not a known environment variable. Known ones: `);
  });

  test('never shows a secret that is invalid', () => {
    const text = problemsOf({ ...PRODUCTION, SUBRAIL_SEALING_KEY: 'hush-hush' }).join();
    expect(text).toContain('SUBRAIL_SEALING_KEY is a text of 9 characters: it must be 32 bytes');
    expect(text).not.toContain('hush');
  });

  test('names the older sealing key that is invalid, and shows none', () => {
    const expected =
      'earlier sealing keys with commas between, each 32 bytes, as 64 hexadecimal digits or in base64.';
    const given = `${'ab'.repeat(32)},hush-hush`;
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_OLDER_SEALING_KEYS: given })).toEqual([
      `Item 2 of SUBRAIL_OLDER_SEALING_KEYS is a text of 9 characters: the setting must be ${expected}`,
    ]);
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_OLDER_SEALING_KEYS: 'hush-hush' }).join()).toBe(
      `SUBRAIL_OLDER_SEALING_KEYS is a text of 9 characters: it must be ${expected}`,
    );
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_OLDER_SEALING_KEYS: '' })).toEqual([
      `SUBRAIL_OLDER_SEALING_KEYS is empty: it must be ${expected}`,
    ]);
  });

  test.each([
    ['a character that base64 does not have', `${'A'.repeat(20)}!${'A'.repeat(23)}=`],
    ['bits after the last byte', `${'A'.repeat(42)}B=`],
    ['a word before it', `key ${'A'.repeat(40)}=`],
    ['a letter that is not a hexadecimal digit', `${'ab'.repeat(31)}ag`],
  ])('refuses a mistyped sealing key instead of reading it as another one: %s', (_, SUBRAIL_SEALING_KEY) => {
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_SEALING_KEY })).toEqual([
      `SUBRAIL_SEALING_KEY is a text of ${SUBRAIL_SEALING_KEY.length} characters: it must be 32 bytes, as 64 hexadecimal digits or in base64.`,
    ]);
  });

  test('refuses a secret that is given both directly and by file', () => {
    write('sealing.txt', 'ab'.repeat(32));
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_SEALING_KEY_FILE: 'sealing.txt' })).toEqual([
      'SUBRAIL_SEALING_KEY and SUBRAIL_SEALING_KEY_FILE are both given: remove one of them.',
    ]);
  });

  // starting#secret-files
  test.each([
    ['SUBRAIL_SEALING_KEY', 0o640],
    ['SUBRAIL_SEALING_KEY', 0o604],
    ['SUBRAIL_OLDER_SEALING_KEYS', 0o640],
    ['SUBRAIL_CHARGER_KEY', 0o644],
    ['SUBRAIL_CHARGER_KEY', 0o601],
  ] as const)('refuses a file of %s on which other users have a permission (mode %o)', (variable, mode) => {
    const given = { ...PRODUCTION, SUBRAIL_OLDER_SEALING_KEYS: 'cd'.repeat(32) };
    const { [variable]: content, ...rest } = given;
    const path = write('secret', content, mode);
    expect(problemsOf({ ...rest, [`${variable}_FILE`]: 'secret' })).toEqual([
      `${variable}_FILE names ${path}, on which other users have a permission. Run: chmod 600 ${path}`,
    ]);
  });

  test.each(['SUBRAIL_SEALING_KEY', 'SUBRAIL_CHARGER_KEY'] as const)(
    'reports a file of %s that does not exist, and not that the secret is missing',
    (variable) => {
      const { [variable]: _, ...rest } = PRODUCTION;
      const [problem = '', ...others] = problemsOf({ ...rest, [`${variable}_FILE`]: 'nowhere.json' });
      expect(problem).toMatch(
        new RegExp(`^${variable}_FILE names .*nowhere\\.json, which cannot be read: ENOENT`),
      );
      expect(others).toEqual([]);
    },
  );

  test('does not take a secret from the configuration file in place of one that cannot be read', () => {
    const { SUBRAIL_SEALING_KEY, ...rest } = PRODUCTION;
    write('subrail.json', JSON.stringify({ sealing_key: SUBRAIL_SEALING_KEY }));
    expect(problemsOf({ ...rest, SUBRAIL_SEALING_KEY_FILE: 'nowhere.json' })).toHaveLength(1);
  });

  test('accepts a variable that names a file only for a secret', () => {
    expect(problemsOf({ SUBRAIL_PORT_FILE: 'port.txt' })[0]).toMatch(/^SUBRAIL_PORT_FILE is not a known/);
  });

  test('requires a network, a charger and a sealing key with an RPC server, and reports all that are missing', () => {
    expect(problemsOf({ SUBRAIL_CHAIN: 'https://one.example' }).map((text) => text.split(':')[0])).toEqual([
      'SUBRAIL_NETWORK is missing',
      'SUBRAIL_CHARGER_KEY is missing',
      'SUBRAIL_SEALING_KEY is missing',
    ]);
  });

  test('refuses settings that have no effect on the chosen chain or contradict it', () => {
    expect(
      problemsOf({ SUBRAIL_NETWORK: 'mainnet-beta', SUBRAIL_CLOCK: 'system', SUBRAIL_CHARGER_KEY: KEYPAIR }),
    ).toEqual([
      'network is mainnet-beta, but the local chain is devnet: set chain to your RPC servers.',
      'clock is system, but the local chain always sets the time: remove clock.',
      'charger_key has no effect on the local chain, which creates its own: remove it.',
    ]);
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_COMPUTE_PRICE_CEILING: '7000' })).toEqual([
      'compute_price_ceiling has no effect without compute_price recent: set that, or remove it.',
    ]);
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_LOCALNET_PORT: '8899' })).toEqual([
      'localnet_port has no effect with an RPC server: remove it, or set chain to localnet.',
    ]);
  });

  test.each([[{ SUBRAIL_SMTP_URL: 'smtp://mail.example' }], [{ SUBRAIL_MAIL_FROM: 'billing@shop.example' }]])(
    'refuses a mail server without a sender, and the other way round: %j',
    (settings) => {
      expect(problemsOf(settings)).toEqual([
        'smtp_url and mail_from belong together: name the mail server and the address that its mails come from, or neither for no mails.',
      ]);
    },
  );

  test.each([
    ['smtp://user@mail.example', 'has only one of user and password.'],
    ['smtp://user:50%off@mail.example', 'has a % that begins no escape: write it as %25.'],
    [
      'smtp://user:pass@mail.example:587/x',
      'goes on after its port. Write a / of the user or the password as %2F',
    ],
    ['smtp:mail.example', 'is not like smtps://user:password@mail.example.com:465.'],
    ['post.example', 'is not like smtps://user:password@mail.example.com:465.'],
  ])('refuses %s as a mail server in the words of its mailer', (address, fault) => {
    const problems = problemsOf({ SUBRAIL_SMTP_URL: address, SUBRAIL_MAIL_FROM: 'billing@shop.example' });
    expect(problems).toEqual([expect.stringContaining(`SUBRAIL_SMTP_URL ${fault}`)]);
    expect(problems[0]).not.toContain(address);
  });

  test('signs mails with a key for the domain that they come from', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const mail = { SUBRAIL_SMTP_URL: 'smtp://mail.example', SUBRAIL_MAIL_FROM: 'billing@shop.example' };
    const signed = { ...mail, SUBRAIL_DKIM_SELECTOR: 'mails', SUBRAIL_DKIM_KEY: pem };
    const { mail: read } = readConfig(signed, folder);
    expect(read?.smtp.dkim).toEqual({ domain: 'shop.example', selector: 'mails', privateKey: pem });
    expect(problemsOf({ ...mail, SUBRAIL_DKIM_SELECTOR: 'mails' })).toEqual([
      'dkim_selector and dkim_key belong together: give both, or neither for no signatures.',
    ]);
    expect(problemsOf({ SUBRAIL_DKIM_SELECTOR: 'mails', SUBRAIL_DKIM_KEY: pem })).toEqual([
      'dkim_key has no effect without smtp_url: remove it, or set smtp_url.',
    ]);
    const { privateKey: short } = generateKeyPairSync('rsa', { modulusLength: 512 });
    for (const key of ['no key', short.export({ type: 'pkcs8', format: 'pem' }).toString()])
      expect(problemsOf({ ...signed, SUBRAIL_DKIM_KEY: key })).toEqual([
        expect.stringMatching(
          /^SUBRAIL_DKIM_KEY is a text of .* a private RSA key in PEM of 1,024 bits or more/,
        ),
      ]);
    expect(problemsOf({ ...signed, SUBRAIL_DKIM_SELECTOR: 'mails._domainkey.shop.example' })).toEqual([
      expect.stringContaining('without its domain'),
    ]);
  });

  // starting#secret-files
  test.each([
    ['the charger key', { charger_key: KEYPAIR, port: 0 }, 'charger_key'],
    ['two secrets', { charger_key: KEYPAIR, sealing_key: 'ab'.repeat(32) }, 'charger_key and sealing_key'],
  ])('refuses a configuration file with %s on which other users have a permission', (_, settings, names) => {
    const path = write('subrail.json', JSON.stringify(settings), 0o640);
    const { SUBRAIL_CHAIN, SUBRAIL_NETWORK } = PRODUCTION;
    const sealing = 'sealing_key' in settings ? {} : { SUBRAIL_SEALING_KEY: PRODUCTION.SUBRAIL_SEALING_KEY };
    expect(problemsOf({ SUBRAIL_CHAIN, SUBRAIL_NETWORK, ...sealing })).toEqual([
      `${path} holds ${names}, and other users have a permission on it. Run: chmod 600 ${path}`,
    ]);
  });

  test('takes a configuration file without secrets that everyone can read', () => {
    write(
      'subrail.json',
      JSON.stringify({ port: 7000, sealing_key_file: write('sealing', 'ab'.repeat(32)) }),
      0o644,
    );
    expect(readConfig({}, folder).port).toBe(7000);
  });

  test('refuses to follow the chain clock on mainnet-beta', () => {
    expect(problemsOf({ ...PRODUCTION, SUBRAIL_CLOCK: 'chain' })).toEqual([
      'clock is chain, which is for development, but network is mainnet-beta: remove clock.',
    ]);
  });

  test('refuses a file that is missing, not JSON or not an object, and names its path', () => {
    expect(problemsOf({}, 'nowhere.json')[0]).toMatch(
      /^The configuration file .*nowhere\.json cannot be read: ENOENT/,
    );
    write('subrail.json', '[]');
    expect(problemsOf({})[0]).toMatch(/subrail\.json must hold one JSON object\.$/);
    write('subrail.json', '{');
    expect(problemsOf({})[0]).toMatch(/subrail\.json is not JSON: /);
  });
});
