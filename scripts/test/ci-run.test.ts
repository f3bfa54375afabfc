import { execFileSync, spawn } from 'node:child_process';
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

/** A used copy of the repository, whose tests take a moment to end, and then read a file of their clone. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  cpSync(join(ROOT, '.ci/run'), join(folder, 'copy/.ci/run'));
  const tests = `
    process.on('SIGTERM', () => setTimeout(() => {
      fs.writeFileSync('${folder}/end', fs.readFileSync('.gitignore'));
      process.exit(3);
    }, 200));
    import fs from 'node:fs';
    setTimeout(() => {}, 60_000);
    console.log('The tests run.');`;
  mkdirSync(join(folder, 'copy/scripts'));
  mkdirSync(join(folder, 'copy/node_modules'));
  mkdirSync(join(folder, 'temporary'));
  writeFileSync(join(folder, 'copy/scripts/tasks.mjs'), tests);
  writeFileSync(join(folder, 'copy/.gitignore'), 'node_modules\n');
  const git = 'git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm all';
  execFileSync('sh', ['-c', git], { cwd: join(folder, 'copy') });
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (temporary: string) =>
  spawn('bash', [join(folder, 'copy/.ci/run')], {
    env: { ...process.env, TMPDIR: join(folder, temporary), PATH: `${folder}/bin:${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

it('ends the tests of a clone before it deletes the clone, when only the shell is told to stop', async () => {
  const tests = run('temporary');
  const ended = once(tests, 'exit');
  for await (const text of tests.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (String(text).includes('The tests run.')) break;
  tests.kill('SIGTERM');
  expect(await ended).toEqual([3, null]);
  expect(readFileSync(join(folder, 'end'), 'utf8')).toBe('node_modules\n');
  expect(readdirSync(join(folder, 'temporary'))).toEqual([]);
});

it('clones nowhere when there is no folder for temporary files', async () => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\ntouch ${folder}/cloned\n`, { mode: 0o755 });
  expect(await once(run('none'), 'exit')).toEqual([1, null]);
  expect(existsSync(join(folder, 'cloned'))).toBe(false);
});
