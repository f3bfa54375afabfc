import { APPS } from './apps.mjs';

/**
 * A command that tests something. A part that counts itself has nothing else to count.
 * @typedef {{ name: string, command: readonly string[], countsItself?: boolean }} Part
 */

/** @type {(name: string, script: string, ...args: string[]) => Part} */
const npmRun = (name, script, ...args) => ({
  name,
  command: ['npm', 'run', '--silent', script, '--', ...args],
});

/**
 * What every change has to pass. The tests, which keep two processors busy, come first, and beside them what
 * waits for processes or a browser; what is left at the end fills the processors by itself.
 * @type {readonly Part[]}
 */
export const CHANGE_PARTS = [
  { name: 'test', command: ['npm', 'test', '--silent'] },
  { name: 'start', command: [process.execPath, 'scripts/ci/first-start.mjs'] },
  {
    name: 'pages',
    command: ['sh', '-c', 'node scripts/tasks/chromium.mjs && exec npm run --silent test:pages'],
  },
  { ...npmRun('demo', 'demo'), countsItself: true },
  npmRun('postgres', 'test:postgres'),
  npmRun('check', 'check'),
  npmRun('contract', 'test:contract'),
];

const otherApps = APPS.filter(({ everyChange }) => everyChange !== true);

/** Everything that tests this repository. @type {readonly Part[]} */
export const PARTS = [
  ...CHANGE_PARTS,
  npmRun('service on PostgreSQL', 'test', '--project=service-postgres', '--project=mocked-postgres'),
  npmRun('oldest PostgreSQL', 'test', '--project=postgres-oldest'),
  ...['packages/adapters', 'packages/host-node', 'scripts', 'deploy', 'tests/service'].map((folder) =>
    npmRun(`long ${folder}`, 'test:long', folder),
  ),
  npmRun('apps', 'check', 'attw', ...otherApps.map(({ name }) => `app ${name}`)),
];
