import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { attach, endIfInterrupted, endLike, inOwnFolder, toolCommand } from './processes.mjs';
import { ROOT } from './repository.mjs';

/** @typedef {(args: readonly string[]) => unknown} Command */

/** The projects of each command that runs tests. Those of `npm test` are quick. */
export const COMMAND_PROJECTS = {
  // The tests that replace a module of core are in `mocked`, each file in a process of its own.
  test: ['quick', 'mocked'],
  // The contract suite on SQLite, and what it reached.
  'test:contract': ['contract', 'contract-reach'],
  // The tests that are about PostgreSQL, and the contract suite with two hosts on it.
  'test:postgres': ['postgres', 'contract-postgres'],
  'test:pages': ['pages'],
  // The second has those of the service, run on PostgreSQL.
  'test:long': ['long', 'long-postgres'],
};

/**
 * Runs a TypeScript program from source in this process, so that it gets the signals and the terminal itself.
 * @param {string} file its path from the repository's root
 * @param {readonly string[]} first its first arguments
 * @returns {Command}
 */
export const source =
  (file, ...first) =>
  async (args) => {
    const { register } = await import('tsx/esm/api');
    register();
    process.argv.splice(1, Infinity, join(ROOT, file), ...first, ...args);
    await import(pathToFileURL(join(ROOT, file)).href);
  };

/**
 * Runs tests: those of some projects, unless the arguments name others.
 * @param {readonly string[]} projects
 * @returns {Command}
 */
const tests = (projects) => async (args) => {
  const isNamed = args.some((arg) => /^--project(=|$)/.test(arg));
  const run = isNamed ? args : [...projects.map((name) => `--project=${name}`), ...args];
  const ending = await inOwnFolder((folder) => {
    process.env['TMPDIR'] = folder;
    return attach(toolCommand('vitest', ['run', ...run]));
  });
  endLike(ending);
};

/** The `subrail` command. Without arguments it is `subrail start`. */
const HOST = 'packages/host-node/src/main.ts';

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = {
  start: source(HOST),
  demo: source(HOST, 'demo'),
  webhooks: source('examples/embed/src/receive-locally.ts'),
  docs: source('scripts/docs/pages.ts'),
  'docs:pictures': () => {
    process.env['DOCS_PICTURES'] = 'yes';
    return tests(COMMAND_PROJECTS['test:pages'])([
      'demo-wallet.test.ts',
      'mails.test.ts',
      'dashboard/two-years.test.ts',
      'dashboard/look.test.ts',
      'dashboard/mail.test.ts',
    ]);
  },
  ...Object.fromEntries(Object.entries(COMMAND_PROJECTS).map(([name, projects]) => [name, tests(projects)])),
  'test:change': async () => (await import('./test-all.mjs')).testChange(),
  'test:all': async () => (await import('./test-all.mjs')).testAll(),
  check: async (args) => (await import('./check.mjs')).check(args),
  build: async (args) => (await import('./check.mjs')).check(['build', ...args]),
  size: async () => (await import('./size.mjs')).size(),
  bench: async (args) => (await import('./bench.mjs')).bench(args),
  page: async () => (await import('./page.mjs')).page(),
  format: async (args) => endLike(await attach(toolCommand('oxfmt', args))),
};

const WITHOUT_ARGUMENTS = ['test:change', 'test:all', 'size', 'page', 'docs', 'docs:pictures'];

/**
 * @param {string} [name]
 * @param {readonly string[]} [args]
 */
export async function runCommand(name = '', args = []) {
  const command = COMMANDS[name];
  const problem =
    command === undefined
      ? `There is no command ${name}. The commands are: ${Object.keys(COMMANDS).join(', ')}.`
      : `npm run ${name} takes no arguments, and this has: ${args.join(' ')}. Nothing was run.`;
  if (command === undefined || (WITHOUT_ARGUMENTS.includes(name) && args.length > 0)) {
    console.error(problem);
    process.exitCode = 2;
  } else if (await ensureInstalled()) await command(args);
  else if (!endIfInterrupted()) process.exitCode = 1;
}
