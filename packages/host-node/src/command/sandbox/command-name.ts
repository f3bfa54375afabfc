import { argv } from 'node:process';

/** How the command is run here, in lines that can be run as printed: in the repository it is an npm script. */
export const SUBRAIL = import.meta.url.endsWith('.ts') ? 'npm start --silent --' : builtCommand(argv[1]);

/** `npx` finds a command of the packages in this folder. A build of its own is on the PATH, and `npx` would look for a package. */
function builtCommand(script = ''): string {
  return /node_modules[\\/]\.bin[\\/]/.test(script) ? 'npx subrail' : 'subrail';
}
