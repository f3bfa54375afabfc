import { defineConfig } from 'vitest/config';
import { projectName, TESTED_MEMBERS } from './scripts/tasks/test-projects.mjs';

const COMMON = {
  // The local chain and SQLite are native addons: each test file gets its own process, so that none can crash another.
  pool: 'forks' as const,
  // These only end a test that hangs; they are far above what any test takes on a busy machine.
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

export default defineConfig({
  test: {
    // As many test files at once as there are processors. Vitest leaves one processor to itself by default, but it has
    // little to do while the tests run: on a machine with two processors, half of the machine would be idle.
    maxWorkers: '100%',
    projects: [
      // These run from source, and so do the packages they import: nothing is built first.
      ...TESTED_MEMBERS.map((root) => ({
        test: {
          ...COMMON,
          name: projectName(root),
          root,
          include: ['src/**/*.test.ts'],
        },
      })),
      { test: { ...COMMON, name: 'scripts', root: 'scripts', include: ['test/**/*.test.ts'] } },
      {
        test: {
          ...COMMON,
          name: 'contract',
          root: 'tests/contract',
          include: ['src/*.test.ts'],
          globalSetup: 'src/coverage/begin.ts',
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
    ],
  },
});
