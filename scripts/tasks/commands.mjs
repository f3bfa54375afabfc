import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { attach, endIfInterrupted, endLike, inOwnFolder, toolCommand } from './processes.mjs';
import { ROOT } from './repository.mjs';
import { COMMAND_PROJECTS, withProjects } from './test-projects.mjs';

/**
 * @typedef {object} Command
 * @property {string} message what it does, printed before it starts
 * @property {false} [takesArguments]
 * @property {(args: readonly string[]) => unknown} run
 */

/**
 * Runs a TypeScript program from source inside this process, so that it gets the signals and the terminal
 * itself.
 * @param {string} file its path from the repository's root
 * @param {readonly string[]} args
 */
export async function runSource(file, args) {
  const { register } = await import('tsx/esm/api');
  register();
  process.argv.splice(1, Infinity, join(ROOT, file), ...args);
  await import(pathToFileURL(join(ROOT, file)).href);
}

/**
 * Runs tests with the projects of a command.
 * @param {keyof typeof COMMAND_PROJECTS} command
 * @returns {(given: readonly string[]) => Promise<void>}
 */
const tests = (command) => async (given) => {
  const args = withProjects(given, COMMAND_PROJECTS[command]);
  if (args.includes('--screenshots')) process.env['PAGE_SCREENSHOTS'] = 'yes';
  const run = toolCommand('vitest', ['run', ...args.filter((arg) => arg !== '--screenshots')]);
  const ending = await inOwnFolder((folder) => {
    process.env['TMPDIR'] = folder;
    return attach(run);
  });
  endLike(ending);
};

/** @type {(file: string, ...first: string[]) => Command['run']} */
const source =
  (file, ...first) =>
  (args) =>
    runSource(file, [...first, ...args]);

/** The `subrail` command. Without arguments it is `subrail start`. */
const HOST = 'packages/host-node/src/main.ts';

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = {
  start: { message: 'Running the subrail command from source', run: source(HOST) },
  demo: { message: 'Playing the demo from source', run: source(HOST, 'demo') },
  webhooks: {
    message: 'Receiving the webhooks of npm start',
    run: source('examples/embed/src/receive-locally.ts'),
  },
  test: { message: 'Running the tests from source', run: tests('test') },
  'test:long': { message: 'Running the long tests from source', run: tests('test:long') },
  'test:contract': { message: 'Testing the service against the contract', run: tests('test:contract') },
  'test:postgres': { message: 'Running the tests on PostgreSQL', run: tests('test:postgres') },
  'test:pages': { message: 'Testing the pages of the host in a browser', run: tests('test:pages') },
  'test:change': {
    message: 'Testing what every change has to pass',
    takesArguments: false,
    run: async () => (await import('./test-all.mjs')).testChange(),
  },
  'test:all': {
    message: 'Testing everything, as before a release',
    takesArguments: false,
    run: async () => (await import('./test-all.mjs')).testAll(),
  },
  check: {
    message: 'Checking the code, its pages and its packages',
    run: async (args) => (await import('./check.mjs')).check(args),
  },
  size: {
    message: 'Counting how large this repository is',
    takesArguments: false,
    run: async () => (await import('./size.mjs')).size(),
  },
  bench: { message: 'Running a bench', run: async (args) => (await import('./bench.mjs')).bench(args) },
  build: {
    message: 'Building packages into their dist folders',
    run: async (args) => (await import('./check.mjs')).check(['build', ...args]),
  },
  page: {
    message: 'Bundling the cancel page',
    takesArguments: false,
    run: async () => (await import('./page.mjs')).page(),
  },
  docs: { message: 'Writing the pages that are generated', run: source('scripts/docs/write.ts') },
  format: {
    message: 'Formatting every file',
    run: async (args) => endLike(await attach(toolCommand('oxfmt', args))),
  },
};

/**
 * @param {string} [name]
 * @param {readonly string[]} [args]
 */
export async function runCommand(name = '', args = []) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const problem =
    command === undefined
      ? `There is no command ${name}. The commands are: ${Object.keys(COMMANDS).join(', ')}.`
      : command.takesArguments === false && args.length > 0
        ? `npm run ${name} takes no arguments, and this has: ${args.join(' ')}. Nothing was run.`
        : null;
  if (command === undefined || problem !== null) {
    console.error(problem);
    process.exitCode = 2;
  } else if (await ensureInstalled()) {
    console.error(`${command.message}.`);
    await command.run(args);
  } else if (!endIfInterrupted()) process.exitCode = 1;
}
