import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsup';
import { afterEach, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

/** A folder from which the host's imports resolve as from its `dist`. */
const BUILT = join(ROOT, 'packages/host-node/node_modules/.cache/built-command');

afterEach(() => rmSync(BUILT, { recursive: true, force: true }));

it('the built command inside the repository refuses to run, and says what to run', async () => {
  await build({
    entry: [join(ROOT, 'packages/host-node/src/main.ts')],
    outDir: BUILT,
    format: 'esm',
    target: 'node20',
    skipNodeModulesBundle: true,
    config: false,
    silent: true,
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(BUILT, 'main.js'), 'start'], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^This is the built command inside the repository, .* Run "npm start" .*\.\n$/);
  expect([status, stdout]).toEqual([1, '']);
});
