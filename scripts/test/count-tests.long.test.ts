import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The counts for a report of one test file, given its status and those of its tests, and the lines of its failures. */
function countTests(status: string, ...tests: readonly string[]) {
  const file = join(folder, 'report.json');
  const failures = join(folder, 'failures');
  const assertionResults = tests.map((status) => ({ status, fullName: `is ${status}` }));
  writeFileSync(
    file,
    JSON.stringify({ testResults: [{ name: join(ROOT, 'some.test.ts'), status, assertionResults }] }),
  );
  writeFileSync(failures, 'check: lint\n');
  const command = [join(ROOT, 'scripts/ci/count-tests.mjs'), file, failures];
  const counts = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: ROOT }).stdout.trim();
  return { counts, failures: readFileSync(failures, 'utf8').trimEnd().split('\n') };
}

describe('the count of tests, passed and failed', () => {
  it('counts what passed and what failed, and adds a line for each failure', () => {
    expect(countTests('failed', 'passed', 'failed', 'passed')).toEqual({
      counts: '2 1',
      failures: ['check: lint', 'some.test.ts: is failed: failed'],
    });
  });

  it.each(['skipped', 'pending', 'todo', 'disabled'])('counts a test that was %s as failed', (status) => {
    expect(countTests('passed', 'passed', status)).toEqual({
      counts: '1 1',
      failures: ['check: lint', `some.test.ts: is ${status}: ${status}`],
    });
  });

  it('counts a file that could not be loaded as one failure', () => {
    const failures = ['check: lint', 'some.test.ts: could not be run'];
    expect(countTests('failed')).toEqual({ counts: '0 1', failures });
    expect(countTests('failed', 'passed')).toEqual({ counts: '1 1', failures });
  });
});
