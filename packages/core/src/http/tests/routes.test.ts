import { describe, expect, it } from 'vitest';

import { ERRORS } from '../../contract/errors.js';
import { codesOf } from '../../operations/operation.js';
import { ROUTED_OPERATIONS } from '../../operations/table.js';

/** Method, path, class and success of each route, as the contract has them. */
const CONTRACT = [
  'GET /v1/access read 200',
  'GET /v1/project read 200',
  'GET /v1/plans read 200',
  'GET /v1/plans/{slug} read 200',
  'POST /v1/subscriptions write 201',
  'POST /v1/subscriptions/{id}/transaction write 201',
  'POST /v1/subscriptions/{id}/submit write 201',
  'GET /v1/subscriptions read 200',
  'GET /v1/subscriptions/{id} read 200',
  'GET /v1/subscriptions/{id}/attempts read 200',
  'POST /v1/subscriptions/{id}/retry write 202',
  'POST /v1/subscriptions/{id}/cancel write 201',
  'POST /v1/subscriptions/{id}/cancel/confirm write 201',
  'POST /v1/subscriptions/{id}/resume write 201',
  'POST /v1/subscriptions/{id}/resume/confirm write 201',
  'POST /v1/subscriptions/{id}/close write 201',
  'POST /v1/subscriptions/{id}/close/confirm write 201',
  'GET /v1/events read 200',
  'GET /v1/events/{id} read 200',
];

describe('the table of routes', () => {
  it('has the routes of the contract', () => {
    expect(
      ROUTED_OPERATIONS.map(({ method, path, limit, status }) => `${method} ${path} ${limit} ${status}`),
    ).toEqual(CONTRACT);
  });

  it.each(ROUTED_OPERATIONS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s names each of its codes once, and only codes of the contract',
    (_, route) => {
      const codes = codesOf(route);
      expect(new Set(codes).size).toBe(codes.length);
      for (const code of codes) expect(ERRORS).toHaveProperty(code);
    },
  );

  it.each(ROUTED_OPERATIONS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s says what its variable names nothing as, exactly when it has one',
    (_, route) => {
      expect(route.notFound !== null).toBe(route.path.includes('{'));
    },
  );
});
