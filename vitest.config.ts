import { defineConfig } from 'vitest/config';

/** Every member is tested from source, its neighbours' sources included: nothing is built first. */
const MEMBERS = [
  'packages/core',
  'packages/adapters',
  'packages/localnet',
  'packages/host-node',
  'examples/embed',
  'tests/service',
];

const COMMON = {
  // The ledger and the database are native addons; a process of its own per file keeps them apart.
  pool: 'forks' as const,
  // A bound on a hang, far above what any test takes on a busy machine. No test waits for it.
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

export default defineConfig({
  test: {
    projects: [
      ...MEMBERS.map((root) => ({
        test: {
          ...COMMON,
          name: root.replace('packages/', '').replace('tests/', ''),
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
          // It runs last, because it reports what the whole suite reached.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
