import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captureEach } from '../tasks/processes.mjs';
import { ROOT } from '../tasks/repository.mjs';

const running = (line: string) => [process.execPath, '--eval', line];
const PASSES = running("console.log('passed')");

describe('commands that run as one', () => {
  it('pass when each of them passes, with the output of all', async () => {
    expect(await captureEach([PASSES, PASSES])).toEqual({ code: 0, output: 'passed\npassed\n' });
  });

  it.each([
    ['one fails', [running("console.log('failed'); process.exit(2)"), PASSES], 'failed\npassed\n'],
    ['one is killed', [running("process.kill(process.pid, 'SIGKILL')"), PASSES], 'passed\n'],
    ['there is none', [], ''],
  ])('fail when %s', async (_, commands, output) => {
    expect(await captureEach(commands)).toEqual({ code: 1, output });
  });

  // In a process of its own: this one would count as interrupted for every later test.
  it('stop after the one in which their process was interrupted', () => {
    const interrupts = running("process.kill(process.ppid, 'SIGHUP'); setTimeout(() => {}, 60_000)");
    const script = `
      import { captureEach } from ${JSON.stringify(join(ROOT, 'scripts/tasks/processes.mjs'))};
      console.log(JSON.stringify(await captureEach(${JSON.stringify([interrupts, PASSES])})));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({ code: 1, output: '' });
  });
});
