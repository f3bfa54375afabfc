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

/** Makes a folder that only its owner may enter, with what leads to it. One that is there stays as it is. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** The content of a private file, or null when there is none. */
export function readPrivateFile(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/** Writes a file only its owner may read, whole or not at all: a process killed half-way leaves what was there before. */
export function writePrivateFile(path: string, content: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  try {
    writeSync(file, `${content}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** What the private file holds; when it is not there, what `make` gives, which is kept first. */
export function loadOrCreateSecret(path: string, make: () => string): string {
  const kept = readPrivateFile(path);
  if (kept !== null) return kept;
  const made = make();
  writePrivateFile(path, made);
  return made;
}
