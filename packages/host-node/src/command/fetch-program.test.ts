import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalnet, serveLocalnet } from '@subrail/localnet';
import { expect, test } from 'vitest';
import { UsageError } from './arguments.js';
import { fetchProgramTo } from './fetch-program.js';

/** No test gets as far as writing it. */
const FILE = join(tmpdir(), 'program.so');

test('refuses to fetch a program from a server that has none or is down, and names the server', async () => {
  const served = await serveLocalnet(createLocalnet(), { port: 0 });
  await expect(fetchProgramTo(served.url, FILE)).rejects.toThrow(UsageError);
  await served.close();
  await expect(fetchProgramTo(served.url, FILE)).rejects.toThrow(
    /^The program could not be read from http:\/\/127\.0\.0\.1:\d+: /,
  );
});
