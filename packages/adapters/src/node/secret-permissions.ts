import { fchmodSync, fstatSync } from 'node:fs';
import { shellWord } from './shell-word.js';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const ALL_READ = 0o004;

/** Who can read a secret file. */
export interface SecretPermissions {
  /** What to do before the file may be used; null when it may. */
  readonly remedy: string | null;
  /** Whether all users may read it, which this process cannot change. */
  readonly readableByAll: boolean;
}

/**
 * Judges the permissions of an open file with a secret. Permissions of others are refused where this process
 * could remove them. It cannot on a mounted secret, which is read-only or of another user. Windows has no
 * such permissions.
 *
 * @param path names the file in the remedy
 * @example
 * import { openSync } from 'node:fs';
 *
 * const file = openSync('/run/secrets/charger.json', 'r');
 * const { remedy } = permissionsOfSecret(file, '/run/secrets/charger.json');
 */
export function permissionsOfSecret(file: number, path: string): SecretPermissions {
  const { mode, uid } = fstatSync(file);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return { remedy: null, readableByAll: false };
  const obstacle = obstacleToChange(file, mode);
  if (obstacle === null) return { remedy: `Run: chmod 600 ${shellWord(path)}`, readableByAll: false };
  // A read-only mount admits no writes, whatever the permissions.
  if (obstacle !== 'EROFS' && (mode & OTHERS_WRITE) !== 0)
    return {
      remedy: `It belongs to the user ${uid}, who has to run: chmod go-w ${shellWord(path)}`,
      readableByAll: false,
    };
  return { remedy: null, readableByAll: (mode & ALL_READ) !== 0 };
}

/**
 * The code of the system that keeps this process from changing permissions, found by setting the present
 * ones.
 */
function obstacleToChange(file: number, mode: number): string | null {
  try {
    fchmodSync(file, mode & 0o7777);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
