import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

it('tests that are interrupted leave no temporary files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  // The servers of PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  const tests = spawn(process.execPath, ['scripts/tasks.mjs', 'test', '--project', 'postgres'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const ended = once(tests, 'exit');
  const hasData = () =>
    readdirSync(folder, { recursive: true }).some((path) => String(path).endsWith('data'));
  await vi.waitUntil(hasData, 60_000);
  tests.kill('SIGTERM');
  expect(await ended).not.toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** The arguments of Node for a module that runs a command of some lines of JavaScript by a function. */
const running = (how: string, child: string) => [
  '--input-type=module',
  '--eval',
  `import { attach, capture, endLike } from './scripts/tasks/processes.mjs';
  const command = [process.execPath, '--eval', ${JSON.stringify(child)}];
  ${how}`,
];

it.each([
  ["process.on('SIGTERM', () => process.exit(9));", 'SIGTERM', [9, null]],
  ["process.on('SIGHUP', () => process.kill(process.pid, 'SIGKILL'));", 'SIGHUP', [null, 'SIGKILL']],
] as const)('a tool that runs %j gets a %s, and its command ends like it', async (child, signal, end) => {
  const waits = `${child} setInterval(() => {}, 1000); console.log('ready');`;
  const args = running('endLike(await attach(command));', waits);
  const command = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(command.stdout, 'data');
  command.kill(signal);
  expect(await once(command, 'exit')).toEqual(end);
});

it.each([
  [
    'SIGKILL',
    "process.on('SIGTERM', () => {}); require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' });",
  ],
  ['SIGTERM', "process.on('SIGTERM', () => process.exit(0));"],
])('a command that takes too long is ended with what it started, by %s, and has failed', (signal, child) => {
  const how = `const { code, signal } = await capture(command, { timeout: 1_000, graceMs: 200 });
    console.log(code, signal);`;
  const args = running(how, `${child} setInterval(() => {}, 1000);`);
  const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stdout).toBe(`null ${signal}\n`);
});

it('a part ends with what one of its own commands started, such as a check, though it heeds no signal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  const pid = join(folder, 'pid');
  const child = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);
    require('fs').writeFileSync('${pid}', String(process.pid));`;
  const starts = `node "$@" & while [ ! -s ${pid} ]; do sleep 0.02; done; echo '1 passed, 0 failed'`;
  const command = ['sh', '-c', starts, 'sh', ...running('await capture(command);', child)];
  const how = `const { testChange } = await import('./scripts/tasks/test-all.mjs');
    await testChange(${JSON.stringify([{ name: 'part', command }])});`;
  const { stdout } = spawnSync(process.execPath, running(how, ''), { cwd: ROOT, encoding: 'utf8' });
  expect(stdout).toBe('\n1 passed, 0 failed\n');
  expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  rmSync(folder, { recursive: true });
});
