import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives work a folder that is deleted after it. What a command leaves when it is interrupted, such as the data of servers, goes with the
 * folder when that is its TMPDIR.
 * @template Result
 * @param {(folder: string) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function inOwnFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  try {
    // As root, the servers of PostgreSQL run as a user of their own, who has to reach their data.
    chmodSync(folder, 0o755);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 50 });
  }
}
