import { ERRORS, openApiDocument } from '@subrail/core';
import { ReasonCode } from '@subrail/core/schemas';
import { expect, it } from 'vitest';
import { problemOf } from '../problem.js';
import { ENGLISH, PROBLEMS } from '../sentences.js';

/** The codes that no route of a customer answers: those of keys, plans, projects and webhooks. */
const OF_OPERATORS = [
  'conflict',
  'end_date_stale',
  'end_date_too_far',
  'end_date_too_soon',
  'event_not_found',
  'invalid_api_key',
  'mint_amount_scaled',
  'plan_name_taken',
  'session_not_found',
  'slug_taken',
];

it('has a sentence and a next step for every code that a customer can meet', () => {
  const missing = Object.keys(ERRORS).filter((code) => !Object.hasOwn(PROBLEMS, code));
  expect(missing.sort()).toEqual(OF_OPERATORS);
});

it('has a sentence and a next step for every reason', () => {
  expect(ReasonCode.options.filter((code) => !Object.hasOwn(PROBLEMS, code))).toEqual([]);
});

it('leaves out no code of a route that customers have too', () => {
  const routes =
    /\/v1\/subscriptions(\/\{id\}(\/(transaction|submit|retry|attempts|(cancel|resume|close)(\/confirm)?))?)?$/;
  const text = JSON.stringify(Object.entries(openApiDocument().paths).filter(([path]) => routes.test(path)));
  const listed = [...text.matchAll(/One of: ([a-z_, ]+)\./g)].flatMap(([, codes = '']) => codes.split(', '));
  expect(listed.length).toBeGreaterThan(100);
  // A customer has no API key.
  expect(new Set(listed.filter((code) => !Object.hasOwn(PROBLEMS, code)))).toEqual(
    new Set(['invalid_api_key']),
  );
});

it('waits only where the service says how long', () => {
  const waits = Object.entries(PROBLEMS).flatMap(([code, [next]]) => (next === 'wait' ? [code] : []));
  const table = ERRORS as Readonly<Record<string, { readonly retryAfter?: number }>>;
  expect(waits.filter((code) => (table[code]?.retryAfter ?? 0) < 10)).toEqual([]);
});

it('has whole sentences, and fills in every name', () => {
  for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
    const names = { wallet: 'Acme Wallet', network: 'Solana devnet', account: '7v91…6y1Q' };
    const { sentence } = problemOf(ENGLISH, code, { names, retryAfter: 7 });
    expect(sentence).toMatch(/^[A-Z][^{}]*\.$/);
  }
  expect(problemOf(ENGLISH, 'rate_limited', { retryAfter: 7 }).sentence).toContain('in 7 seconds');
});
