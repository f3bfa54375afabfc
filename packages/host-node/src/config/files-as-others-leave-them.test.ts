import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPrivateFile, writePrivateFile } from '../state/private-files.js';
import { StateError } from '../state/state-error.js';
import { errorMessage } from '../command/error-message.js';
import { readConfig } from './read-config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const SETTINGS = JSON.stringify({ service_name: 'Käse', sealing_key: 'ab'.repeat(32) });

test.each([
  ['UTF-8', Buffer.from(SETTINGS)],
  ['UTF-8 with a mark, as Notepad does', Buffer.from(`\uFEFF${SETTINGS}`)],
  ['UTF-16 with a mark, as PowerShell does', Buffer.from(`\uFEFF${SETTINGS}\r\n`, 'utf16le')],
  ['lines of Windows', Buffer.from(`${SETTINGS.replaceAll(',', ',\r\n')}\r\n`)],
])('reads subrail.json in %s', (_, bytes) => {
  writeFileSync(join(folder, 'subrail.json'), bytes, { mode: 0o600 });
  expect(readConfig({}, folder)).toMatchObject({ serviceName: 'Käse' });
});

test.each([
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${'ab'.repeat(32)}\r\n`)],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${'ab'.repeat(32)}\r\n`, 'utf16le')],
])('reads the file of a secret in %s', (_, bytes) => {
  writeFileSync(join(folder, 'key'), bytes, { mode: 0o600 });
  const { sealingKey } = readConfig({ SUBRAIL_SEALING_KEY_FILE: 'key' }, folder);
  expect(Buffer.from(sealingKey ?? []).toString('hex')).toBe('ab'.repeat(32));
});

test('takes a subrail.json that is a link to nowhere for a configuration that is missing', () => {
  symlinkSync(join(folder, 'unmounted', 'subrail.json'), join(folder, 'subrail.json'));
  expect(() => readConfig({}, folder)).toThrow(
    /^The configuration file .*subrail\.json cannot be read: ENOENT/,
  );
});

test('makes no new key in place of a link to nowhere', () => {
  const path = join(folder, 'sealing-key');
  symlinkSync(join(folder, 'unmounted', 'sealing-key'), path);
  expect(() => readPrivateFile(path)).toThrow(StateError);
});

test('says in a sentence what cannot be written', () => {
  const path = join(folder, 'nowhere', 'key');
  expect(() => writePrivateFile(path, 'secret')).toThrow(
    new StateError(
      `The file ${path} cannot be written: ENOENT: no such file or directory, open '${path}.new'.`,
    ),
  );
});

test('says in a sentence that an addon was built for another Node', () => {
  const error = Object.assign(
    new Error("The module '/app/better_sqlite3.node'\nwas compiled against a different Node.js version"),
    { code: 'ERR_DLOPEN_FAILED' },
  );
  expect(errorMessage(error)).toBe(
    `A native addon does not fit this Node, ${process.version} on ${process.platform} ${process.arch}: it was built for another one. Build or install Subrail again with this Node. The module '/app/better_sqlite3.node'`,
  );
});
