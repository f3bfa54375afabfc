import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import {
  LONG_PROJECT,
  MOCKED_PROJECT,
  PAGES_PROJECT,
  POSTGRES_PROJECT,
  projectName,
  TESTED_MEMBERS,
} from './scripts/tasks/test-projects.mjs';

const COMMON = {
  // The local chain and SQLite are native addons: what crashes in one ends a process of the tests, and not Vitest.
  pool: 'forks' as const,
  // The test files of a project share processes, because loading the service takes longer than most files run. So each
  // file undoes what it changes in its process, such as timers and mocks.
  isolate: false,
  // For file-memory.ts, which collects what V8 does not count.
  execArgv: ['--expose-gc'],
  setupFiles: ['property-seed', 'file-memory'].map((name) =>
    fileURLToPath(new URL(`scripts/test/${name}.ts`, import.meta.url)),
  ),
  // These only end a test that hangs; they are far above what any test takes on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The files of tests that take long by nature, which `npm run test:long` runs. */
const LONG = '**/*.long.test.ts';

/** The files of tests that need servers of PostgreSQL, which they share. */
const POSTGRES = '**/*.postgres.test.ts';

/**
 * The files of the service's tests that are not run on PostgreSQL: a thousand generated requests, because the long test plays two thousand
 * there, and a second payment of one period, which only memory takes, because it has no unique indexes.
 */
const NOT_ON_POSTGRES = [
  'src/generated-requests/generated-requests.test.ts',
  'src/management/doctor-past-indexes.test.ts',
];

/** The files of tests that replace a module, which other files may have loaded in a shared process. */
const MOCKED = '**/*.mocked.test.ts';

export default defineConfig({
  test: {
    // As many test files at once as there are processors. Vitest leaves one processor to itself by default, but it has
    // little to do while the tests run: on a machine with two processors, half of the machine would be idle.
    maxWorkers: '100%',
    reporters: ['default', fileURLToPath(new URL('scripts/test/run-report.ts', import.meta.url))],
    projects: [
      // These run from source, and so do the packages they import: nothing is built first.
      ...TESTED_MEMBERS.map((root) => ({
        test: {
          ...COMMON,
          name: projectName(root),
          root,
          include: ['src/**/*.test.ts'],
          exclude: [LONG, MOCKED, POSTGRES],
        },
      })),
      {
        test: {
          ...COMMON,
          name: MOCKED_PROJECT,
          include: ['{packages,examples,tests}/*/src/' + MOCKED],
          isolate: true,
        },
      },
      {
        test: {
          ...COMMON,
          name: POSTGRES_PROJECT,
          include: ['{packages,tests}/*/src/' + POSTGRES],
          globalSetup: 'tests/postgres/src/setup.ts',
        },
      },
      // The same tests as without the ending, with every store on PostgreSQL.
      {
        test: {
          ...COMMON,
          name: 'service-postgres',
          root: 'tests/service',
          include: ['src/**/*.test.ts'],
          exclude: [LONG, MOCKED, POSTGRES, ...NOT_ON_POSTGRES],
          globalSetup: '../world/src/every-store-on-postgres.ts',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'mocked-postgres',
          root: 'tests/service',
          include: ['src/' + MOCKED],
          isolate: true,
          globalSetup: '../world/src/every-store-on-postgres.ts',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'contract-postgres',
          root: 'tests/contract',
          include: ['src/*.test.ts'],
          globalSetup: '../world/src/every-store-on-postgres.ts',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'scripts',
          root: 'scripts',
          include: ['test/**/*.test.ts'],
          exclude: [LONG],
        },
      },
      {
        test: {
          ...COMMON,
          name: 'contract',
          root: 'tests/contract',
          include: ['src/*.test.ts'],
          globalSetup: 'src/coverage/begin.ts',
        },
      },
      // The same tests, with every store in memory.
      {
        test: {
          ...COMMON,
          name: 'contract-memory',
          root: 'tests/contract',
          include: ['src/*.test.ts'],
          globalSetup: '../world/src/every-store-in-memory.ts',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'contract-reach',
          root: 'tests/contract',
          include: ['src/coverage/*.test.ts'],
          // It runs after all other projects, because it reports what the whole contract suite reached.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...COMMON,
          name: PAGES_PROJECT,
          root: 'tests/pages',
          include: ['src/*.test.ts'],
        },
      },
      {
        test: {
          ...COMMON,
          name: LONG_PROJECT,
          include: ['{packages,examples,tests}/*/src/' + LONG, 'scripts/test/' + LONG],
        },
      },
      // The long tests of the service, with every store on PostgreSQL.
      {
        test: {
          ...COMMON,
          name: 'long-postgres',
          root: 'tests/service',
          include: ['src/' + LONG],
          globalSetup: '../world/src/every-store-on-postgres.ts',
        },
      },
      // The scenarios through moved time, with every store in memory.
      {
        test: {
          ...COMMON,
          name: 'scenarios-memory',
          root: 'tests/service',
          include: ['src/scenarios/*.test.ts'],
          globalSetup: '../world/src/every-store-in-memory.ts',
        },
      },
    ],
  },
});
