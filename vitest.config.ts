import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['core', 'adapters', 'localnet', 'host-node'].map((name) => ({
      test: { name, root: `./packages/${name}`, include: ['test/**/*.test.ts'], pool: 'forks' as const },
    })),
  },
});
