import { argv } from 'node:process';

/** How the command is run here, in lines that can be run as printed: in the repository it is an npm script. */
export const SUBRAIL = import.meta.url.endsWith('.ts') ? 'npm start --silent --' : builtCommand(argv[1]);

/**
 * Where packages are installed, `npx` runs their commands. A build made by `deploy/build.sh` is on the PATH, and there `npx`
 * would download a package.
 */
function builtCommand(script = ''): string {
  return /node_modules[\\/]\.bin[\\/]/.test(script) ? 'npx subrail' : 'subrail';
}
