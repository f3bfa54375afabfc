import { afterEach, expect, test, vi } from 'vitest';
import { openMisbehavingEndpoint } from './tests/misbehaving-endpoint.js';
import { createHttpSender } from './sender.js';
import { createNameResolver } from './resolve-names.js';
import { openNameServer, type NameAnswer, type NameServer } from './tests/name-server.js';

const opened: NameServer[] = [];

async function nameServer(answers: Readonly<Record<string, NameAnswer>>): Promise<NameServer> {
  const server = await openNameServer((name) => answers[name] ?? 'unknown');
  opened.push(server);
  return server;
}

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

test('finds the addresses of both families', async () => {
  const { address } = await nameServer({
    'hooks.test': ['192.0.2.1', '2001:db8::1'],
    'six.test': ['2001:db8::6'],
  });
  const resolve = createNameResolver({ servers: [address] });
  expect(await resolve('hooks.test')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await resolve('HOOKS.test.')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await resolve('six.test')).toEqual(['2001:db8::6']);
});

test('says why a name has no address', async () => {
  const { address } = await nameServer({ 'empty.test': [], 'broken.test': 'broken' });
  const resolve = createNameResolver({ servers: [address] });
  expect(await resolve('empty.test')).toEqual([]);
  await expect(resolve('missing.test')).rejects.toThrow('missing.test does not exist');
  await expect(resolve('broken.test')).rejects.toThrow('the name servers failed for broken.test (ESERVFAIL)');
});

test('finds localhost and the names below it without a name server', async () => {
  const resolve = createNameResolver({ servers: ['127.0.0.1:1'] });
  expect(await resolve('localhost')).toContain('127.0.0.1');
  expect(await resolve('api.localhost')).toEqual(['127.0.0.1', '::1']);
});

test('asks once for posts that wait for the same name, and again for a later one', async () => {
  const server = await nameServer({ 'hooks.test': ['192.0.2.1'] });
  const resolve = createNameResolver({ servers: [server.address] });
  await Promise.all(Array.from({ length: 50 }, () => resolve('hooks.test')));
  expect(server.questions.toSorted()).toEqual(['A hooks.test', 'AAAA hooks.test']);
  await resolve('hooks.test');
  expect(server.questions).toHaveLength(4);
});

// deliveries#slow-name-server-isolation
test('a name server that is silent about some names holds up no post to another', async () => {
  const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
  const { port } = new URL(endpoint.url);
  // More silent names than the threads with which Node looks names up.
  const silent = Array.from({ length: 40 }, (_, index) => `silent-${index}.test`);
  const server = await nameServer({
    ...Object.fromEntries(silent.map((name) => [name, 'silent' as const])),
    'hooks.test': ['127.0.0.1'],
  });
  const sender = createHttpSender({
    allowPrivate: true,
    resolve: createNameResolver({ servers: [server.address] }),
  });
  const post = (name: string, timeoutMs: number) =>
    sender.post({ url: `http://${name}:${port}/`, headers: {}, body: '', timeoutMs });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let ended = 0;
  const waiting = silent.map(async (name) => {
    const outcome = await post(name, 500);
    ended += 1;
    return outcome.kind;
  });
  expect((await post('hooks.test', 10_000)).kind).toBe('answered');
  expect(ended).toBe(0);
  vi.advanceTimersByTime(500);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['timed_out']));
  await endpoint.close();
});

test('a silent name server makes the post fail with a reason, after two questions for each family', async () => {
  const server = await nameServer({ 'silent.test': 'silent' });
  const sender = createHttpSender({
    resolve: createNameResolver({ servers: [server.address], queryMs: 50 }),
  });
  const outcome = await sender.post({
    url: 'https://silent.test/',
    headers: {},
    body: '',
    timeoutMs: 10_000,
  });
  expect(outcome).toEqual({ kind: 'failed', reason: 'no name server answered for silent.test' });
  expect(server.questions).toHaveLength(4);
});
