import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

it('a check that throws has failed, what needs it is not run, and the others are', () => {
  const script = `
    import { check } from './scripts/tasks/check.mjs';
    await check([], [
      { name: 'throws', run: () => { throw new Error('There is no such folder.'); } },
      { name: 'needs it', needs: ['throws'], run: async () => ({ code: 0, output: '' }) },
      { name: 'passes', run: async () => ({ code: 0, output: '' }) },
    ]);`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr.match(/[✓✗] (passes|needs it|throws)/g)?.sort()).toEqual([
    '✓ passes',
    '✗ needs it',
    '✗ throws',
  ]);
  expect(stdout).toContain('── throws ──\nError: There is no such folder.\n');
  expect(stdout).toContain('── needs it ──\nNot run: it needs throws.\n');
  expect([status, stdout]).toEqual([1, expect.stringMatching(/\n1 passed, 2 failed\n$/)]);
});
