import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { createCustomerHandler } from '@subrail/core';
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
  const next = await open();
  expect(next).not.toBe(billing);
  // A repeated close is that of the service before.
  await billing.close();
  expect(await open()).toBe(next);
  await next.close();
});

it('tries an opening again that failed, and a handler over it with the next request', async () => {
  const charger = join(folder, 'charger.json');
  const open = openBillingOnce({ ...options, charger });
  const handler = createCustomerHandler(open, { project: 'proj_1', customer: () => null });
  const session = () => handler(new Request('https://app.example/api/billing/session'));
  await expect(session()).rejects.toThrow(charger);
  writeFileSync(charger, await keyFileText(), { mode: 0o600 });
  expect([(await session()).status, (await session()).status]).toEqual([401, 401]);
  await (await open()).close();
});

it('takes what it was not given from the environment when it opens, or says how to give it', async () => {
  const { database: _, rpc, charger, sealingKey, ...rest } = options;
  const open = openBillingOnce({ ...rest, rpc, charger });
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
  const billing = await open();
  expect(billing.service.clock).not.toBe(billing.service.wallClock);
  await billing.close();
  vi.stubEnv('SUBRAIL_CHAIN', 'https://a.example, ftp://b.example');
  await expect(openBillingOnce({ ...rest, charger })()).rejects.toThrow('Item 2 of "rpc"');
});
