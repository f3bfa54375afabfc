import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runParts } from '../tasks/run-parts.mjs';
import { ROOT } from '../tasks/repository.mjs';
import { part, writesReport } from './test-parts.js';

/** The grace is short, because what has ended without a parent may be seen for a moment longer. */
const RUNNING = { width: 1, limitMs: 60_000, graceMs: 200 };
const EMPTY = { passed: 0, failures: [], files: [] };
const FAILED = { passed: 5, failures: ['a.test.ts: b: failed'], files: [] };
const ENDED = ['it ended with exit code 0'];

describe('a part', () => {
  beforeEach(() => {
    vi.spyOn(console, 'log').mockReturnValue();
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it.each([
    ['printed', "echo 'a\n3 passed, 0 failed'", 3, []],
    ['printed', "echo '3 passed, 0 failed'; echo a child ended later >&2", 3, []],
    ['printed', "echo '  ✗ lint 1 s\n3 passed, 2 failed'; exit 1", 3, ['lint 1 s', 'without a name']],
    ['printed', "echo '0 passed, 0 failed'", 0, ENDED],
    ['printed', 'echo fine', 0, ENDED],
    ['printed', "echo '3 passed, 0 failed'; exit 7", 3, ['it ended with exit code 7']],
    ['exit code', '', 1, []],
    ['exit code', 'exit 2', 0, ['it ended with exit code 2']],
    ['exit code', 'kill -s KILL $$', 0, ['it was ended by SIGKILL']],
    ['exit code', 'sleep 600 & exit 0', 1, []],
    ['report', `${writesReport(FAILED)}exit 1`, 5, FAILED.failures],
    ['report', writesReport(EMPTY), 0, ENDED],
    ['report', '', 0, ENDED],
  ] as const)(
    'that counts by its %s and runs %j passes %i, and fails %j',
    async (counts, script, passed, failures) => {
      expect(await runParts([part(counts, script)], RUNNING)).toMatchObject([{ passed, failures }]);
    },
  );

  it('is not run without what it needs', async () => {
    const needs = { ...part('exit code', ''), prepare: async () => 'There is no Chromium.\nE: no network' };
    expect(await runParts([needs], RUNNING)).toMatchObject([
      { passed: 0, failures: ['There is no Chromium.'] },
    ]);
  });

  it.each([
    ['heeds no signal', "trap '' TERM; while :; do sleep 0.05; done"],
    ['then says that it passed', "trap 'exit 0' TERM; while :; do sleep 0.05; done"],
    ['started something', 'sleep 600 & wait'],
  ])('that hangs and %s is ended, and fails', async (_, script) => {
    const outcomes = await runParts([part('exit code', script)], { ...RUNNING, limitMs: 300 });
    expect(outcomes).toMatchObject([{ failures: ['it did not end within 0.3 s'] }]);
  });

  it('ends with what one of its own commands started, such as a check', async () => {
    const command = ['sh', '-c', 'echo $$ > "$TMPDIR/pid"; exec sleep 600'];
    vi.stubEnv('NODE', process.execPath);
    vi.stubEnv(
      'CHECK',
      `import { capture } from ${JSON.stringify(join(ROOT, 'scripts/tasks/processes.mjs'))};
      await capture(${JSON.stringify(command)});`,
    );
    const starts = `"$NODE" --input-type=module --eval "$CHECK" &
      while [ ! -s "$TMPDIR/pid" ]; do sleep 0.02; done; cat "$TMPDIR/pid"`;
    const [outcome] = await runParts([part('exit code', starts)], { ...RUNNING, graceMs: 60_000 });
    const pid = Number(outcome?.output);
    expect(pid).toBeGreaterThan(1);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('has a folder for temporary files, which ends with it, and no variable that changes its tests', async () => {
    vi.stubEnv('ENGINE', 'sqlite');
    vi.stubEnv('SUBRAIL_CONTRACT_WORLD', 'mine.ts');
    const [outcome] = await runParts([part('exit code', 'env; echo left > "$TMPDIR/left"')], RUNNING);
    const [, folder = ''] = /^TMPDIR=(.*)$/m.exec(outcome?.output ?? '') ?? [];
    expect([folder.startsWith(tmpdir()), existsSync(folder)]).toEqual([true, false]);
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
      console.log((await runParts([part], { width: 1, limitMs: 60_000, ended: console.error })).length);`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['0\n', expect.stringMatching(/^ {2}– pages +[0-9.]+ s\n$/)]);
  });
});
