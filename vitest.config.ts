import { defineConfig } from 'vitest/config';

const HOST = 'packages/host-node';

/** Every member is tested from source, its neighbours' sources included: nothing is built first. */
const MEMBERS = [
  'packages/core',
  'packages/adapters',
  'packages/localnet',
  HOST,
  'examples/embed',
  'scripts',
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
          name: root.replace('packages/', ''),
          root,
          include: ['test/**/*.test.ts'],
          exclude: root === HOST ? ['test/contract/**'] : [],
        },
      })),
      {
        test: {
          ...COMMON,
          name: 'contract',
          root: HOST,
          include: ['test/contract/*.test.ts'],
          globalSetup: 'test/contract/reach/begin.ts',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'contract-reach',
          root: HOST,
          include: ['test/contract/reach/*.test.ts'],
          // After all else: it tells what the whole suite reached.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
