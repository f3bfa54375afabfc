import { existsSync } from 'node:fs';
import { capture } from './processes.mjs';
import { MEMORY_PROJECTS, SERVICE_POSTGRES_PROJECTS } from './test-projects.mjs';

/**
 * A command that tests something, and counts what it tested.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} command
 * @property {'change' | 'release'} when whether it is run at every change or before a release only
 * @property {'report' | 'printed' | 'exit code'} counts where its counts are: in the report of a test run, in the last line that
 *   it prints of the form `N passed, N failed`, or nowhere, so that the whole command counts as one
 * @property {() => Promise<string | null>} [prepare] installs what it needs; resolves to what is missing, or null
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
const projects = (projects) =>
  npmRun(
    'test',
    projects.map((name) => `--project=${name}`),
  );

/**
 * The long tests of a folder.
 * @param {string} folder
 * @returns {Part}
 */
const long = (folder) => ({
  name: `long ${folder}`,
  command: npmRun('test:long', [folder]),
  when: 'release',
  counts: 'report',
});

const CHROMIUM = process.env['SUBRAIL_CHROMIUM'] ?? '/usr/bin/chromium';

/** Installs Chromium where that is possible without asking: on Debian, as root. */
async function prepareChromium() {
  if (!existsSync(CHROMIUM) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await capture(['apt-get', 'update', '-qq'], { env });
    await capture(['apt-get', 'install', '-y', '-qq', 'chromium'], { env });
  }
  if (existsSync(CHROMIUM)) return null;
  return 'There is no Chromium. Install it (on Debian: apt-get install chromium), or name one in SUBRAIL_CHROMIUM.';
}

/**
 * Everything that tests this repository, the longest of each kind first.
 * @type {readonly Part[]}
 */
export const PARTS = [
  { name: 'test', command: ['npm', 'test', '--silent'], when: 'change', counts: 'report' },
  { name: 'check', command: npmRun('check'), when: 'change', counts: 'printed' },
  { name: 'postgres', command: npmRun('test:postgres'), when: 'change', counts: 'report' },
  { name: 'contract', command: npmRun('test:contract'), when: 'change', counts: 'report' },
  {
    name: 'start',
    command: [process.execPath, 'scripts/ci/first-start.mjs'],
    when: 'change',
    counts: 'printed',
  },
  {
    name: 'pages',
    command: npmRun('test:pages'),
    when: 'change',
    counts: 'report',
    prepare: prepareChromium,
  },
  { name: 'demo', command: npmRun('demo'), when: 'change', counts: 'exit code' },
  {
    name: 'service on PostgreSQL',
    command: projects(SERVICE_POSTGRES_PROJECTS),
    when: 'release',
    counts: 'report',
  },
  {
    name: 'contract and scenarios in memory',
    command: projects(MEMORY_PROJECTS),
    when: 'release',
    counts: 'report',
  },
  ...['packages/adapters', 'packages/host-node', 'scripts', 'tests/service'].map(long),
  { name: 'apps', command: npmRun('check', ['app']), when: 'release', counts: 'printed' },
];
