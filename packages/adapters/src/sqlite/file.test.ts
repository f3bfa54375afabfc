import { expect, test } from 'vitest';
import { openFile } from './file.js';
import { scratchFile } from './tests/scratch.js';

/** The value of `PRAGMA synchronous` with which a commit waits until the disk has the WAL. */
const FULL = 2;

test('a commit is on the disk before it returns, in a WAL that other connections can read', () => {
  const { path, remove } = scratchFile();
  // SQLite takes its default for WAL mode once it has read the header of a file: a file without any shows another one.
  for (const state of ['new', 'written']) {
    const file = openFile(path, 5000);
    file.exec(`create table ${state}_file (id)`);
    expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
    expect([state, file.pragma('synchronous', { simple: true })]).toEqual([state, FULL]);
    file.close();
  }
  remove();
});
