import { createRandom } from '@subrail/adapters/node';
import { createRefuse, type HandlerRequest, type RequestHandler } from '@subrail/core';
import { afterEach, expect, test, vi } from 'vitest';
import { whileOpening } from './while-opening.js';

afterEach(() => {
  vi.useRealTimers();
});

const refuse = createRefuse(createRandom(), { basePath: '/billing' });
const get = (path: string): HandlerRequest => ({
  method: 'GET',
  path,
  search: '',
  ip: '203.0.113.7',
  body: new Blob([]).stream(),
  header: () => null,
});
const answer = { status: 200, headers: {}, body: 'served' };

function opening() {
  let open: (handle: RequestHandler) => void = () => undefined;
  const handle = whileOpening(new Promise<RequestHandler>((resolve) => (open = resolve)), refuse, '/billing');
  return { handle, open: () => open(async () => answer) };
}

test('a request that comes while the service opens is served as soon as it is open', async () => {
  const { handle, open } = opening();
  const early = handle(get('/billing/v1/project'));
  open();
  expect(await early).toBe(answer);
  expect(await handle(get('/billing/health/live'))).toBe(answer);
});

test('a service that takes long to open is live, and refuses requests as unavailable', async () => {
  vi.useFakeTimers();
  const { handle, open } = opening();
  expect(await handle(get('/billing/health/live'))).toMatchObject({
    status: 200,
    body: expect.stringContaining('"status":"ok"') as string,
  });
  const waiting = [handle(get('/billing/v1/project')), handle(get('/billing/health/ready'))];
  await vi.advanceTimersByTimeAsync(5_000);
  for (const refused of await Promise.all(waiting)) {
    expect(refused.status).toBe(503);
    expect(refused.body).toContain('unavailable');
  }
  open();
  expect(await handle(get('/billing/v1/project'))).toBe(answer);
});
