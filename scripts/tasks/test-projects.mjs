/** The members with tests of their own. */
export const TESTED_MEMBERS = [
  'packages/core',
  'packages/adapters',
  'packages/localnet',
  'packages/testing',
  'packages/host-node',
  'examples/embed',
  'tests/service',
];

/**
 * The name by which `--project` chooses the tests of a member.
 * @param {string} folder
 */
export const projectName = (folder) => folder.replace('packages/', '').replace('tests/', '');

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

/** The tests of `quick`, by the member whose they are, to choose them by. */
export const MEMBER_PROJECTS = [...TESTED_MEMBERS.map(projectName), 'scripts'];

/** The projects that run tests once more on another database or another version of it, before a release. */
export const SERVICE_POSTGRES_PROJECTS = ['service-postgres', 'mocked-postgres'];
export const OLDEST_POSTGRES_PROJECTS = ['postgres-oldest'];

/** Every name that `--project` takes. */
export const TEST_PROJECTS = [
  ...Object.values(COMMAND_PROJECTS).flat(),
  ...MEMBER_PROJECTS,
  ...SERVICE_POSTGRES_PROJECTS,
  ...OLDEST_POSTGRES_PROJECTS,
];

/** @param {string} arg */
const namesAProject = (arg) => arg === '--project' || arg.startsWith('--project=');

/**
 * The arguments of a test run, with the projects that it runs when they name none.
 * @param {readonly string[]} args
 * @param {readonly string[]} projects
 */
export const withProjects = (args, projects) =>
  args.some(namesAProject) ? args : [...projects.map((name) => `--project=${name}`), ...args];
