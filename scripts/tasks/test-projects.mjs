/** The members with tests of their own. Each is a project of the test run. */
export const TESTED_MEMBERS = [
  'packages/core',
  'packages/adapters',
  'packages/localnet',
  'packages/testing',
  'packages/host-node',
  'examples/adapters',
  'examples/embed',
  'tests/service',
];

/**
 * The name by which `--project` chooses the tests of a member.
 * @param {string} folder
 */
export const projectName = (folder) => folder.replace('packages/', '').replace('tests/', '');

/** The projects of the tests that take long by nature: the second has those of the service, run on PostgreSQL. */
export const LONG_PROJECT = 'long';
export const LONG_PROJECTS = [LONG_PROJECT, 'long-postgres'];

/** The projects of the contract suite on SQLite: the suite, and what it reached. */
export const CONTRACT_PROJECTS = ['contract', 'contract-reach'];

/** The project of the tests that need a browser. */
export const PAGES_PROJECT = 'pages';

/** The projects that need servers of PostgreSQL: the tests that are about it, and the contract suite with two hosts. */
export const POSTGRES_PROJECT = 'postgres';
export const POSTGRES_PROJECTS = [POSTGRES_PROJECT, 'contract-postgres'];

/** The projects that run tests once more with another store, before a release. */
export const SERVICE_POSTGRES_PROJECTS = ['service-postgres', 'mocked-postgres'];
export const MEMORY_PROJECTS = ['contract-memory', 'scenarios-memory'];

/** The project of the tests that replace a module of core, each in a process of its own. */
export const MOCKED_PROJECT = 'mocked';

/** The projects that `npm test` runs. The others take longer, and have commands of their own. */
const QUICK_PROJECTS = [...TESTED_MEMBERS.map(projectName), MOCKED_PROJECT, 'scripts'];

/** Every name that `--project` takes. */
export const TEST_PROJECTS = [
  ...QUICK_PROJECTS,
  ...CONTRACT_PROJECTS,
  ...POSTGRES_PROJECTS,
  PAGES_PROJECT,
  ...LONG_PROJECTS,
  ...SERVICE_POSTGRES_PROJECTS,
  ...MEMORY_PROJECTS,
];

/** @param {string} arg */
const namesAProject = (arg) => arg === '--project' || arg.startsWith('--project=');

/**
 * The arguments of a test run, with the projects that it runs when they name none.
 * @param {readonly string[]} args
 */
export function withProjects(args) {
  if (args.some(namesAProject)) return args;
  return [...QUICK_PROJECTS.flatMap((name) => ['--project', name]), ...args];
}

/**
 * A sentence for the first name of a `--project` that no project has; null when there is none. A pattern with `*` or `!` is
 * left to vitest.
 * @param {readonly string[]} args
 */
export function unknownProject(args) {
  const names = args.flatMap((arg, index) =>
    arg === '--project' ? (args[index + 1] ?? '') : (/^--project=(.*)$/.exec(arg)?.[1] ?? []),
  );
  const unknown = names.find((name) => !/[*!]/.test(name) && !TEST_PROJECTS.includes(name));
  return unknown === undefined
    ? null
    : `No project of the tests is named "${unknown}". The projects are: ${TEST_PROJECTS.join(', ')}.`;
}
