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

test('stores keys in files that only their owner can read, in a folder that only their owner can enter', () => {
  loadOrCreateSecret(join(folder, 'sealing-key'), () => 'secret');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'sealing-key')).mode & 0o777).toBe(0o600);
});

test('creates a secret once and finds it again', () => {
  expect(loadOrCreateSecret(join(folder, 'a'), () => 'first')).toBe('first');
  expect(loadOrCreateSecret(join(folder, 'a'), () => 'second')).toBe('first');
});

test('loads the same signer after a restart, from a Solana key file', async () => {
  const path = join(folder, 'wallet.json');
  const { address } = await loadOrCreateSigner(path);
  expect((await loadOrCreateSigner(path)).address).toBe(address);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(64);
});

test('lets one holder at a time lock a file', () => {
  const path = join(folder, 'chain');
  const release = lockFile(path, 'another file');
  expect(() => lockFile(path, 'another file with --data')).toThrow(
    new StateError(`Another process is using ${path}. Stop it first, or choose another file with --data.`),
  );
  release();
  lockFile(path, 'another file')();
});

// Only a child process can be killed while it has the lock; starting one costs a few hundred milliseconds.
test('releases the lock when its holder is killed', async () => {
  const path = join(folder, 'chain');
  const lock = new URL('./file-lock.js', import.meta.url).href;
  const program = `import(${JSON.stringify(lock)}).then(({ lockFile }) => {
    lockFile(${JSON.stringify(path)}, 'another file');
    process.stdout.write('locked');
    setInterval(() => {}, 1e6);
  });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => lockFile(path, 'another file')).toThrow(StateError);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockFile(path, 'another file')();
});
