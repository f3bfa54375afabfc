import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { nameOf } from '../command/require-database.js';
import { configSecrets } from './config-secrets.js';
import { readConfig } from './read-config.js';
import { createRedactor } from '../log/redact.js';

function redactorFor(url: string) {
  const environment = {
    SUBRAIL_CHAIN: url,
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_CHARGER_KEY: 'charger-key-text',
    SUBRAIL_SEALING_KEY: 'ab'.repeat(32),
  };
  return createRedactor(configSecrets(readConfig(environment, '/')));
}

// invariants#no-secret-leaks
test.each([
  ['a segment of the path', 'https://rpc.example/v2/abcdefghij', 'abcdefghij'],
  ['a value of the query', 'https://rpc.example/?api-key=12345678-aaaa&x=1', '12345678-aaaa'],
  ['a query without a name', 'https://rpc.example/?abcdefghij', 'abcdefghij'],
  ['a password as written', 'https://u:p%40ssw0rd!x@rpc.example/', 'p%40ssw0rd!x'],
  ['a password decoded', 'https://u:p%40ssw0rd!x@rpc.example/', 'p@ssw0rd!x'],
])('redacts %s of an RPC URL wherever it appears', (_, url, secret) => {
  expect(redactorFor(url)(`failed with ${secret}.`)).toBe('failed with [redacted].');
});

// invariants#no-secret-leaks
test('redacts the key of the price source, in its address and in its header', () => {
  const redact = createRedactor(
    configSecrets(
      readConfig(
        {
          SUBRAIL_PRICE_URL: 'https://prices.example/{mint}?key=abcdefghij',
          SUBRAIL_PRICE_HEADER: 'x-api-key: klmnopqrst',
        },
        '/',
      ),
    ),
  );
  expect(redact('failed with abcdefghij and klmnopqrst.')).toBe('failed with [redacted] and [redacted].');
});

// invariants#no-secret-leaks
test('redacts the sealing key and the older ones, in both forms', () => {
  const [newest, older, oldest] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
  const environment = {
    SUBRAIL_SEALING_KEY: newest?.toString('hex') ?? '',
    SUBRAIL_OLDER_SEALING_KEYS: `${older?.toString('hex')},${oldest?.toString('base64')}`,
  };
  const redact = createRedactor(configSecrets(readConfig(environment, '/')));
  for (const key of [newest, older, oldest]) {
    const forms = `${key?.toString('hex')} ${key?.toString('base64')}`;
    expect(redact(forms)).toBe('[redacted] [redacted]');
  }
});

// invariants#no-secret-leaks
test('redacts the password of the Postgres database, and not its name', () => {
  const environment = { SUBRAIL_DATABASE: 'postgres://billing:p%40ss@db.example/billing' };
  const redact = createRedactor(configSecrets(readConfig(environment, '/')));
  expect(redact('p@ss and p%40ss of billing')).toBe('[redacted] and [redacted] of billing');
});

// invariants#no-secret-leaks
test('redacts the password of a Postgres database with several hosts', () => {
  const environment = { SUBRAIL_DATABASE: 'postgres://billing:p%40ss@one.example:5432,two.example/billing' };
  const { database, ...config } = readConfig(environment, '/');
  const redact = createRedactor(configSecrets({ database, ...config }));
  expect(redact('p@ss and p%40ss of billing')).toBe('[redacted] and [redacted] of billing');
  expect(nameOf(database)).toBe('postgres://billing@one.example:5432,two.example/billing');
});

test('redacts the secret part of the address to which alerts go', () => {
  const environment = { SUBRAIL_ALERTS_URL: 'https://chat.example/hooks/abcdefghij' };
  const redact = createRedactor(configSecrets(readConfig(environment, '/')));
  expect(redact('failed with abcdefghij.')).toBe('failed with [redacted].');
});

test('redacts a part whole when another part is its beginning', () => {
  expect(redactorFor('https://rpc.example/abcdefgh/abcdefghij')('abcdefghij')).toBe('[redacted]');
});

test('leaves short words of a URL readable', () => {
  expect(redactorFor('https://rpc.example/v2/abcdefghij')('GET /v2 of rpc.example')).toBe(
    'GET /v2 of rpc.example',
  );
});

// invariants#no-secret-leaks
test('redacts the password of the mail server, and not its name', () => {
  const environment = {
    SUBRAIL_SMTP_URL: 'smtps://billing:p%40ss@mail.example',
    SUBRAIL_MAIL_FROM: 'billing@shop.example',
  };
  const redact = createRedactor(configSecrets(readConfig(environment, '/')));
  expect(redact('p@ss and p%40ss of mail.example')).toBe('[redacted] and [redacted] of mail.example');
});

// invariants#no-secret-leaks
test('redacts the lines of the key that signs mails', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const environment = {
    SUBRAIL_SMTP_URL: 'smtps://mail.example',
    SUBRAIL_MAIL_FROM: 'billing@shop.example',
    SUBRAIL_DKIM_SELECTOR: 'mails',
    SUBRAIL_DKIM_KEY: pem,
  };
  const redact = createRedactor(configSecrets(readConfig(environment, '/')));
  expect(redact(JSON.stringify({ key: pem }))).toMatch(
    /^\{"key":"-----BEGIN PRIVATE KEY-----(\\n\[redacted\])+\\n-----END PRIVATE KEY-----\\n"\}$/,
  );
});
