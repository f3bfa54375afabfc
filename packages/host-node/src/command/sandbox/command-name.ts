import { resolve } from 'node:path';
import { argv } from 'node:process';

/** How the command is run here: in the repository it is an npm script. */
const SUBRAIL = import.meta.url.endsWith('.ts') ? 'npm start --silent --' : builtCommand(argv[1]);

/**
 * How the command is run in a folder on a data folder, in lines that can be run as printed. Null: it works on a host over HTTP and
 * needs no data folder.
 */
export function subrailOn(dataDir: string | null, folder: string): string {
  if (dataDir === null || dataDir === resolve(folder, '.subrail')) return SUBRAIL;
  return `SUBRAIL_DATA_DIR='${dataDir}' ${SUBRAIL}`;
}

/**
 * Where packages are installed, `npx` runs their commands. A build made by `deploy/build.sh` is on the PATH, and there `npx`
 * would download a package.
 */
function builtCommand(script = ''): string {
  return /node_modules[\\/]\.bin[\\/]/.test(script) ? 'npx subrail' : 'subrail';
}
