import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder that only its owner can enter, with its parents. A folder that exists stays as it is. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** The content of a file, or null when there is none. */
export function readPrivateFile(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/** Writes a file that only its owner can read. The write is atomic: a process killed during it leaves the old file. */
export function writePrivateFile(path: string, content: string): void {
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

/** Reads a secret from a file. If there is no file, stores the secret that `create` returns and returns it. */
export function loadOrCreateSecret(path: string, create: () => string): string {
  const stored = readPrivateFile(path);
  if (stored !== null) return stored;
  const created = create();
  writePrivateFile(path, created);
  return created;
}
