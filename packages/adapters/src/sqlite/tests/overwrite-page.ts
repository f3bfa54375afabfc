import { closeSync, openSync, writeSync } from 'node:fs';
import SqliteFile from 'better-sqlite3';

export const PAGE_BYTES = 4096;

/** The number of the page with which a table or an index begins. */
export function rootPage(path: string, name: string): number {
  const file = new SqliteFile(path, { readonly: true });
  const page = file
    .prepare<[string], number>('select rootpage from sqlite_schema where name = ?')
    .pluck()
    .get(name);
  file.close();
  return page ?? 0;
}

/** Overwrites a page of a database file, as a failing disk does. */
export function overwritePage(path: string, page: number): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(fd);
}
