import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Row } from './rows.js';

/** Rows and the first test of a file, by name, that reached each. */
export type Reached = Readonly<Record<Row, string>>;

/** Where the run keeps what its files reached; unset when nobody asks for the whole. */
const FOLDER = 'SUBRAIL_CONTRACT_RECORDS';

/** Keeps which rows the tests of one file reach. */
export class Recorder {
  private readonly reached = new Map<Row, string>();

  /** Notes rows for the test that runs; outside of a test nothing is proven. */
  note(rows: Iterable<Row>): void {
    const { currentTestName, testPath } = expect.getState();
    if (currentTestName === undefined || testPath === undefined) return;
    const test = `${basename(testPath, '.test.ts')} > ${currentTestName}`;
    for (const row of rows) {
      const before = this.reached.get(row);
      if (before === undefined || test < before) this.reached.set(row, test);
    }
  }

  /** Hands over what the file reached. */
  save(): void {
    const folder = process.env[FOLDER];
    if (folder === undefined) return;
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(Object.fromEntries(this.reached)));
  }
}

/** What all files of the run reached; of several tests the first by name, whatever the order they ran in. */
export function reachedByAll(): ReadonlyMap<Row, string> {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error('The coverage is told at the end of a run of the suite.');
  const all = new Map<Row, string>();
  for (const file of readdirSync(folder)) {
    const reached = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Reached;
    for (const [row, test] of Object.entries(reached)) {
      const before = all.get(row);
      if (before === undefined || test < before) all.set(row, test);
    }
  }
  return all;
}

/** Gives a run a place for its records, before its workers begin. */
export function beginRecords(folder: string): void {
  process.env[FOLDER] = folder;
}
