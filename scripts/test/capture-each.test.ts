import { describe, expect, it } from 'vitest';
import { captureEach } from '../tasks/processes.mjs';

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

  it('stop after the one in which this process was interrupted', async () => {
    const ended = captureEach([running('setTimeout(() => {}, 60_000)'), PASSES]);
    process.emit('SIGHUP', 'SIGHUP');
    expect(await ended).toEqual({ code: 1, output: '' });
  });
});
