import { httpSenderConformance } from '@subrail/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { openMisbehavingEndpoint } from '../../node/http-sender/tests/misbehaving-endpoint.js';
import { createFetchSender } from './fetch-sender.js';

const post = (url: string) => ({ url, headers: {}, body: 'hello', timeoutMs: 20_000 });

describe('the HttpSender port', () => {
  httpSenderConformance(test, async (response) => {
    const endpoint = await openMisbehavingEndpoint(response);
    return { ...endpoint, sender: createFetchSender({ allowPrivate: true }), strict: createFetchSender() };
  });
});

// deliveries#endpoint-address
test('refuses what a URL shows to be private, and not what a name resolves to', async () => {
  const called: string[] = [];
  const answer = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    called.push(new Request(url).url);
    return new Response(null, { status: 204 });
  });
  const sender = createFetchSender();
  const kinds = [];
  for (const url of [
    'https://10.1.2.3/',
    'https://db.internal/',
    'http://example.com/',
    'https://name-of-10-1-2-3.test/',
  ])
    kinds.push((await sender.post(post(url))).kind);
  answer.mockRestore();
  expect(kinds).toEqual(['refused', 'refused', 'refused', 'answered']);
  expect(called).toEqual(['https://name-of-10-1-2-3.test/']);
});

// deliveries#endpoint-address
test('calls what a list of private targets allows, and nothing else that is private', async () => {
  const endpoint = await openMisbehavingEndpoint({ kind: 'answers', status: 200 });
  const { port } = new URL(endpoint.url);
  const sender = createFetchSender({ allowPrivate: [`127.0.0.1:${port}`] });
  const outcomes = [
    await sender.post(post(endpoint.url)),
    await sender.post(post(`http://localhost:${port}/`)),
  ];
  await endpoint.close();
  expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'refused']);
});

test('fails when the platform hides the status of a redirect', async () => {
  const hidden = Object.defineProperties(new Response(null, { status: 204 }), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
  });
  const answer = vi.spyOn(globalThis, 'fetch').mockResolvedValue(hidden);
  const outcome = await createFetchSender().post(post('https://example.com/'));
  answer.mockRestore();
  expect(outcome).toEqual({ kind: 'failed', reason: 'the endpoint redirects, which is not followed' });
});

test('ends a post at its deadline on a platform that does not stop a request', async () => {
  const answer = vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise(() => undefined));
  const outcome = await createFetchSender().post({ ...post('https://example.com/'), timeoutMs: 20 });
  answer.mockRestore();
  expect(outcome).toEqual({ kind: 'timed_out' });
});
