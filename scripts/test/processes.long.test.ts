import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

/** A launcher that runs one line of JavaScript as its child. */
function launcherOf(child: string) {
  const processes = JSON.stringify(join(ROOT, 'scripts/tasks/processes.mjs'));
  const command = JSON.stringify([process.execPath, '--eval', child]);
  return [
    '--input-type=module',
    '--eval',
    `import { attach, endLike } from ${processes}; endLike(await attach(${command}));`,
  ];
}

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

describe('a command ends like the tool it ran', () => {
  it('with its exit code', () => {
    expect(spawnSync(process.execPath, launcherOf('process.exit(7)')).status).toBe(7);
  });

  it('with the signal that killed it', () => {
    const { signal } = spawnSync(process.execPath, launcherOf("process.kill(process.pid, 'SIGKILL')"));
    expect(signal).toBe('SIGKILL');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('after passing %s on to it', async (signal) => {
    const child = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready');`;
    const launcher = spawn(process.execPath, launcherOf(child), { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(launcher.stdout, 'data');
    launcher.kill(signal);
    expect(await once(launcher, 'exit')).toEqual([9, null]);
  });
});
