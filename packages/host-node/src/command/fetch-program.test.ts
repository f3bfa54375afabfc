import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalnet, serveLocalnet } from '@subrail/localnet';
import { expect, test } from 'vitest';
import { errorMessage } from './error-message.js';
import { CommandFailed } from './errors.js';
import { fetchProgramTo } from './fetch-program.js';

/** No test gets as far as writing it. */
const FILE = join(tmpdir(), 'program.so');

test('says in one line that a server has no program, or is down, and names the server', async () => {
  const served = await serveLocalnet(createLocalnet(), { port: 0 });
  const failure = () => fetchProgramTo(served.url, FILE).catch((error: unknown) => error);
  const none = await failure();
  await served.close();
  const down = await failure();
  expect([none, down].map((error) => error instanceof CommandFailed)).toEqual([true, true]);
  expect(errorMessage(none)).toMatch(/^\w{32,44} holds no ELF: that node is a local chain.*$/);
  expect(errorMessage(down)).toMatch(/^The program could not be read from http:\/\/127\.0\.0\.1:\d+: .*$/);
});
