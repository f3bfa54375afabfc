import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { explainListenError, ListenError } from './listen-error.js';

const SETTINGS = { host: 'SUBRAIL_HOST', port: 'SUBRAIL_PORT' };

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function listen(port: number, host: string): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      servers.push(server);
      const address = server.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
}

const messageOf = (failing: () => Promise<unknown>) =>
  explainListenError(SETTINGS, failing).then(
    () => 'it listened',
    (error: unknown) => (error instanceof ListenError ? error.message : error),
  );

test('says which port is in use, once, and which setting chooses another', async () => {
  const port = await listen(0, '127.0.0.1');
  expect(await messageOf(() => listen(port, '127.0.0.1'))).toBe(
    `Port ${port} of 127.0.0.1 is already in use. Stop the other program, or choose another port with SUBRAIL_PORT.`,
  );
});

test('says that an address does not belong to this machine', async () => {
  // An address of a block for documentation, which no machine has.
  expect(await messageOf(() => listen(0, '192.0.2.1'))).toBe(
    '192.0.2.1 is not an address of this machine, so nothing can listen on it. Choose another address with SUBRAIL_HOST.',
  );
});

test.each([
  [
    { code: 'EACCES', address: '127.0.0.1', port: 80 },
    'This user may not listen on port 80 of 127.0.0.1. Choose another port with SUBRAIL_PORT.',
  ],
  [
    { code: 'ENOTFOUND', hostname: 'nowhere.invalid' },
    'nowhere.invalid could not be resolved to an address of this machine. Choose another address with SUBRAIL_HOST.',
  ],
])('explains %j', async (fields, sentence) => {
  expect(await messageOf(() => Promise.reject(Object.assign(new Error('refused'), fields)))).toBe(sentence);
});

test('passes every other failure on, and the value of what listens', async () => {
  const bug = new Error('a bug');
  expect(await messageOf(() => Promise.reject(bug))).toBe(bug);
  expect(await explainListenError(SETTINGS, () => Promise.resolve(4242))).toBe(4242);
});
