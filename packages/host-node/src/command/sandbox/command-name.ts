import { resolve } from 'node:path';
import { argv } from 'node:process';
import { shellWord } from '@subrail/adapters/node';

const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** The command as typed here: in the repository it is an npm script. */
const SUBRAIL = FROM_SOURCE ? 'npm start --silent --' : builtCommand(argv[1]);

/** `subrail start` as typed here. */
export const START = FROM_SOURCE ? 'npm start' : `${SUBRAIL} start`;

/**
 * The command as typed in a folder to work on a data folder; null for a host over HTTP, which needs none.
 */
export function subrailOn(dataDir: string | null, folder: string): string {
  if (dataDir === null || dataDir === resolve(folder, '.subrail')) return SUBRAIL;
  return `SUBRAIL_DATA_DIR=${shellWord(dataDir)} ${SUBRAIL}`;
}

/**
 * Where packages are installed, `npx` runs their commands. A build made by `deploy/build.sh` is on the PATH,
 * and there `npx` would download a package.
 */
function builtCommand(script = ''): string {
  return /node_modules[\\/]\.bin[\\/]/.test(script) ? 'npx subrail' : 'subrail';
}
