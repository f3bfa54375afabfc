import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a process did to a file of the recorded folder. The folder itself has the name ''. */
export interface DiskEntry {
  readonly kind: 'write' | 'truncate' | 'sync';
  readonly name: string;
  /** Where the data was written; for `truncate` the new length. */
  readonly offset: number;
  readonly data: Buffer;
}

const SOURCE = fileURLToPath(new URL('./record-writes.c', import.meta.url));
const KINDS = { W: 'write', T: 'truncate', S: 'sync' } as const;

/**
 * Builds the recorder in a folder, with the C compiler that better-sqlite3 needs too, and returns the
 * environment in which a process is recorded.
 */
export function buildRecorder(
  scratch: string,
  folder: string,
): { readonly env: Readonly<Record<string, string>>; readonly record: string; readonly writeError: string } {
  const library = join(scratch, 'record-writes.so');
  const compiler = process.env['CC'] ?? 'cc';
  execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-Wall', '-o', library, SOURCE, '-ldl']);
  const record = join(scratch, 'record');
  const writeError = join(scratch, 'write-error');
  return {
    env: { LD_PRELOAD: library, RECORDED_FOLDER: folder, RECORD: record, WRITE_ERROR: writeError },
    record,
    writeError,
  };
}

/** Reads a record. An entry that the end of the process cut off is left out. */
export function readRecord(path: string): readonly DiskEntry[] {
  const bytes = readFileSync(path);
  const entries: DiskEntry[] = [];
  for (let at = 0; at + 15 <= bytes.length;) {
    const nameLength = bytes.readUInt16LE(at + 1);
    const length = bytes.readUInt32LE(at + 3);
    const data = at + 15 + nameLength;
    if (data + length > bytes.length) break;
    entries.push({
      kind: KINDS[String.fromCharCode(bytes[at] ?? 0) as keyof typeof KINDS],
      name: bytes.toString('utf8', at + 15, data),
      offset: Number(bytes.readBigUInt64LE(at + 7)),
      data: bytes.subarray(data, data + length),
    });
    at = data + length;
  }
  return entries;
}
