// Heavy: each command installs packages, in a process of its own.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

/** A clone with the launcher in it, in which `npx` only records its arguments. */
let clone: string;

function write(file: string, text: string) {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), text, { mode: 0o755 });
}

const fakeNpx = (script: string) =>
  write('bin/npx', `#!/bin/sh\necho "$@" >> "${clone}/npx-calls"\n${script}\n`);

function node(args: readonly string[], more: object = {}) {
  const path = `${join(clone, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  return spawnSync(process.execPath, args, {
    cwd: clone,
    env: { ...process.env, PATH: path, ...more },
    encoding: 'utf8',
  });
}

const run = (...args: string[]) => node([join(clone, 'scripts/tasks.mjs'), ...args]);

/** The arguments of each call of the package manager. */
const npxCalls = () =>
  existsSync(join(clone, 'npx-calls'))
    ? readFileSync(join(clone, 'npx-calls'), 'utf8').trim().split('\n')
    : [];

const INSTALL = '--yes pnpm@1.2.3 install --frozen-lockfile --prod=false --config.confirmModulesPurge=false';

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'subrail-clone-'));
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  write('package.json', '{ "name": "clone", "type": "module", "packageManager": "pnpm@1.2.3" }');
  write('pnpm-lock.yaml', 'lockfile');
  write('node_modules/better-sqlite3/index.js', 'module.exports = class { close() {} };');
  write('node_modules/litesvm/index.js', '');
  for (const name of ['adapters', 'localnet']) write(`packages/${name}/package.json`, '{}');
  write('packages/localnet/bench/pull.bench.ts', '');
  fakeNpx('exit 0');
});
afterEach(() => rmSync(clone, { recursive: true }));

it('installs once with the pinned package manager, on stderr, and again when a manifest, the lockfile or Node changed', () => {
  const { status, stdout, stderr } = run('bench');
  expect([status, stdout]).toEqual([0, run('bench').stdout]);
  expect(stdout).toMatch(/^ {2}npm run bench pull$/m);
  expect(stderr).toContain('✓ install packages');
  expect(npxCalls()).toEqual([INSTALL]);
  write('packages/adapters/package.json', '{ }');
  run('bench');
  write('pnpm-lock.yaml', 'another lockfile');
  run('bench');
  expect(npxCalls()).toEqual([INSTALL, INSTALL, INSTALL]);
  const stamp = 'node_modules/.subrail-installed.json';
  write(stamp, readFileSync(join(clone, stamp), 'utf8').replace(process.versions.modules, '1'));
  run('bench');
  expect(npxCalls().slice(3)).toEqual([INSTALL, '--yes pnpm@1.2.3 rebuild --recursive']);
});

it('stops and shows the output of the package manager when it fails, and tries again next time', () => {
  fakeNpx('echo "no such registry" >&2; exit 3');
  const { status, stderr } = run('bench');
  expect([status, stderr]).toEqual([1, expect.stringContaining('no such registry')]);
  run('bench');
  expect(npxCalls()).toHaveLength(2);
});

it('says what to install when the native addon of SQLite does not load', () => {
  write('node_modules/better-sqlite3/index.js', 'throw new Error("invalid ELF header")');
  const { status, stderr } = run('bench');
  expect(status).toBe(1);
  expect(stderr).toMatch(/invalid ELF header[^]*apt-get install python3 make g\+\+/);
});

it.each([
  [['strat'], 'There is no command strat. The commands are: start, demo, webhooks, '],
  [['test:all', '--help'], 'npm run test:all takes no arguments, and this has: --help. Nothing was run.\n'],
])('installs nothing for %j, and says why', (args, problem) => {
  const { status, stderr } = run(...args);
  expect([status, stderr, npxCalls()]).toEqual([2, expect.stringContaining(problem), []]);
});

it('removes what npm itself installs, which lacks the packages of the workspace', () => {
  const npm = { npm_config_user_agent: 'npm/11.0.0 node/v20.19.0' };
  const { status, stderr } = node([join(clone, 'scripts/tasks/prepare.mjs')], npm);
  expect([status, existsSync(join(clone, 'node_modules'))]).toEqual([0, false]);
  expect(stderr).toContain('Run npm start or npm test: they install everything that is needed.');
});

it('refuses a Node older than 20.19 and says which version it needs', () => {
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.18.3'})";
  const { status, stderr } = node(['--import', old, join(clone, 'scripts/tasks.mjs'), 'bench']);
  expect([status, npxCalls()]).toEqual([1, []]);
  expect(stderr).toContain('Subrail needs Node 20.19 or newer, and this is Node 20.18.3.');
});
