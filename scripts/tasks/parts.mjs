import { APPS } from './apps.mjs';
import { prepareChromium } from './chromium.mjs';
import { OLDEST_POSTGRES_PROJECTS, SERVICE_POSTGRES_PROJECTS, withProjects } from './test-projects.mjs';

/**
 * A command that tests something, and counts what it tested.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} command
 * @property {'report' | 'printed' | 'exit code'} counts where its counts are: in the report of a test run, in
 *   the last line that it prints of the form `N passed, N failed`, or nowhere, so that the whole command
 *   counts as one
 * @property {() => Promise<string | null>} [prepare] installs what it needs; resolves to null, or to what is
 *   missing, in a line, and why in others
 */

/**
 * @param {string} script of the root manifest
 * @param {readonly string[]} [args]
 */
const npmRun = (script, args = []) => [
  'npm',
  'run',
  '--silent',
  script,
  ...(args.length > 0 ? ['--', ...args] : []),
];

/** @param {readonly string[]} projects */
const projects = (projects) => npmRun('test', withProjects([], projects));

/**
 * The long tests of a folder.
 * @param {string} folder
 * @returns {Part}
 */
const long = (folder) => ({
  name: `long ${folder}`,
  command: npmRun('test:long', [folder]),
  counts: 'report',
});

/**
 * What every change has to pass. The tests, which keep two processors busy, come first, and beside them what
 * waits for processes or a browser; what is left at the end fills the processors by itself.
 * @type {readonly Part[]}
 */
export const CHANGE_PARTS = [
  { name: 'test', command: ['npm', 'test', '--silent'], counts: 'report' },
  { name: 'start', command: [process.execPath, 'scripts/ci/first-start.mjs'], counts: 'printed' },
  { name: 'pages', command: npmRun('test:pages'), counts: 'report', prepare: prepareChromium },
  { name: 'demo', command: npmRun('demo'), counts: 'exit code' },
  { name: 'check', command: npmRun('check'), counts: 'printed' },
  { name: 'postgres', command: npmRun('test:postgres'), counts: 'report' },
  { name: 'contract', command: npmRun('test:contract'), counts: 'report' },
];

const otherApps = APPS.filter(({ everyChange }) => everyChange !== true);

/** Everything that tests this repository. @type {readonly Part[]} */
export const PARTS = [
  ...CHANGE_PARTS,
  { name: 'service on PostgreSQL', command: projects(SERVICE_POSTGRES_PROJECTS), counts: 'report' },
  { name: 'oldest PostgreSQL', command: projects(OLDEST_POSTGRES_PROJECTS), counts: 'report' },
  ...['packages/adapters', 'packages/host-node', 'scripts', 'deploy', 'tests/service'].map(long),
  {
    name: 'apps',
    command: npmRun('check', ['attw', ...otherApps.map(({ name }) => `app ${name}`)]),
    counts: 'printed',
  },
];
