import { Unavailable } from '@subrail/core/ports';
import { codeOf } from '../kysely/engines/error-codes.js';

/** Thrown when a database file cannot be used until a person acts. The message says how. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
}

/** Passing errors, by the beginning of SQLite's code. */
const PASSING: readonly (readonly [prefix: string, sentence: (path: string) => string])[] = [
  [
    'SQLITE_FULL',
    (path) =>
      `The disk of the database ${path} is full. Free space on it: the service then goes on by itself.`,
  ],
  [
    'SQLITE_IOERR',
    (path) =>
      `The disk of the database ${path} cannot be read or written. Check it: once it can, the service goes on by itself.`,
  ],
  [
    'SQLITE_READONLY',
    (path) =>
      `The database ${path} can only be read. Make it, the files next to it, its folder and its disk writable, and start the service again.`,
  ],
  [
    'SQLITE_CANTOPEN',
    (path) =>
      `A file of the database ${path} cannot be opened. Check the permissions of its folder, and the limit of open files.`,
  ],
  ['SQLITE_BUSY', locked],
  ['SQLITE_LOCKED', locked],
];

function locked(path: string): string {
  return `Another process has kept the database ${path} locked for too long. Try again.`;
}

/**
 * Makes `Unavailable` of an error that may pass, and DatabaseFileError of damage. Returns other errors
 * unchanged: they are faults.
 */
export function asStoreError(error: unknown, path: string): unknown {
  if (isDamage(error)) return new DatabaseFileError(damaged(path), { cause: error });
  const code = codeOf(error);
  const sentence = PASSING.find(([prefix]) => code.startsWith(prefix))?.[1](path);
  if (sentence !== undefined) return new Unavailable(sentence, { cause: error });
  if (error instanceof TypeError && error.message.includes('not open'))
    return new Unavailable(`The database ${path} is closed. Open it again.`, { cause: error });
  return error;
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

function damaged(path: string): string {
  return `The database ${path} is damaged. Nothing is written to it any more, so nothing is charged. Stop every host, keep the file with those next to it, and restore the newest backup in their place.`;
}
