import { APPS } from './apps.mjs';
import { prepareChromium } from './chromium.mjs';

/**
 * A command that tests something.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} command
 * @property {() => Promise<string | null>} [prepare] installs what it needs; resolves to null, or to what is
 *   missing, in a line, and why in others
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
  { ...npmRun('pages', 'test:pages'), prepare: prepareChromium },
  npmRun('demo', 'demo'),
  npmRun('check', 'check'),
  npmRun('postgres', 'test:postgres'),
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
