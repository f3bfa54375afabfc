import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StateError } from './state-error.js';

/**
 * Creates a folder that only its owner can enter, with its parents. A folder that exists stays as it is.
 * `setting` is what a person writes to choose the folder, such as `SUBRAIL_DATA_DIR`.
 * @throws StateError when the folder cannot be created
 */
export function ensurePrivateFolder(path: string, setting: string): void {
  try {
    createMissingFolders(path);
  } catch (cause) {
    throw new StateError(
      `The folder ${path} cannot be created: ${reasonOf(cause)}. Choose another one with ${setting}.`,
      { cause },
    );
  }
}

/** Node's recursive mkdir never returns where new folders are refused as not found, such as in /proc. */
function createMissingFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  createMissingFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * The content of a file, or null when there is none.
 * @throws StateError when there is one, or a link to one, that cannot be read
 */
export function readPrivateFile(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new StateError(`The file ${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

/**
 * Writes a file that only its owner can read. The write is atomic: a process killed during it leaves the old
 * file.
 * @throws StateError when the file cannot be written, such as on a full disk
 */
export function writePrivateFile(path: string, content: string): void {
  try {
    replaceFile(path, content);
  } catch (cause) {
    throw new StateError(`The file ${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'its disk is full. Free space on it and start again';
  return message;
}

function replaceFile(path: string, content: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, `${content}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * Creates a file that only its owner can read. Returns false when there is one at the path, which stays as it
 * is.
 * @throws StateError when the file cannot be created
 */
export function createPrivateFile(path: string, content: string): boolean {
  try {
    writeFileSync(path, `${content}\n`, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw new StateError(`The file ${path} cannot be created: ${reasonOf(cause)}.`, { cause });
  }
}

/** Reads a secret from a file. Without a file, stores and returns the secret of `create`. */
export function loadOrCreateSecret(path: string, create: () => string): string {
  const stored = readPrivateFile(path);
  if (stored !== null) return stored;
  const created = create();
  writePrivateFile(path, created);
  return created;
}
