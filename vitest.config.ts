import { defineConfig } from 'vitest/config';

/** Every member is tested from source, its neighbours' sources included: nothing is built first. */
const MEMBERS = [
  'packages/core',
  'packages/adapters',
  'packages/localnet',
  'packages/host-node',
  'examples/embed',
  'scripts',
];

const CONTRACT = 'test/contract/**';

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
          exclude: [CONTRACT],
        },
      })),
      {
        test: {
          ...COMMON,
          name: 'contract',
          root: 'packages/host-node',
          include: [`${CONTRACT}/*.test.ts`],
          exclude: ['test/contract/coverage/**'],
          globalSetup: 'test/contract/coverage/begin.ts',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'contract-coverage',
          root: 'packages/host-node',
          include: ['test/contract/coverage/*.test.ts'],
          // After all else: it tells what the whole suite reached.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
