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

export default defineConfig({
  test: {
    projects: MEMBERS.map((root) => ({
      test: {
        name: root.replace('packages/', ''),
        root,
        include: ['test/**/*.test.ts'],
        // The ledger and the database are native addons; a process of its own per file keeps them apart.
        pool: 'forks' as const,
        // A bound on a hang, far above what any test takes on a busy machine. No test waits for it.
        testTimeout: 30_000,
        hookTimeout: 30_000,
      },
    })),
  },
});
