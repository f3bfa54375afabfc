// Heavy: the command runs in processes, whose output only another process can stop reading.

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardOutput } from '../command/output-guard.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const TSX = import.meta.resolve('tsx');

let folder: string;
const started: ChildProcessByStdio<null, Readable, Readable>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-readers-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', TSX, MAIN, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      SUBRAIL_PORT: '0',
      SUBRAIL_LOCALNET_PORT: '0',
      SUBRAIL_LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Commands whose reader ends before they write, as `| true` does, and what they end with. */
test.each([
  [['--help'], 0],
  [['completion', 'bash'], 0],
  [['keygen', '--out', 'key.json'], 0],
])('%j | true ends with %d and without a stack', async (args, code) => {
  const child = run(args);
  child.stdout.destroy();
  const exited = once(child, 'exit');
  expect(await textOf(child.stderr)).not.toMatch(/Unhandled|\n {4}at /);
  expect(await exited).toEqual([code, null]);
});

test('a command that was refused keeps its exit code when nobody reads why', async () => {
  const child = run(['plan', 'list']);
  child.stderr.destroy();
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([1, null]);
});

test('a host goes on and stops in order when the readers of its log and of its welcome end', async () => {
  const child = run(['start']);
  const url = await new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const [found] = /http:\/\/\S+/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  child.stderr.destroy();
  child.stdout.destroy();
  // At the level debug each request is a line that nobody reads.
  for (let call = 0; call < 3; call++) expect((await fetch(new URL('/health', url))).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** A stream whose writes end as `code` says. */
function failing(code: string) {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
    autoDestroy: false,
  });
  return stream as unknown as NodeJS.WriteStream;
}

test.each(['EPIPE', 'EIO', 'ECONNRESET'])(
  '%s of stdout is a reader that ended, and no failure',
  async (code) => {
    const [fail, told] = [vi.fn(), vi.fn()];
    const stderr = { write: told, on: vi.fn() } as unknown as NodeJS.WriteStream;
    const stdout = failing(code);
    const readerEnded = guardOutput(stdout, stderr, fail);
    stdout.write('text');
    await readerEnded;
    expect([fail, told].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  },
);

test('an answer that a full disk lost is a failure, which is said', async () => {
  const [fail, told] = [vi.fn(), vi.fn()];
  const stderr = { write: told, on: vi.fn() } as unknown as NodeJS.WriteStream;
  const stdout = failing('ENOSPC');
  void guardOutput(stdout, stderr, fail);
  stdout.write('text');
  await vi.waitFor(() => expect(fail).toHaveBeenCalledOnce());
  expect(told).toHaveBeenCalledExactlyOnceWith('The output cannot be written: write ENOSPC.\n');
});

test('a log that cannot be written, such as on a full disk, ends nothing', async () => {
  const stderr = failing('ENOSPC');
  void guardOutput(failing('EPIPE'), stderr, vi.fn());
  const happened = once(stderr, 'error');
  stderr.write('line');
  expect(await happened).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
});
