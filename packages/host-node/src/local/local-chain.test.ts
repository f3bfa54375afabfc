import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalnet } from '@subrail/localnet';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLocalChain } from './local-chain.js';

const SAVED = 1_800_000_000_000;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-chain-'));
  vi.useFakeTimers({ toFake: ['Date'], now: SAVED });
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

test('advances a restored chain by the time since its clock was saved, whenever its file was written', async () => {
  const file = join(folder, 'chain');
  const before = createLocalnet({ unixTime: 1_700_000_000n });
  await before.save(file);
  const { blockhash } = before.latestBlockhash();
  // The file took a second to reach the disk.
  utimesSync(file, new Date(SAVED + 1_000), new Date(SAVED + 1_000));
  vi.setSystemTime(SAVED + 5_000);
  const opened = await openLocalChain({
    file,
    port: 0,
    program: null,
    logger: pino({ level: 'silent' }),
  });
  const { localnet } = opened;
  expect(localnet.clock.snapshot().jumps.at(-1)?.unixMs).toBe(1_700_000_005_000);
  expect(localnet.blockhashIsValid(blockhash)).toBe(true);
  await opened.close();
});
