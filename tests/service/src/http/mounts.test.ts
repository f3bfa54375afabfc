import { createHandler, type FetchHandler } from '@subrail/core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openServedWorld, type ServedWorld } from './served-world.js';

let served: ServedWorld;
let mounts: { readonly fetched: FetchHandler; readonly wired: FetchHandler };

beforeAll(async () => {
  served = await openServedWorld();
  mounts = {
    fetched: createHandler(served.world.billing),
    wired(request) {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${served.url}${pathname}${search}`, request));
    },
  };
});
afterAll(() => served.close());

interface RequestFacts {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly withoutKey?: true;
}

const requestOf = (path: string, { method = 'GET', body, headers, withoutKey }: RequestFacts) =>
  new Request(`http://subrail.test${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(withoutKey === true ? {} : { authorization: `Bearer ${served.key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });

/** Headers of the connection, and the length of the body. */
const CONNECTION_HEADERS = ['connection', 'content-length', 'date', 'keep-alive'];
/** What differs between two calls: the request id, and how many calls are left. */
const PER_CALL = /req_[0-9A-Za-z]{24}|x-ratelimit-remaining: \d+/g;

async function comparable(answer: Response) {
  const headers = [...answer.headers]
    .filter(([name]) => !CONNECTION_HEADERS.includes(name))
    .map(([name, value]) => `${name}: ${value}`.replaceAll(PER_CALL, ''));
  return { status: answer.status, headers, text: (await answer.text()).replaceAll(PER_CALL, '') };
}

test.each<[string, string, RequestFacts, number]>([
  ['an answer', '/v1/plans', {}, 200],
  ['an answer to HEAD', '/v1/plans/pro', { method: 'HEAD' }, 200],
  ['a refused query', '/v1/plans?colour=red', {}, 400],
  ['a query that does not decode', '/v1/access?external_id=%ff', {}, 400],
  ['a refused body', '/v1/subscriptions', { method: 'POST', body: '{' }, 400],
  ['no body', '/v1/subscriptions', { method: 'POST' }, 400],
  ['too long a body', '/v1/subscriptions', { method: 'POST', body: 'x'.repeat(100_001) }, 413],
  ['an unserved version', '/v1/project', { headers: { 'Service-Version': 'latest' } }, 400],
  ['no key', '/v1/project', { withoutKey: true }, 401],
  ['a resource that is not there', '/v1/plans/nothing', {}, 404],
  ['an unknown path', '/v1/nothing', {}, 404],
  ['an unknown method', '/v1/plans', { method: 'DELETE' }, 404],
  ['a path outside of /v1', '/', {}, 404],
])('%s has the same status, headers and body over the wire as over fetch', async (_, path, facts, status) => {
  const fetched = await comparable(await mounts.fetched(requestOf(path, facts)));
  expect(fetched.status).toBe(status);
  expect(await comparable(await mounts.wired(requestOf(path, facts)))).toEqual(fetched);
});
