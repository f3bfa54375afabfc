import { expect, test } from 'vitest';
import { openFile } from './file.js';
import { scratchFile } from './tests/scratch.js';

/** The value of `PRAGMA synchronous` with which a commit waits until the disk has the WAL. */
const FULL = 2;

test('a commit is on the disk before it returns, in a WAL that other connections can read', () => {
  const { path, remove } = scratchFile();
  const file = openFile(path, 5000);
  expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(file.pragma('synchronous', { simple: true })).toBe(FULL);
  file.close();
  remove();
});
