import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-count-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The counts for a report of one test file, given its status and those of its tests. */
function countTests(status: string, ...tests: readonly string[]) {
  const file = join(folder, 'report.json');
  const assertionResults = tests.map((status) => ({ status }));
  writeFileSync(file, JSON.stringify({ testResults: [{ status, assertionResults }] }));
  const command = [join(ROOT, 'scripts/ci/count-tests.mjs'), file];
  return spawnSync(process.execPath, command, { encoding: 'utf8' }).stdout.trim();
}

describe('the count of tests, passed and failed', () => {
  it('counts what passed and what failed', () => {
    expect(countTests('failed', 'passed', 'failed', 'passed')).toBe('2 1');
  });

  it.each(['skipped', 'pending', 'todo', 'disabled'])('counts a test that was %s as failed', (status) => {
    expect(countTests('passed', 'passed', status)).toBe('1 1');
  });

  it('counts a file that could not be loaded as one failure', () => {
    expect(countTests('failed')).toBe('0 1');
    expect(countTests('failed', 'passed')).toBe('1 1');
  });
});
