import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

it('a check that cannot be run has failed like any other, and the others are run', () => {
  const script = `
    import { check } from './scripts/tasks/check.mjs';
    await check([], [
      { name: 'throws', run: () => { throw new Error('There is no such folder.'); } },
      { name: 'rejects', run: async () => { throw new Error('There is no such tool.'); } },
      { name: 'needs it', needs: ['throws'], run: async () => ({ code: 0, output: '' }) },
      { name: 'passes', run: async () => ({ code: 0, output: '' }) },
    ]);`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(
    stderr
      .match(/^ {2}[✓✗] .*(?= +[0-9.]+ s$)/gm)
      ?.map((line) => line.trim())
      .sort(),
  ).toEqual(['✓ passes', '✗ needs it', '✗ rejects', '✗ throws']);
  expect(stdout).toContain('── throws ──\nError: There is no such folder.\n');
  expect(stdout).toContain('── rejects ──\nError: There is no such tool.\n');
  expect(stdout).toContain('── needs it ──\nNot run: it needs throws.\n');
  expect(stdout).toMatch(/\n1 passed, 3 failed\n$/);
});
