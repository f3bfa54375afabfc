import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginRecords } from './recorder.js';

/** Makes an empty folder for the records of the test files, and removes it after the run. */
export default function begin(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-contract-'));
  beginRecords(folder);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
