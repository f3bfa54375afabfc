import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  ensurePrivateFolder(folder, 'SUBRAIL_DATA_DIR');
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

test('stores keys in files that only their owner can read, in a folder that only their owner can enter', () => {
  loadOrCreateSecret(join(folder, 'sealing-key'), () => 'secret');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'sealing-key')).mode & 0o777).toBe(0o600);
});

test('creates a folder with its parents, and leaves one that exists as it is', () => {
  const inner = join(folder, 'a', 'b');
  ensurePrivateFolder(inner, 'SUBRAIL_DATA_DIR');
  chmodSync(inner, 0o750);
  ensurePrivateFolder(inner, 'SUBRAIL_DATA_DIR');
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(inner).mode & 0o777).toBe(0o750);
});

test('refuses a folder that cannot be created, and names what chooses it', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => {
    ensurePrivateFolder(file, 'SUBRAIL_DATA_DIR');
  }).toThrow(
    new StateError(
      `The folder ${file} cannot be created: EEXIST: file already exists, mkdir '${file}'. Choose another one with SUBRAIL_DATA_DIR.`,
    ),
  );
});

// On Linux, Node's own recursive mkdir never returns here.
test('refuses a folder inside /proc', () => {
  expect(() => {
    ensurePrivateFolder('/proc/subrail/state', 'SUBRAIL_DATA_DIR');
  }).toThrow(/^The folder \/proc\/subrail\/state cannot be created: /);
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

test('refuses a damaged key file with a sentence that says what to do', async () => {
  const path = join(folder, 'wallet.json');
  writeFileSync(path, '[1,2', { mode: 0o600 });
  await expect(loadOrCreateSigner(path)).rejects.toThrow(
    new StateError(
      `The key file ${path} is not a Solana key. It must be a JSON array of 64 numbers, or base58 of 64 bytes. Restore the file from a copy, or delete the folder ${folder} to start over.`,
    ),
  );
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
