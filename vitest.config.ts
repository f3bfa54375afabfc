import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import HeavyFirst from './scripts/test/heavy-first.js';

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const COMMON = {
  // The local chain and SQLite are native addons: what crashes in one ends a process of the tests, and not
  // Vitest.
  pool: 'forks' as const,
  // The test files of a project share processes, because loading the service takes longer than most files
  // run. So each file undoes what it changes in its process, such as timers and mocks.
  isolate: false,
  // For setup.ts, which collects what V8 does not count.
  execArgv: ['--expose-gc'],
  setupFiles: [fromRoot('scripts/test/setup.ts')],
  // These only end a test that hangs; they are far above what any test takes on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/** For long tests, which wait for processes. */
const LONG_LIMITS = { testTimeout: 600_000 };

/** The members with tests of their own. */
const TESTED_MEMBERS = '{packages/*,examples/embed,tests/service}/';

const ALL = 'src/**/*.test.ts';

const SCRIPTS = '{scripts/test,deploy/tests}/**/*.test.ts';

const LONG = '**/*.long.test.ts';
const MOCKED = '**/*.mocked.test.ts';
const POSTGRES = '**/*.postgres.test.ts';

/** The tests of what the contract suite reached. */
const REACH = 'src/coverage/**';

/**
 * The tests that fill the windows of every route. The project `contract` runs them, on one host: each host
 * counts in its memory. `limits.test.ts` shows what several hosts admit.
 */
const FULL_WINDOWS = 'src/full-windows.test.ts';

/** The files that projects of their own run. */
const APART = [LONG, MOCKED, POSTGRES];

/**
 * Not run on PostgreSQL: generated requests, which the long test plays there, and a second payment of one
 * period, which only memory takes, because it has no unique indexes.
 */
const NOT_ON_POSTGRES = [
  'src/generated-requests/generated-requests.test.ts',
  'src/management/doctor-past-indexes.test.ts',
];

const MEMBERS = '{packages,examples,tests}/*/src/';
const ON_POSTGRES = { globalSetup: fromRoot('tests/world/src/every-store-on-postgres.ts') };

const project = (name: string, root: string, include: readonly string[], more: object = {}) => ({
  test: { ...COMMON, name, root, include: [...include], ...more },
});

const PROJECTS = [
  // One project, so that what all these load is transformed once, and loaded once by each process.
  project('quick', '.', [TESTED_MEMBERS + ALL, SCRIPTS], { exclude: APART }),
  project('mocked', '.', [MEMBERS + MOCKED], { isolate: true }),
  // The second is on the oldest version that is supported.
  ...['postgres', 'postgres-oldest'].map((name) =>
    project(name, '.', [MEMBERS + POSTGRES], { globalSetup: 'tests/postgres/src/setup.ts' }),
  ),
  project('pages', 'tests/pages', [ALL], { globalSetup: fromRoot('scripts/test/page-of-sources.ts') }),
  project('contract', 'tests/contract', [ALL], {
    exclude: [REACH],
    globalSetup: 'src/coverage/begin.ts',
  }),
  // Last of all, because it reports the reach of the whole contract suite.
  project('contract-reach', 'tests/contract', [REACH + '/*.test.ts'], { sequence: { groupOrder: 1 } }),
  project('long', '.', [MEMBERS + LONG, '{scripts/test,deploy/tests}/' + LONG], LONG_LIMITS),
  // The same tests as without the ending, with every store on PostgreSQL.
  project('service-postgres', 'tests/service', [ALL], {
    exclude: [...APART, ...NOT_ON_POSTGRES],
    ...ON_POSTGRES,
  }),
  project('mocked-postgres', 'tests/service', ['src/' + MOCKED], { isolate: true, ...ON_POSTGRES }),
  project('long-postgres', 'tests/service', ['src/' + LONG], {
    // This test opens a store of its own.
    exclude: ['**/subscription-on-pglite.long.test.ts'],
    ...ON_POSTGRES,
    ...LONG_LIMITS,
  }),
  project('contract-postgres', 'tests/contract', [ALL], {
    exclude: [REACH, FULL_WINDOWS],
    ...ON_POSTGRES,
  }),
];

// Vitest says nothing of a misspelt project beside a right one.
const named = process.argv.flatMap((arg, index, args) =>
  arg === '--project' ? [args[index + 1] ?? ''] : arg.startsWith('--project=') ? [arg.slice(10)] : [],
);
const unknown = named.filter((name) => !PROJECTS.some(({ test }) => test.name === name));
if (unknown.length > 0) {
  const known = PROJECTS.map(({ test }) => test.name).join(', ');
  // An error would be shown as that of this file, with a stack.
  console.error(`There is no project ${unknown.join(' or ')}. The projects are: ${known}.`);
  process.exit(2);
}

/** The file for the commands that run several kinds of tests. A run that a test starts must not write it. */
const { TEST_REPORT } = process.env;
delete process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    // Vitest would leave one processor to itself, but has little to do while the tests run.
    maxWorkers: '100%',
    // Later runs read the modules that this one has transformed.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: HeavyFirst },
    reporters: TEST_REPORT === undefined ? ['default'] : ['default', ['json', { outputFile: TEST_REPORT }]],
    projects: PROJECTS,
  },
});
