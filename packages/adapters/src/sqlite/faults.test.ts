import { Unavailable } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { asStoreError } from './faults.js';
import { scratchFile } from './tests/scratch.js';

test('a write through a connection that can only read says that the service has to be started again', () => {
  const { path, remove } = scratchFile();
  new SqliteFile(path).exec('create table written (id)').close();
  const file = new SqliteFile(path, { readonly: true });
  const write = () => {
    try {
      return file.exec('insert into written values (1)');
    } catch (error) {
      return asStoreError(error, path);
    }
  };
  // A connection keeps its files as it opened them, also when they become writable.
  expect(write()).toEqual(
    new Unavailable(
      `The database ${path} can only be read. Make it, the files next to it, its folder and its disk writable, and start the service again.`,
    ),
  );
  file.close();
  remove();
});
