import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

let clone: string;
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: clone,
    encoding: 'utf8',
  });

function commit() {
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '--message', 'all');
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'subrail-all-'));
  cpSync(join(ROOT, 'scripts', 'tasks'), join(clone, 'scripts', 'tasks'), { recursive: true });
  writeFileSync(join(clone, '.gitignore'), 'node_modules\nruns\n');
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
  git('init', '--quiet');
  commit();
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Runs parts by their scripts, each of which notes that it ran. One without a script counts itself. */
function run(command: 'testAll' | 'testChange', scripts: readonly string[]) {
  const parts = scripts.map((script, index) => ({
    name: `part${index}`,
    command: ['sh', '-c', `printf ${index} >> runs; ${script}`],
    countsItself: script === '',
  }));
  const code = `
    import { ${command} } from './scripts/tasks/test-all.mjs';
    await ${command}(${JSON.stringify(parts)});`;
  const args = ['--input-type=module', '--eval', code];
  const env = { ...process.env, SUBRAIL_PORT: '1', KILLS: '1' };
  return spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8', env });
}

const runs = () => readFileSync(join(clone, 'runs'), 'utf8');

/** A script that writes the report of a test run. */
const reports = (numPassedTests: number, status: string, ...tests: readonly string[]) => {
  const assertionResults = tests.map((status) => ({ fullName: 'b', status }));
  const file = { name: 'a.test.ts', status, message: 'It does not load.', assertionResults };
  return `echo '${JSON.stringify({ numPassedTests, testResults: [file] })}' > "$TEST_REPORT"`;
};

it.each([
  ["echo '3 passed, 0 failed'; echo a child ended later >&2", 3, []],
  ["echo '  ✗ lint      1.0 s\n3 passed, 2 failed'; exit 1", 3, ['lint', 'without a name']],
  ["echo '0 passed, 0 failed'", 0, ['it ended with exit code 0']],
  ["echo '3 passed, 0 failed'; exit 7", 3, ['it ended with exit code 7']],
  ["sleep 600 & echo '1 passed, 0 failed'", 1, []],
  ['', 1, []],
  ['true', 0, ['it ended with exit code 0']],
  ['echo fine', 0, ['it ended with exit code 0']],
  ['kill -s KILL $$', 0, ['it was ended by SIGKILL']],
  [`${reports(1, 'failed', 'passed', 'failed')}; exit 1`, 1, ['a.test.ts: b: failed']],
  [reports(1, 'passed', 'passed', 'skipped'), 1, ['a.test.ts: b: skipped']],
  [reports(0, 'failed'), 0, ['a.test.ts: It does not load.']],
  ['echo left > "$TMPDIR/left"; echo "1$SUBRAIL_PORT$KILLS passed, 0 failed"', 1, []],
] as const)('a part that runs %j passes %i, and fails %j', (script, passed, failures) => {
  const { status, stdout } = run('testChange', [script]);
  const failed = failures.map((failure) => `part0: ${failure}\n`).join('');
  expect(stdout.replace(/^[^]*(?=\nWhat failed:)/, '')).toBe(
    `${failed && `\nWhat failed:\n${failed}`}\n${passed} passed, ${failures.length} failed\n`,
  );
  expect(status).toBe(failures.length === 0 ? 0 : 1);
});

it('a check that throws has failed, what needs it is not run, and the others are', () => {
  const code = `import { check } from './scripts/tasks/check.mjs';
    const run = async () => ({ code: 0, output: '' });
    const throws = { name: 'throws', run: () => { throw new Error('no folder'); } };
    await check([], [throws, { name: 'needs it', needs: ['throws'], run }, { name: 'passes', run }]);`;
  const args = ['--input-type=module', '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(
    stderr
      .match(/[✓✗] \w+/g)
      ?.sort()
      .join(' '),
  ).toBe('✓ passes ✗ needs ✗ throws');
  expect(stdout).toContain('── throws ──\nError: no folder\n');
  expect(stdout).toContain('── needs it ──\nNot run: it needs throws.\n');
  expect([status, stdout]).toEqual([1, expect.stringMatching(/\n1 passed, 2 failed\n$/)]);
});

it('an interrupted part counts nothing, and no other begins', () => {
  const hangs = 'exec sleep 600';
  const { signal, stderr } = run('testChange', [`kill -s HUP $PPID; ${hangs}`, hangs, '']);
  expect([signal, stderr]).toEqual(['SIGHUP', expect.stringMatching(/^( {2}– part[01] +[0-9.]+ s *\n){2}$/)]);
});

it('goes on where it stopped, and records the commit once everything passed', () => {
  const failed = run('testAll', [reports(2, 'passed', 'passed'), 'exit 1']);
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('✓ part0') as string });
  const passed = run('testAll', ['', '']);
  expect(passed.stdout).toContain('Left: 1 of 2 parts: part1.\n');
  expect(passed.stdout).toMatch(/\n3 passed, 0 failed\n$/);
  expect([passed.status, runs()]).toEqual([0, '011']);
  expect(JSON.parse(readFileSync(join(clone, 'docs/evidence/test-all.json'), 'utf8'))).toMatchObject({
    commit: git('rev-parse', 'HEAD').trim(),
    passed: 3,
    parts: [
      { name: 'part0', passed: 2, tries: 1 },
      { name: 'part1', passed: 1, tries: 2 },
    ],
  });
});

it('counts nothing of another commit, nor of another version of Node, nor what ran while files changed', () => {
  run('testAll', ['', 'exit 1']);
  commit();
  run('testAll', ['', 'exit 1']);
  const progress = join(clone, 'node_modules/.cache/test-all.json');
  const text = readFileSync(progress, 'utf8');
  writeFileSync(progress, text.replace(process.versions.node, '1.0.0'));
  const { stdout } = run('testAll', ['', 'touch changed.ts']);
  expect(stdout).toContain('\npart1: it does not count, because files were changed while it ran\n');
  expect(runs()).toBe('010101');
});

it('refuses what is not committed, by its name', () => {
  writeFileSync(join(clone, 'new.ts'), '');
  const { status, stderr } = run('testAll', ['']);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/delete these first\.\n\?\? new\.ts\n$/)]);
});
