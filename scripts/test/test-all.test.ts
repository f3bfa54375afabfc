import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WholeRun } from '../tasks/last-whole-run.mjs';
import { ROOT } from '../tasks/repository.mjs';
import { part, writesReport } from './test-parts.js';

describe('npm run test:all', () => {
  let clone: string;
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: clone });

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'subrail-all-'));
    cpSync(join(ROOT, 'scripts', 'tasks'), join(clone, 'scripts', 'tasks'), { recursive: true });
    writeFileSync(join(clone, '.gitignore'), 'node_modules\nruns\n');
    writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
    git('init', '--quiet');
    commit();
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  function commit() {
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', 'all');
  }

  /** Runs two parts, of which the second passes or not, after it did something. */
  function testAll(secondPasses: boolean, does = '') {
    const note = (name: string) => `printf '${name} ' >> runs; `;
    const heavy = { file: 'a.test.ts', seconds: 9, megabytes: 1 };
    const parts = [
      part('report', note('first') + writesReport({ passed: 2, failures: [], files: [heavy] }), 'first'),
      part('exit code', note('second') + does + (secondPasses ? '' : 'exit 1'), 'second'),
    ];
    const script = `
      import { testAll } from './scripts/tasks/test-all.mjs';
      await testAll(${JSON.stringify(parts)});`;
    const args = ['--input-type=module', '--eval', script];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  const runs = () => readFileSync(join(clone, 'runs'), 'utf8').trim();

  it('says that it goes on when somebody interrupts it', () => {
    const { status, stdout } = testAll(true, 'kill -INT $PPID; sleep 60; ');
    expect([status, stdout]).toEqual([
      null,
      expect.stringContaining(
        '\n1 of 2 parts of this commit have passed. npm run test:all goes on after them.\n',
      ),
    ]);
  });

  it('goes on where it stopped, says what is left, and records the commit once everything passed', () => {
    const failed = testAll(false);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('✓ first') as string });
    expect(failed.stdout).toContain(
      'Left: 2 of 2 parts, 0 minutes and the unknown time of first, second: first, second.',
    );
    expect(failed.stdout).toContain('What failed:\nsecond: it ended with exit code 1\n');

    const passed = testAll(true);
    expect(passed.status).toBe(0);
    expect(passed.stdout).toContain('Left: 1 of 2 parts, 0 minutes and the unknown time of second: second.');
    expect(passed.stdout).toMatch(/\n3 passed, 0 failed\n$/);
    expect(runs()).toBe('first second second');

    const record = JSON.parse(readFileSync(join(clone, 'docs/evidence/test-all.json'), 'utf8')) as WholeRun;
    expect(record).toMatchObject({
      commit: git('rev-parse', 'HEAD').toString().trim(),
      passed: 3,
      parts: [
        { name: 'first', passed: 2, tries: 1 },
        { name: 'second', passed: 1, tries: 2 },
      ],
      heavy: [{ file: 'a.test.ts', seconds: 9, megabytes: 1 }],
    });
  });

  it('counts nothing of another commit, nor of another version of Node', () => {
    testAll(false);
    commit();
    testAll(false);
    const progress = join(clone, 'node_modules/.cache/test-all.json');
    const text = readFileSync(progress, 'utf8');
    expect(text).toContain(process.versions.node);
    writeFileSync(progress, text.replace(process.versions.node, '1.0.0'));
    testAll(true);
    expect(runs()).toBe('first second first second first second');
  });

  it('fails a part while which files were changed, because it says nothing about the commit', () => {
    const { status, stdout } = testAll(true, 'touch changed.ts; ');
    expect(status).toBe(1);
    expect(stdout).toContain('\nsecond: it does not count, because files were changed while it ran\n');
    expect(stdout).toMatch(/\n2 passed, 1 failed\n$/);
  });

  it('refuses what is not committed, by its name, because the record names a commit', () => {
    writeFileSync(join(clone, 'new.ts'), '');
    writeFileSync(join(clone, 'package.json'), '{ "type": "module" }\n');
    const { status, stderr } = testAll(true);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Commit, stash or delete these first.*\n M package\.json\n\?\? new\.ts\n$/);
  });

  it('says what git says when it fails', () => {
    rmSync(join(clone, '.git', 'HEAD'));
    const { status, stderr } = testAll(true);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^git does not say which commit this is:\nfatal: /);
  });
});
