import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Part } from '../tasks/parts.mjs';
import { runParts } from '../tasks/run-parts.mjs';
import { ROOT } from '../tasks/repository.mjs';
import { part, writesReport } from './test-parts.js';

/** The grace is short, because what has ended without a parent may be seen for a moment longer. */
const RUNNING = { width: 1, limitMs: 60_000, graceMs: 200 };

describe('a part', () => {
  beforeEach(() => {
    vi.spyOn(console, 'log').mockReturnValue();
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it.each<[name: string, part: Part, passed: number, failures: readonly string[]]>([
    ['counts in its last line', part('printed', "echo 'a\n3 passed, 0 failed'"), 3, []],
    [
      'counts although a child that ends says something later',
      part('printed', "echo '3 passed, 0 failed'; echo ended >&2"),
      3,
      [],
    ],
    [
      'names in its last line what failed',
      part('printed', "echo '  ✗ lint   1.0 s\n3 passed, 2 failed'; exit 1"),
      3,
      ['lint   1.0 s', 'without a name'],
    ],
    [
      'fails when it counts nothing',
      part('printed', "echo '0 passed, 0 failed'"),
      0,
      ['it ended with exit code 0'],
    ],
    ['fails when it prints no counts', part('printed', 'echo fine'), 0, ['it ended with exit code 0']],
    [
      'fails with its exit code although nothing that it counted failed',
      part('printed', "echo '3 passed, 0 failed'; exit 7"),
      3,
      ['it ended with exit code 7'],
    ],
    ['counts as one by its exit code', part('exit code', ''), 1, []],
    ['fails by its exit code', part('exit code', 'exit 2'), 0, ['it ended with exit code 2']],
    ['fails by a signal', part('exit code', 'kill -s KILL $$'), 0, ['it was ended by SIGKILL']],
    [
      'counts in the report of its tests',
      part('report', writesReport({ passed: 5, failures: ['a.test.ts: b: failed'], files: [] }) + 'exit 1'),
      5,
      ['a.test.ts: b: failed'],
    ],
    [
      'fails when its report has no test',
      part('report', writesReport({ passed: 0, failures: [], files: [] })),
      0,
      ['it ended with exit code 0'],
    ],
    ['fails without a report', part('report', ''), 0, ['it ended with exit code 0']],
    [
      'is not run without what it needs',
      { ...part('exit code', ''), prepare: async () => 'There is no Chromium.\nE: no network' },
      0,
      ['There is no Chromium.'],
    ],
    [
      'ends with what it leaves running, which would hold its output open',
      part('exit code', 'sleep 600 & exit 0'),
      1,
      [],
    ],
  ])('%s', async (_name, part, passed, failures) => {
    expect(await runParts([part], RUNNING)).toMatchObject([{ passed, failures }]);
  });

  it.each([
    ['heeds no signal', "trap '' TERM; while :; do sleep 0.05; done"],
    ['then says that it passed', "trap 'exit 0' TERM; while :; do sleep 0.05; done"],
    ['started something', 'sleep 600 & wait'],
  ])('that hangs and %s is ended, and fails', async (_, script) => {
    expect(await runParts([part('exit code', script)], { ...RUNNING, limitMs: 300 })).toMatchObject([
      { failures: ['it did not end within 0.3 s'] },
    ]);
  });

  it('ends with what one of its own commands started, such as a check', async () => {
    const command = ['sh', '-c', 'echo $$ > "$TMPDIR/pid"; exec sleep 600'];
    const check = `
      import { capture } from ${JSON.stringify(join(ROOT, 'scripts/tasks/processes.mjs'))};
      await capture(${JSON.stringify(command)});`;
    const starts = `"$NODE" --input-type=module --eval "$CHECK" &
      while [ ! -s "$TMPDIR/pid" ]; do sleep 0.02; done; cat "$TMPDIR/pid"`;
    vi.stubEnv('NODE', process.execPath);
    vi.stubEnv('CHECK', check);
    const running = { ...RUNNING, graceMs: 60_000 };
    const [outcome] = await runParts([part('exit code', starts)], running);
    const pid = Number(outcome?.output);
    expect(pid).toBeGreaterThan(1);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('has a folder for temporary files, which ends with it', async () => {
    const leaves = part('exit code', 'echo left > "$TMPDIR/left"; printf "$TMPDIR"');
    const [outcome] = await runParts([leaves], RUNNING);
    expect(outcome).toMatchObject({ passed: 1, output: expect.stringContaining(tmpdir()) as string });
    expect(existsSync(outcome?.output ?? '')).toBe(false);
  });

  it('has no variable that changes its tests', async () => {
    vi.stubEnv('ENGINE', 'sqlite');
    vi.stubEnv('SUBRAIL_CONTRACT_WORLD', 'mine.ts');
    const [outcome] = await runParts([part('exit code', 'env')], RUNNING);
    expect(outcome?.output).toContain('TEST_REPORT=');
    expect(outcome?.output).not.toMatch(/^(ENGINE|SUBRAIL_CONTRACT_WORLD)=/m);
  });

  it('is not run after an interruption of what it needs', () => {
    const script = `
      import { captureEach } from './scripts/tasks/processes.mjs';
      import { runParts } from './scripts/tasks/run-parts.mjs';
      const prepare = async () => {
        await captureEach([['sh', '-c', 'kill -s HUP $PPID; exec sleep 600']]);
        return null;
      };
      const part = { name: 'pages', counts: 'exit code', command: ['sh', '-c', 'echo run >&2'], prepare };
      const outcomes = await runParts([part], { width: 1, limitMs: 60_000, ended: console.error });
      console.error(outcomes.length);`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^ {2}– pages +[0-9.]+ s\n0\n$/)]);
  });
});
