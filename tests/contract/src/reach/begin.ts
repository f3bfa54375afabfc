import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginRecords } from './recorder.js';

/** Before a run of the suite: an empty place for what its files reach, gone when the run is over. */
export default function begin(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-contract-'));
  beginRecords(folder);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
