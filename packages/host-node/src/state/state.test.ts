import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensurePrivateFolder, loadOrCreateSecret } from './private-files.js';
import { loadOrCreateSigner } from './signer-file.js';
import { lockFile } from './file-lock.js';
import { StateError } from './state-error.js';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'subrail-state-')), '.subrail');
  ensurePrivateFolder(folder);
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

test('keys are kept in files only their owner can read, in a folder only their owner can enter', () => {
  loadOrCreateSecret(join(folder, 'sealing-key'), () => 'made once');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'sealing-key')).mode & 0o777).toBe(0o600);
});

test('a secret is made once and found again', () => {
  expect(loadOrCreateSecret(join(folder, 'a'), () => 'first')).toBe('first');
  expect(loadOrCreateSecret(join(folder, 'a'), () => 'second')).toBe('first');
});

test('a kept signer is the same after a restart, and its file is a Solana key file', async () => {
  const path = join(folder, 'wallet.json');
  const { address } = await loadOrCreateSigner(path);
  expect((await loadOrCreateSigner(path)).address).toBe(address);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(64);
});

test('a folder is held by one at a time', () => {
  const path = join(folder, 'chain');
  const release = lockFile(path);
  expect(() => lockFile(path)).toThrow(StateError);
  release();
  lockFile(path)();
});

// A child process is the only holder that can be killed; starting one costs a few hundred milliseconds.
test('a holder that is killed does not leave the folder locked', async () => {
  const path = join(folder, 'chain');
  const lock = new URL('./file-lock.js', import.meta.url).href;
  const program = `import(${JSON.stringify(lock)}).then(({ lockFile }) => {
    lockFile(${JSON.stringify(path)});
    process.stdout.write('held');
    setInterval(() => {}, 1e6);
  });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => lockFile(path)).toThrow(StateError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockFile(path)();
});
