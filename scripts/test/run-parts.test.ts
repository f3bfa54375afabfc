import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WholeRun } from '../tasks/last-whole-run.mjs';
import type { Part } from '../tasks/parts.mjs';
import { runParts } from '../tasks/run-parts.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** A part that runs a line of JavaScript. */
const part = (counts: Part['counts'], script: string, name = 'part'): Part => ({
  ...{ name, counts, when: 'change' },
  command: [process.execPath, '--input-type=commonjs', '--eval', script],
});

const WRITES_REPORT = (report: object, code = 0) =>
  `require('node:fs').writeFileSync(process.env.TEST_REPORT, ${JSON.stringify(JSON.stringify(report))});
   process.exitCode = ${code};`;

describe('a part', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each<[name: string, part: Part, passed: number, failures: readonly string[]]>([
    ['counts in its last line', part('printed', "console.log('a\\n3 passed, 0 failed')"), 3, []],
    [
      'counts although a child that ends says something later',
      part('printed', "console.log('3 passed, 0 failed'); console.error('ended')"),
      3,
      [],
    ],
    [
      'names in its last line what failed',
      part('printed', "console.log('  ✗ lint   1.0 s\\n3 passed, 2 failed'); process.exitCode = 1"),
      3,
      ['lint   1.0 s', 'not run'],
    ],
    [
      'fails when it counts nothing',
      part('printed', "console.log('0 passed, 0 failed')"),
      0,
      ['it ended with exit code 0'],
    ],
    [
      'fails when it prints no counts',
      part('printed', "console.log('fine')"),
      0,
      ['it ended with exit code 0'],
    ],
    [
      'fails with its exit code although nothing that it counted failed',
      part('printed', "console.log('3 passed, 0 failed'); process.exitCode = 7"),
      3,
      ['it ended with exit code 7'],
    ],
    ['counts as one by its exit code', part('exit code', ''), 1, []],
    ['fails by its exit code', part('exit code', 'process.exitCode = 2'), 0, ['it ended with exit code 2']],
    [
      'fails by a signal',
      part('exit code', "process.kill(process.pid, 'SIGKILL')"),
      0,
      ['it was ended by SIGKILL'],
    ],
    [
      'counts in the report of its tests',
      part('report', WRITES_REPORT({ passed: 5, failures: ['a.test.ts: b: failed'], files: [] }, 1)),
      5,
      ['a.test.ts: b: failed'],
    ],
    [
      'fails when its report has no test',
      part('report', WRITES_REPORT({ passed: 0, failures: [], files: [] })),
      0,
      ['it ended with exit code 0'],
    ],
    ['fails without a report', part('report', ''), 0, ['it ended with exit code 0']],
    [
      'is not run without what it needs',
      { ...part('exit code', ''), prepare: async () => 'There is no Chromium.' },
      0,
      ['There is no Chromium.'],
    ],
  ])('%s', async (_name, part, passed, failures) => {
    vi.spyOn(console, 'log').mockReturnValue();
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await runParts([part], 1)).toMatchObject([{ passed, failures }]);
  });
});

it('a part that hangs is killed with what it started, which would hold its output open', async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const starts =
    "require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' }); setInterval(() => {}, 1000)";
  const [outcome] = await runParts([part('exit code', starts)], 1, undefined, { limitMs: 500 });
  vi.restoreAllMocks();
  expect(outcome?.failures).toEqual(['it was ended by SIGKILL']);
});

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

  /** Runs two parts, of which the second passes or not. */
  function testAll(secondPasses: boolean) {
    const note = (name: string) => `require('node:fs').appendFileSync('runs', '${name} ');`;
    const heavy = { file: 'a.test.ts', seconds: 9, megabytes: 1 };
    const parts = [
      part('report', note('first') + WRITES_REPORT({ passed: 2, failures: [], files: [heavy] }), 'first'),
      part('exit code', note('second') + (secondPasses ? '' : 'process.exitCode = 1'), 'second'),
    ];
    const script = `
      import { testAll } from './scripts/tasks/test-all.mjs';
      await testAll(${JSON.stringify(parts)});`;
    const args = ['--input-type=module', '--eval', script];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  const runs = () => readFileSync(join(clone, 'runs'), 'utf8').trim();

  it('goes on where it stopped, says what is left, and records the commit once everything passed', () => {
    const failed = testAll(false);
    expect(failed).toMatchObject({ status: 1, stderr: '' });
    expect(failed.stdout).toContain('Left: 2 of 2 parts, 0 minutes, and what 2 of them take: first, second.');
    expect(failed.stdout).toContain('What failed:\nsecond: it ended with exit code 1\n');

    const passed = testAll(true);
    expect(passed).toMatchObject({ status: 0, stderr: '' });
    expect(passed.stdout).toContain('Left: 1 of 2 parts, 0 minutes, and what 1 of them take: second.');
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

  it('counts nothing of another commit', () => {
    testAll(false);
    commit();
    testAll(true);
    expect(runs()).toBe('first second first second');
  });

  it('refuses what is not committed, because the record names a commit', () => {
    writeFileSync(join(clone, 'changed.ts'), '');
    const { status, stderr } = testAll(true);
    expect(status).toBe(2);
    expect(stderr).toContain('Commit or stash what is changed first');
  });
});
