import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, inject } from 'vitest';
import type { Row } from './rows.js';

/** The rows that the tests of a file reached, each with the first of these tests by name. */
type Reached = Readonly<Record<Row, string>>;

/** The folder for what each test file reached; unset when only some files run. */
const FOLDER = 'SUBRAIL_CONTRACT_RECORDS';

/** Records which rows the tests of one file reach. */
export class Recorder {
  private readonly reached = new Map<Row, string>();

  /** Records rows for the running test. Outside of a test it records nothing. */
  note(rows: Iterable<Row>): void {
    const { currentTestName, testPath } = expect.getState();
    if (currentTestName === undefined || testPath === undefined) return;
    const test = `${basename(testPath, '.test.ts')} > ${currentTestName}`;
    for (const row of rows) {
      const before = this.reached.get(row);
      if (before === undefined || test < before) this.reached.set(row, test);
    }
  }

  /** Saves what the file reached on its own choice of store, so that another store does not count. */
  save(): void {
    const folder = process.env[FOLDER];
    if (folder === undefined || inject('everyStore') !== undefined) return;
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(Object.fromEntries(this.reached)));
  }
}

/** What all files of the run reached, with the first test by name, in whatever order they ran. */
export function reachedByAll(): ReadonlyMap<Row, string> {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error('The coverage needs a whole run: npm run test:contract.');
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

/** Names the folder for the records of a run, before its workers start. */
export function beginRecords(folder: string): void {
  process.env[FOLDER] = folder;
}
