import { createRoot, type Context, type Group } from './command-tree.js';
import { addKeyCommands } from './groups/key.js';
import { addLocalCommands } from './groups/local.js';
import { addProjectCommands } from './groups/project.js';
import { addResealCommand } from './groups/reseal.js';
import { addServiceCommands, SERVICES, type Services } from './groups/service.js';
import { VERSION } from '../version.js';

/** The tree of every command of `subrail`. */
export function createProgram(context: Context, services: Services = SERVICES): Group {
  const root = createRoot(context);
  root.command
    .description('Recurring token payments on Solana, as a service.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print the help, here or of one command');
  addServiceCommands(root, services);
  addProjectCommands(root);
  addKeyCommands(root);
  addResealCommand(root);
  addLocalCommands(root);
  return root;
}
