import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('ends the tests of a clone before it deletes the clone, when only the shell is told to stop', async () => {
  const copy = join(folder, 'copy');
  cpSync(join(ROOT, '.ci/run'), join(copy, '.ci/run'));
  mkdirSync(join(copy, 'scripts'));
  // These take a moment to end, and then need a file of their clone.
  const tests = `
    import { readFileSync, writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => setTimeout(() => {
      writeFileSync(${JSON.stringify(join(folder, 'end'))}, readFileSync('.gitignore'));
      process.exit(3);
    }, 200));
    // However the test ends, these do.
    setTimeout(() => {}, 60_000);
    console.log('The tests run.');`;
  writeFileSync(join(copy, 'scripts/tasks.mjs'), tests);
  writeFileSync(join(copy, '.gitignore'), 'node_modules\n');
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [['init'], ['add', '.'], ['commit', '--message', 'a copy']])
    execFileSync('git', [...git, ...args], { cwd: copy, stdio: 'ignore' });
  mkdirSync(join(copy, 'node_modules'));

  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const run = spawn('bash', [join(copy, '.ci/run')], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(run, 'exit');
  for await (const text of run.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (String(text).includes('The tests run.')) break;
  run.kill('SIGTERM');
  expect(await ended).toEqual([3, null]);
  expect(readFileSync(join(folder, 'end'), 'utf8')).toBe('node_modules\n');
  expect(readdirSync(temporary)).toEqual([]);
});

it('clones into no other folder when there is none for temporary files', () => {
  const copy = join(folder, 'copy');
  cpSync(join(ROOT, '.ci/run'), join(copy, '.ci/run'));
  mkdirSync(join(copy, 'node_modules'));
  mkdirSync(join(folder, 'bin'));
  const clones = join(folder, 'clones');
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\necho "$@" > "${clones}"\n`, { mode: 0o755 });
  const run = spawnSync('bash', [join(copy, '.ci/run')], {
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      TMPDIR: join(folder, 'none'),
    },
    encoding: 'utf8',
  });
  expect([run.status, existsSync(clones)]).toEqual([1, false]);
});
