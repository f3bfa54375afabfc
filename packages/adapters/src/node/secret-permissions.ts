import { fchmodSync, fstatSync } from 'node:fs';

/** The permission bits of everyone but the owner. */
const OTHERS = 0o077;
/** The bits with which others may change a file. */
const OTHERS_WRITE = 0o022;
/** The bit with which every user of the machine may read a file. */
const ALL_READ = 0o004;

/** Who can have a secret that is in a file. */
export interface SecretPermissions {
  /** A sentence that says what to do before the file may be used. Null: it may be used. */
  readonly remedy: string | null;
  /** Whether every user who can reach the file may read it, which this process cannot change. */
  readonly readableByAll: boolean;
}

/**
 * Judges the permissions of an open file that holds a secret. Permissions of others are refused where this process could take them
 * away. A secret that a platform mounts is none of those: the mount is read-only, or the file belongs to another user. Windows has no
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
  if (obstacle === null) return { remedy: `Run: chmod 600 ${path}`, readableByAll: false };
  // Nobody can write on a read-only mount, whatever the permissions say.
  if (obstacle !== 'EROFS' && (mode & OTHERS_WRITE) !== 0)
    return {
      remedy: `It belongs to the user ${uid}, who has to run: chmod go-w ${path}`,
      readableByAll: false,
    };
  return { remedy: null, readableByAll: (mode & ALL_READ) !== 0 };
}

/** Why this process cannot change the permissions of a file, as a code of the system. Found out by giving it the ones that it has. */
function obstacleToChange(file: number, mode: number): string | null {
  try {
    fchmodSync(file, mode & 0o7777);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
