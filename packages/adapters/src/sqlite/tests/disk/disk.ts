import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskEntry } from './recorder.js';

const SECTOR = 512;

/** A file as the disk has it, and what was written since the disk was last asked to keep it. */
interface StoredFile {
  kept: Buffer;
  pending: DiskEntry[];
  /** Whether the folder with its name was kept. */
  named: boolean;
}

/**
 * A disk as it may be after a power cut: writes before a sync are there, and of each later write nothing,
 * all, or some sectors, a few of them with any content at all.
 */
export class Disk {
  readonly #files = new Map<string, StoredFile>();

  /** A disk that has kept the files of a folder. */
  constructor(folder: string) {
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      this.#files.set(name, { kept: readFileSync(join(folder, name)), pending: [], named: true });
  }

  /** Does what the process did next. */
  apply(entry: DiskEntry): void {
    if (entry.name === '') {
      for (const file of this.#files.values()) file.named = true;
      return;
    }
    const file = this.#files.get(entry.name) ?? { kept: Buffer.alloc(0), pending: [], named: false };
    this.#files.set(entry.name, file);
    if (entry.kind !== 'sync') {
      file.pending.push(entry);
      return;
    }
    for (const one of file.pending) file.kept = written(file.kept, one, () => 'new');
    file.pending = [];
  }

  /** Writes a state after a power cut into an empty folder. `random` gives a number from 0 to below 1. */
  cutPower(folder: string, random: () => number): void {
    for (const [name, { kept, pending, named }] of this.#files) {
      rmSync(join(folder, name), { force: true });
      if (!named && random() < 0.5) continue;
      let bytes: Buffer = Buffer.from(kept);
      for (const entry of pending) {
        const fate = random();
        if (fate < 1 / 3) continue;
        bytes = written(bytes, entry, () => (fate < 2 / 3 ? 'new' : pick(random())));
      }
      writeFileSync(join(folder, name), bytes);
    }
  }
}

type Sector = 'new' | 'old' | 'garbage';

const pick = (chance: number): Sector => (chance < 0.5 ? 'new' : chance < 0.8 ? 'old' : 'garbage');

function written(bytes: Buffer, { kind, offset, data }: DiskEntry, sector: () => Sector): Buffer {
  if (kind === 'truncate') return resized(bytes, offset);
  const after = bytes.length < offset + data.length ? resized(bytes, offset + data.length) : bytes;
  for (let at = 0; at < data.length; at += SECTOR) {
    const part = data.subarray(at, at + SECTOR);
    const fate = sector();
    if (fate === 'new') part.copy(after, offset + at);
    if (fate === 'garbage') after.fill(0xa5, offset + at, offset + at + part.length);
  }
  return after;
}

function resized(bytes: Buffer, length: number): Buffer {
  const after = Buffer.alloc(length);
  bytes.copy(after, 0, 0, Math.min(length, bytes.length));
  return after;
}
