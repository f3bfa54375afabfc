import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ErrorBody } from '../../contract/error-body.js';
import { routeFinder } from '../find-route.js';
import { createHandler } from '../handler.js';
import { codesOf } from '../../operations/operation.js';
import { CONTRACT_OPERATIONS } from '../../operation-table.js';
import type { FullStore } from '../../ports/index.js';
import { KEY, callerOf, serviceFixture, type CallOptions } from './fixtures.js';

/** The store of a project with nothing in it, which records every text that it receives. */
function emptyStore() {
  const received: string[] = [];
  const record = (...texts: readonly (string | null)[]) => {
    received.push(...texts.filter((text) => text !== null));
  };
  const store: Partial<FullStore> = {
    findPlanBySlug: async (_project, slug) => {
      record(slug);
      return null;
    },
    listPlans: async () => [],
    listForAccess: async (_project, customer) => {
      record(customer.value);
      return [];
    },
    listByCustomer: async (_project, customer, _plan, page) => {
      record(customer.value, page.startingAfter);
      return page.startingAfter === null ? { data: [], hasMore: false } : 'unknown_cursor';
    },
    findSubscription: async (_project, id) => {
      record(id);
      return null;
    },
    findEvent: async (_project, id) => {
      record(id);
      return null;
    },
    listEvents: async (_project, _since, filter, page) => {
      record(filter.type, filter.subscriptionId, page.startingAfter);
      return page.startingAfter === null ? { data: [], hasMore: false } : 'unknown_cursor';
    },
  };
  return { store, received };
}

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '__proto__',
    '../..',
    '%',
    '%00',
    '💸',
    WALLET,
    'a@b.co',
    'true',
    '20',
    '-1',
  ),
);
const queryNames = [
  'wallet',
  'external_id',
  'email',
  'plan',
  'attempts',
  'limit',
  'starting_after',
  'type',
  'subscription',
];
const fieldNames = [...queryNames, 'transaction', 'terms_signature', 'signature', '__proto__', 'constructor'];

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...CONTRACT_OPERATIONS.map((route) => route.path)) },
  { weight: 1, arbitrary: anyText.map((text) => `/v1/${text}`) },
  { weight: 1, arbitrary: anyText.map((text) => `/${text}`) },
);
const query = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...queryNames), anyText.map(encode)), { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
  anyText,
);
const body = fc.oneof(
  fc.constant(null),
  anyText,
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(fc.constantFrom(...fieldNames), fc.oneof(anyText, fc.jsonValue()), { maxKeys: 5 })
    .map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 60 }),
);
const headers = fc.dictionary(
  fc.constantFrom('Content-Type', 'Service-Version', 'Accept', 'Content-Length', 'X-Forwarded-For'),
  fc.oneof(
    fc.constantFrom('application/json', '2026-10-02', '0', '-1', '1e9', 'text/plain'),
    fc.string({ maxLength: 20, unit: fc.constantFrom(...Array.from('abc/=;,. 09-*')) }),
  ),
  { maxKeys: 3 },
);
const request = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
  path,
  parameter: anyText.map(encode),
  query,
  body,
  headers,
  key: fc.constantFrom(KEY, KEY, KEY, KEY, KEY, null, 'SUB_', `SUB_${'x'.repeat(43)}`),
});

/** Percent-encodes a text, except one with half a surrogate pair, which cannot be encoded. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

describe('any request, valid or hostile', () => {
  const { store, received } = emptyStore();
  const { billing, clock } = serviceFixture({ store });
  const call = callerOf(createHandler(billing));
  const find = routeFinder(CONTRACT_OPERATIONS);

  it('gets an answer that the contract allows, and never a 500', async () => {
    const answered = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        clock.advance(60_000);
        received.length = 0;
        const mayHaveBody = sent.method !== 'GET' && sent.method !== 'HEAD';
        const options: CallOptions = { ...sent, body: mayHaveBody ? sent.body : null };
        const address = `${sent.path.replace(/\{\w+\}/, sent.parameter)}${sent.query === '' ? '' : `?${sent.query}`}`;
        const answer = await call(address, options);

        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('Service-Request-Id')).toMatch(/^req_[0-9A-Za-z]{24}$/);
        // The store receives only short texts without control characters or lone surrogates.
        for (const text of received) expect(text).toMatch(/^[^\p{Cc}\p{Cs}]{1,255}$/u);
        const found = find(sent.method, new URL(`https://billing.example${address}`).pathname);
        if (sent.method === 'HEAD') {
          expect(answer.text).toBe('');
        } else if (answer.status >= 400) {
          const error = ErrorBody.parse(answer.body);
          answered.add(error.code);
          if (found !== null) expect(codesOf(found.operation)).toContain(error.code);
        } else {
          answered.add(answer.status);
          expect(found).not.toBeNull();
          expect(await found?.operation.output['~standard'].validate(answer.body)).toHaveProperty('value');
        }
      }),
      { numRuns: 5_000 },
    );
    // The generated requests cause each of these answers. The test fails when they no longer do.
    expect([...answered].sort()).toEqual([
      200,
      'event_not_found',
      'invalid_api_key',
      'invalid_request',
      'missing_api_key',
      'not_found',
      'payload_too_large',
      'plan_not_found',
      'subscription_not_found',
      'unsupported_version',
    ]);
  });
});
