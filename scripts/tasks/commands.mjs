import { ensureInstalled } from './install.mjs';
import { inOwnFolder } from './own-folder.mjs';
import { attach, endIfInterrupted, endLike, toolCommand } from './processes.mjs';
import { runSource } from './source.mjs';
import { COMMAND_PROJECTS, unknownProject, withProjects } from './test-projects.mjs';

/** The `subrail` command. */
const HOST = 'packages/host-node/src/main.ts';

/**
 * @param {string} tool
 * @param {readonly string[]} args
 */
async function runTool(tool, args) {
  endLike(await attach(toolCommand(tool, args)));
}

/** @param {readonly string[]} args */
async function runTests(args) {
  const problem = unknownProject(args);
  if (problem !== null) {
    console.error(problem);
    process.exitCode = 2;
    return;
  }
  await inOwnFolder(async (folder) => {
    process.env['TMPDIR'] = folder;
    return attach(toolCommand('vitest', ['run', ...args]));
  }).then(endLike);
}

/**
 * Runs tests with the projects of a command.
 * @param {keyof typeof COMMAND_PROJECTS} command
 * @returns {(args: readonly string[]) => Promise<void>}
 */
const tests = (command) => (args) => runTests(withProjects(args, COMMAND_PROJECTS[command]));

/**
 * With `--screenshots` the tests also write pictures of the pages into `tests/pages/screenshots`.
 * @param {readonly string[]} args
 */
async function runPageTests(args) {
  const others = args.filter((arg) => arg !== '--screenshots');
  if (others.length < args.length) process.env['PAGE_SCREENSHOTS'] = 'yes';
  await tests('test:pages')(others);
}

/**
 * @typedef {object} Command
 * @property {string} message what it does, printed before it starts
 * @property {false} [takesArguments]
 * @property {(args: readonly string[]) => Promise<void>} run
 */

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = {
  start: {
    message: 'Running the subrail command from source',
    // Without arguments it is `subrail start`.
    run: (args) => runSource(HOST, args),
  },
  demo: {
    message: 'Playing the demo from source',
    run: (args) => runSource(HOST, ['demo', ...args]),
  },
  webhooks: {
    message: 'Receiving the webhooks of npm start',
    run: (args) => runSource('examples/embed/src/receive-locally.ts', args),
  },
  test: {
    message: 'Running the tests from source',
    run: tests('test'),
  },
  'test:long': {
    message: 'Running the long tests from source',
    run: tests('test:long'),
  },
  'test:contract': {
    message: 'Testing the service against the contract over HTTP',
    run: tests('test:contract'),
  },
  'test:postgres': {
    message: 'Running the tests on PostgreSQL, whose servers they start themselves',
    run: tests('test:postgres'),
  },
  'test:pages': {
    message: 'Testing the pages of the host in a browser',
    run: runPageTests,
  },
  'test:change': {
    message: 'Testing what every change has to pass',
    takesArguments: false,
    run: async () => (await import('./test-change.mjs')).testChange(),
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
  bench: {
    message: 'Running a bench',
    run: async (args) => (await import('./bench.mjs')).bench(args),
  },
  build: {
    message: 'Building packages into their dist folders',
    run: async (args) => (await import('./check.mjs')).check(['build', ...args]),
  },
  page: {
    message: 'Bundling the cancel page',
    takesArguments: false,
    run: async () => (await import('./page.mjs')).page(),
  },
  docs: {
    message: 'Writing the reference of the contract',
    run: (args) => runSource('scripts/docs/write.ts', args),
  },
  format: {
    message: 'Formatting every file',
    run: (args) => runTool('oxfmt', args),
  },
};

/**
 * @param {string | undefined} name
 * @param {readonly string[]} args
 */
export async function runCommand(name, args) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name ?? ''] : undefined;
  if (command === undefined) {
    console.error(
      `There is no command ${name ?? ''}. The commands are: ${Object.keys(COMMANDS).join(', ')}.`,
    );
    process.exitCode = 2;
    return;
  }
  if (command.takesArguments === false && args.length > 0) {
    console.error(`npm run ${name} takes no arguments, and this has: ${args.join(' ')}. Nothing was run.`);
    process.exitCode = 2;
    return;
  }
  if (!(await ensureInstalled())) {
    if (!endIfInterrupted()) process.exitCode = 1;
    return;
  }
  // What a command prints for a program, such as --json, is alone on stdout.
  console.error(`${command.message}.`);
  await command.run(args);
}
