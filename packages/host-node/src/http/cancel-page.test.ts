import type { HandlerRequest } from '@subrail/core';
import { expect, test } from 'vitest';
import { withCancelPage } from './cancel-page.js';

const service = { serviceName: 'Shop billing', publicUrl: 'https://shop.example/billing' };

async function answer(basePath: string, path: string, method: string) {
  const handle = withCancelPage(async () => ({ status: 404, headers: {}, body: 'handled' }), {
    basePath,
    ...service,
  });
  const request: HandlerRequest = {
    ...{ method, path, search: '', ip: '127.0.0.1' },
    body: (async function* () {})(),
    header: () => null,
  };
  return handle(request);
}

test.each([
  ['', '/', 'GET'],
  ['', '/', 'HEAD'],
  ['/billing', '/billing', 'GET'],
  ['/billing', '/billing/', 'GET'],
])('under the base path "%s", %s says how to cancel to %s', async (basePath, path, method) => {
  const { status, body } = await answer(basePath, path, method);
  expect(status).toBe(200);
  expect(body).toMatch(/^Shop billing charges subscriptions .*To cancel a subscription/s);
  expect(body).toContain('https://shop.example/billing/v1/subscriptions/<id>/cancel');
});

test.each([
  ['', '/v1', 'GET'],
  ['/billing', '/', 'GET'],
  ['', '/', 'POST'],
])('under the base path "%s", %s is left to the handler for %s', async (basePath, path, method) => {
  expect(await answer(basePath, path, method)).toMatchObject({ status: 404, body: 'handled' });
});
