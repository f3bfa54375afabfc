import { expect, it } from 'vitest';

import type { Telemetry } from '../../ports/index.js';
import { createFetchHandler } from '../fetch-handler.js';
import { contractGate } from '../gate.js';
import { createHandler } from '../handler.js';
import { createRouter } from '../router.js';
import { callerOf, SAMPLE_OPERATIONS, serviceFixture } from './fixtures.js';

/** A handler whose requests are kept, as their name and how they ended. */
function measured() {
  const seen: string[] = [];
  const telemetry: Telemetry = {
    span: ({ kind, name, labels }, work) =>
      work(({ outcome, failed }) => {
        if (kind === 'request')
          seen.push(
            `${name} [${Object.values(labels ?? {}).join(' ')}] ${outcome}${failed ? ' failed' : ''}`,
          );
      }),
    late: () => undefined,
  };
  const { billing } = serviceFixture({
    store: { listManagementKeys: () => Promise.reject(new Error('disk')) },
  });
  const service = { ...billing.service, telemetry };
  const routes = createRouter(service, contractGate(service, SAMPLE_OPERATIONS));
  return {
    seen,
    call: callerOf(createFetchHandler(routes)),
    whole: callerOf(createHandler({ ...billing, service }, { walletRoutes: true })),
  };
}

// alerts#telemetry
it('measures a request by the pattern of its route and its status', async () => {
  const { seen, call } = measured();
  await call('/v1/widgets/wid_1');
  await call('/v1/widgets/wid_2?colour=red');
  await call('/v1/fault');
  await call('/v1/widgets', { key: null });
  expect(seen).toEqual([
    'GET /v1/widgets/{id} [GET /v1/widgets/{id}] 200',
    'GET /v1/widgets/{id} [GET /v1/widgets/{id}] 400',
    'GET /v1/fault [GET /v1/fault] 500 failed',
    'GET /v1/widgets [GET /v1/widgets] 401',
  ]);
});

// alerts#telemetry
it('lets no stranger add a label, by a path or by a method', async () => {
  const { seen, call, whole } = measured();
  for (const path of ['/v1/a', '/v1/b/c', '/..%2f', '/v1/widgets/']) await call(path, { key: null });
  await call('/v1/widgets', { method: 'BREW', key: null });
  await whole('/health/live', { key: null });
  await whole('/openapi.json', { method: 'POST', key: null });
  expect([...new Set(seen)]).toEqual([
    'GET unknown [GET unknown] 404',
    'other unknown [other unknown] 404',
    'GET /health/live [GET /health/live] 200',
    'POST unknown [POST unknown] 404',
  ]);
});

// alerts#telemetry
it('measures the documents by their path', async () => {
  const { seen, whole } = measured();
  const paths = ['/openapi.json', '/checkout/openapi.json', '/manage/openapi.json', '/wallet/openapi.json'];
  for (const path of paths) await whole(path, { key: null });
  expect(seen).toEqual(paths.map((path) => `GET ${path} [GET ${path}] 200`));
});
