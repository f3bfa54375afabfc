import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readHostsFile } from './hosts-file.js';

const folder = mkdtempSync(join(tmpdir(), 'subrail-hosts-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('finds the addresses of a name, and those of a file that has changed', () => {
  const path = join(folder, 'hosts');
  const find = readHostsFile(path);
  expect(find('receiver.test')).toEqual([]);
  writeFileSync(path, '# machines\n10.1.2.3\tReceiver.test receiver # the office\n\nfd00::3 receiver.test\n');
  expect(find('receiver.test')).toEqual(['10.1.2.3', 'fd00::3']);
  expect(find('receiver')).toEqual(['10.1.2.3']);
  writeFileSync(path, '10.1.2.44 receiver.test\n');
  expect(find('receiver.test')).toEqual(['10.1.2.44']);
  expect(find('receiver')).toEqual([]);
});

test('finds localhost without a file, and as the file has it', () => {
  const path = join(folder, 'other-hosts');
  const find = readHostsFile(path);
  expect(find('localhost')).toEqual(['127.0.0.1', '::1']);
  writeFileSync(path, '127.0.0.1 localhost\n');
  expect(find('localhost')).toEqual(['127.0.0.1']);
  expect(find('shop.localhost')).toEqual(['127.0.0.1', '::1']);
});
