import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { createCustomerHandler, createHandler } from '@subrail/core';
import { createLocalnet, localnetTransport } from '@subrail/localnet';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keyFileText } from '../tests/keys.js';
import { openBillingOnce, type OpenBillingOptions } from '../index.js';

let folder: string;
let options: OpenBillingOptions;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-once-'));
  options = {
    database: join(folder, 'billing.db'),
    rpc: localnetTransport(createLocalnet()),
    charger: await generateKeyPairSigner(),
    sealingKey: '5'.repeat(64),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('opens nothing for a late request after the service was closed, until it is asked for anew', async () => {
  const open = openBillingOnce(options);
  const handler = createHandler(open);
  const status = async () => (await handler(new Request('https://app.example/v1/plans', { headers }))).status;
  const headers = { authorization: `Bearer SUB_${'x'.repeat(43)}` };
  expect(await status()).toBe(401);
  const billing = await open();
  await billing.close();
  expect([await status(), await open()]).toEqual([503, billing]);
  const anew = openBillingOnce(options);
  const next = await anew();
  expect(next).not.toBe(billing);
  // A repeated close is that of the service before.
  await billing.close();
  expect([await anew(), await open()]).toEqual([next, next]);
  expect(await status()).toBe(401);
  await next.close();
});

it('opens a service once, for callers at once and for a module that is loaded again, until it is closed', async () => {
  const open = openBillingOnce(options);
  const [billing, again] = await Promise.all([open(), openBillingOnce(options)()]);
  expect(again).toBe(billing);
  vi.resetModules();
  const reloaded = await import('../index.js');
  expect(reloaded.openBillingOnce).not.toBe(openBillingOnce);
  expect(await reloaded.openBillingOnce(options)()).toBe(billing);
  const other = await openBillingOnce({ ...options, database: join(folder, 'other.db') })();
  expect(other).not.toBe(billing);
  await Promise.all([billing.close(), other.close()]);
});

// errors#internal-errors
it('tries an opening again that failed, which a handler answers and the log explains', async () => {
  const charger = join(folder, 'charger.json');
  vi.stubEnv('SUBRAIL_CHARGER_KEY', charger);
  const logged: unknown[] = [];
  const logger = {
    ...options.logger,
    error: (facts: object, sentence: string) => logged.push({ ...facts, sentence }),
  };
  const { charger: _, ...rest } = { ...options, logger: logger as OpenBillingOptions['logger'] };
  const open = openBillingOnce(rest as Partial<OpenBillingOptions>);
  const handler = createCustomerHandler(open, { project: 'proj_1', customer: () => null });
  const session = () => handler(new Request('https://app.example/api/billing/session'));
  vi.useFakeTimers({ toFake: ['performance'] });
  const refused = await session();
  const body = (await refused.json()) as Readonly<Record<string, unknown>>;
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    500,
    'application/json; charset=utf-8',
  ]);
  expect(body).toMatchObject({
    code: 'internal_error',
    request_id: refused.headers.get('service-request-id'),
  });
  expect(JSON.stringify(body)).not.toContain(charger);
  expect(logged).toMatchObject([
    { request_id: body['request_id'], sentence: expect.stringContaining(charger) as string },
  ]);
  expect(JSON.stringify(logged)).toContain('It comes from SUBRAIL_CHARGER_KEY.');
  await expect(
    createCustomerHandler(() => open(), { project: 'proj_1', customer: () => null })(
      new Request('https://app.example/session'),
    ),
  ).rejects.toThrow(charger);
  // A stranger's calls start no opening each, and fill no log.
  writeFileSync(charger, await keyFileText(), { mode: 0o600 });
  expect((await session()).status).toBe(500);
  expect(logged).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  expect([(await session()).status, (await session()).status]).toEqual([401, 401]);
  await (await open()).close();
});

it('says that a database which cannot be reached is unavailable', async () => {
  const open = openBillingOnce({ ...options, database: 'postgres://nobody@127.0.0.1:1/billing' });
  await expect(open()).rejects.toMatchObject({
    name: 'Unavailable',
    message: expect.stringMatching(/^No Postgres server can be reached at 127/) as string,
  });
});

it('takes what it was not given from the environment when it opens, or says how to give it', async () => {
  const { database: _, rpc, charger, sealingKey, ...rest } = options;
  const open = () => openBillingOnce({ ...rest, rpc, charger })();
  await expect(open()).rejects.toThrow(
    'The service has no "database": set SUBRAIL_DATABASE, or give openBillingOnce the option.',
  );
  vi.stubEnv('SUBRAIL_DATABASE', join(folder, 'billing.db'));
  vi.stubEnv('SUBRAIL_SEALING_KEY', String(sealingKey));
  vi.stubEnv('SUBRAIL_NETWORK', 'testnet');
  await expect(open()).rejects.toThrow('"network" must be devnet or mainnet-beta');
  vi.stubEnv('SUBRAIL_NETWORK', ' ');
  vi.stubEnv('SUBRAIL_CLOCK', 'chian');
  await expect(open()).rejects.toThrow('SUBRAIL_CLOCK must be system or chain');
  vi.stubEnv('SUBRAIL_CLOCK', 'chain');
  vi.stubEnv('SUBRAIL_PUBLIC_URL', 'pay.example');
  await expect(open()).rejects.toThrow('It comes from SUBRAIL_PUBLIC_URL.');
  vi.stubEnv('SUBRAIL_PUBLIC_URL', 'https://pay.example/billing/');
  const billing = await open();
  expect(billing.service.clock).not.toBe(billing.service.wallClock);
  expect(billing.service.settings.publicUrl).toBe('https://pay.example/billing');
  await billing.close();
  vi.stubEnv('SUBRAIL_CHAIN', 'https://a.example, ftp://b.example');
  await expect(openBillingOnce({ ...rest, charger })()).rejects.toThrow('Item 2 of "rpc"');
});
