// Heavy: each command installs packages, in a process of its own.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

/** A clone with the launcher in it, in which `npx` only records its arguments. */
let clone: string;

function write(file: string, text: string) {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), text);
}

function fakeNpx(script: string) {
  write('bin/npx', `#!/bin/sh\necho "$@" >> "${clone}/npx-calls"\n${script}\n`);
  chmodSync(join(clone, 'bin/npx'), 0o755);
}

function run(...args: string[]) {
  const env = { ...process.env, PATH: `${join(clone, 'bin')}${delimiter}${process.env.PATH ?? ''}` };
  const command = [join(clone, 'scripts/tasks.mjs'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: clone,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The arguments of each call of the package manager since this was called last. */
function npxCalls() {
  const file = join(clone, 'npx-calls');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  rmSync(file);
  return lines;
}

const INSTALL = 'install --frozen-lockfile --prod=false --config.confirmModulesPurge=false';

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'subrail-clone-'));
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  write('package.json', '{ "name": "clone", "type": "module", "packageManager": "pnpm@1.2.3" }');
  write('pnpm-lock.yaml', 'lockfile');
  write('node_modules/better-sqlite3/index.js', 'module.exports = class { close() {} };');
  write('node_modules/litesvm/index.js', '');
  write('packages/adapters/package.json', '{}');
  write('packages/localnet/package.json', '{}');
  fakeNpx('exit 0');
});

afterEach(() => {
  rmSync(clone, { recursive: true });
});

describe('every command installs what is missing', () => {
  it('installs by the lockfile, with the package manager pinned in the manifest, and only once', () => {
    expect(run('bench').status).toBe(0);
    expect(npxCalls()).toEqual([`--yes pnpm@1.2.3 ${INSTALL}`]);
    expect(run('bench').status).toBe(0);
    expect(npxCalls()).toEqual([]);
  });

  it('installs on stderr, so that what a command prints for a program is alone on stdout', () => {
    const { stdout, stderr } = run('bench');
    expect(stderr).toContain('Installing packages with pnpm@1.2.3');
    expect(stderr).toContain('✓ install packages');
    expect(stdout).toBe(run('bench').stdout);
  });

  it.each(['pnpm-lock.yaml', 'package.json', 'packages/adapters/package.json'])(
    'installs again when %s changed',
    (file) => {
      run('bench');
      npxCalls();
      write(file, `${readFileSync(join(clone, file), 'utf8')}\n`);
      run('bench');
      expect(npxCalls()).toEqual([`--yes pnpm@1.2.3 ${INSTALL}`]);
    },
  );

  it('rebuilds native addons when another Node installed them', () => {
    run('bench');
    npxCalls();
    const stamp = join(clone, 'node_modules/.subrail-installed.json');
    writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(process.versions.modules, '1'));
    expect(run('bench').status).toBe(0);
    expect(npxCalls()).toEqual([`--yes pnpm@1.2.3 ${INSTALL}`, '--yes pnpm@1.2.3 rebuild --recursive']);
  });

  it('stops and shows the output of the package manager when it fails, and tries again next time', () => {
    fakeNpx('echo "no such registry" >&2; exit 3');
    const { status, stderr } = run('bench');
    expect(status).toBe(1);
    expect(stderr).toContain('no such registry');
    npxCalls();
    run('bench');
    expect(npxCalls()).toHaveLength(1);
  });

  it('says what to install when the native addon of SQLite does not load', () => {
    write('node_modules/better-sqlite3/index.js', 'throw new Error("invalid ELF header")');
    const { status, stderr } = run('bench');
    expect(status).toBe(1);
    expect(stderr).toContain('invalid ELF header');
    expect(stderr).toContain('apt-get install python3 make g++');
  });

  it('installs nothing for an unknown command, and lists the known ones', () => {
    const { status, stderr } = run('strat');
    expect(status).toBe(2);
    expect(stderr).toContain(
      'start, demo, webhooks, test, test:long, test:contract, test:postgres, test:pages, test:change, test:all, check, size, bench, build, page, docs, format',
    );
    expect(npxCalls()).toEqual([]);
  });

  it('runs and installs nothing when a command that takes no arguments has some', () => {
    const { status, stderr } = run('test:all', '--help');
    expect(status).toBe(2);
    expect(stderr).toBe('npm run test:all takes no arguments, and this has: --help. Nothing was run.\n');
    expect(npxCalls()).toEqual([]);
  });

  it('removes what npm itself installs, which lacks the packages of the workspace, and says what to run instead', () => {
    const command = [join(clone, 'scripts/tasks/prepare.mjs')];
    const env = { ...process.env, npm_config_user_agent: 'npm/11.0.0 node/v20.19.0' };
    const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stderr).toContain('Run npm start or npm test: they install everything that is needed.');
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('refuses a Node older than 20.19 and says which version it needs', () => {
    const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.18.3'})";
    const command = ['--import', old, join(clone, 'scripts/tasks.mjs'), 'bench'];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('Subrail needs Node 20.19 or newer, and this is Node 20.18.3.');
    expect(npxCalls()).toEqual([]);
  });
});

describe('benches', () => {
  it('are listed when the name is unknown', () => {
    write('packages/localnet/bench/pull.bench.ts', '');
    write('packages/localnet/bench/access.ts', '');
    const { status, stdout, stderr } = run('bench', 'push');
    expect(status).toBe(2);
    expect(stderr).toContain('There is no bench push.');
    expect(stdout).toMatch(/^ {2}pull +packages\/localnet\/bench\/pull\.bench\.ts$/m);
    expect(stdout).toMatch(/^ {2}access +packages\/localnet\/bench\/access\.ts$/m);
  });
});
