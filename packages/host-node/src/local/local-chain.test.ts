import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalnet } from '@subrail/localnet';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLocalChain } from './local-chain.js';

const SAVED = 1_800_000_000_000;
const SETTINGS = { anotherFile: 'another file with --data', port: '--port', program: '--program' };
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
    settings: SETTINGS,
  });
  const { localnet } = opened;
  expect(localnet.clock.snapshot().jumps.at(-1)?.unixMs).toBe(1_700_000_005_000);
  expect(localnet.blockhashIsValid(blockhash)).toBe(true);
  await opened.close();
});

test('takes the rent of a cluster, for a new chain and for a saved one', async () => {
  const file = join(folder, 'chain');
  const common = { file, port: 0, program: null, logger: pino({ level: 'silent' }), settings: SETTINGS };
  const rents: bigint[] = [];
  for (const lamportsPerByte of [6_333n, null, 5_080n]) {
    const opened = await openLocalChain({ ...common, lamportsPerByte });
    rents.push(opened.localnet.lamportsPerByte);
    await opened.close();
  }
  expect(rents).toEqual([6_333n, 6_333n, 5_080n]);
});

test.each([
  ['is missing', null, /^--program names .*program\.so, which cannot be read: ENOENT/],
  [
    'is not a program',
    'not an ELF',
    /^--program names .*program\.so, which is not a program: it must be an ELF file/,
  ],
])('refuses a program file that %s', async (_, content, sentence) => {
  const program = join(folder, 'program.so');
  if (content !== null) writeFileSync(program, content);
  const options = { file: null, port: 0, program, logger: pino({ level: 'silent' }), settings: SETTINGS };
  await expect(openLocalChain(options)).rejects.toThrow(sentence);
});
