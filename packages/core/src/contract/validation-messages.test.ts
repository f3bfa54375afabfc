import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { EndpointInput, SecretRotation } from '../management/endpoints/schemas.js';
import { EventsQuery } from './event.js';
import { PlanInput } from '../management/plans/schemas.js';
import { ProjectInput } from '../management/projects/schemas.js';
import {
  AccessQuery,
  AttemptsQuery,
  ConfirmBody,
  CreateBody,
  Nothing,
  SubmitBody,
  SubscriptionsQuery,
} from './requests.js';
import { read } from './validation-messages.js';
import { anAddress } from '../testing/records.js';

function messages(schema: z.ZodType, value: unknown): readonly string[] {
  const result = read(schema, value);
  return 'sentences' in result ? result.sentences : [];
}

describe('a fault of each kind is a sentence that names its field', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing field', z.object({ a: z.string() }), {}, '"a" is missing: it must be text.'],
    ['a text', z.object({ a: z.string() }), { a: 1 }, '"a" must be text.'],
    ['a number', z.object({ a: z.number() }), { a: 'x' }, '"a" must be a number.'],
    ['a whole number', z.object({ a: z.int() }), { a: 1.5 }, '"a" must be a whole number.'],
    ['a boolean', z.object({ a: z.boolean() }), { a: 'yes' }, '"a" must be true or false.'],
    ['a list', z.object({ a: z.array(z.string()) }), { a: {} }, '"a" must be a list.'],
    ['an object', z.object({ a: z.object({}) }), { a: [] }, '"a" must be an object.'],
    ['a request of another type', z.object({}), null, 'The request must be an object.'],
    ['no request', z.object({}), undefined, 'The request is missing: it must be an object.'],
    ['a type without a name', z.object({ a: z.symbol() }), { a: 1 }, '"a" must be of another type.'],
    ['an item', z.object({ a: z.array(z.string()) }), { a: ['x', 1] }, 'Item 2 of "a" must be text.'],
    ['an item of the request', z.array(z.string()), [1], 'Item 1 of the request must be text.'],
    [
      'a nested field',
      z.object({ a: z.object({ b: z.int() }) }),
      { a: { b: 'x' } },
      '"b" of "a" must be a number.',
    ],
    ['too short', z.object({ a: z.string().min(2) }), { a: 'x' }, '"a" must be at least 2 characters long.'],
    ['too long', z.object({ a: z.string().max(1) }), { a: 'xy' }, '"a" must be at most 1 character long.'],
    ['too little', z.object({ a: z.number().gt(1) }), { a: 1 }, '"a" must be more than 1.'],
    ['too much', z.object({ a: z.bigint().lt(5n) }), { a: 5n }, '"a" must be less than 5.'],
    ['too few', z.object({ a: z.array(z.int()).min(1) }), { a: [] }, '"a" must have at least 1 item.'],
    [
      'too many',
      z.object({ a: z.array(z.int()).max(2) }),
      { a: [1, 2, 3] },
      '"a" must have at most 2 items.',
    ],
    [
      'not a multiple',
      z.object({ a: z.number().multipleOf(15) }),
      { a: 16 },
      '"a" must be a multiple of 15.',
    ],
    ['not an email address', z.object({ a: z.email() }), { a: 'x' }, '"a" must be an email address.'],
    [
      'not an address',
      z.object({ a: z.url() }),
      { a: 'x' },
      '"a" must be an address, such as https://example.com.',
    ],
    [
      'not the format',
      z.object({ a: z.string().regex(/^x$/) }),
      { a: 'y' },
      '"a" must be in the format of this field.',
    ],
    [
      'none of the allowed values',
      z.object({ a: z.enum(['x', 'y', 'z']) }),
      { a: 1 },
      '"a" must be "x", "y" or "z".',
    ],
    ['not the only allowed value', z.object({ a: z.literal(7) }), { a: 8 }, '"a" must be 7.'],
    [
      'no form of a union',
      z.object({ a: z.union([z.int(), z.boolean()]) }),
      { a: 'x' },
      '"a" must match one of the forms that this field can have.',
    ],
    ['unknown fields', z.strictObject({}), { b: 1, a: 2 }, 'The request must not contain "b", "a".'],
    [
      'a refused field name',
      z.record(z.string().max(1), z.int()),
      { ab: 1 },
      '"ab" must not contain a field of that name.',
    ],
    [
      'an item of a map',
      z.map(z.int(), z.int()),
      new Map([[1, 'x']]),
      'Item 2 of the request must be a number.',
    ],
    [
      'a rule without a message',
      z.object({ a: z.string().refine(() => false) }),
      { a: 'x' },
      '"a" is not valid.',
    ],
    [
      'a date',
      z.object({ a: z.iso.datetime() }),
      { a: 'soon' },
      '"a" must be a date and time with its zone, such as 2026-10-02T08:30:00.000Z.',
    ],
  ])('%s', (_, schema, value, sentence) => {
    expect(messages(schema, value)).toEqual([sentence]);
  });

  it('lists at most 20 faults, and repeats at most 64 characters of a name', () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${index}`);
    expect(messages(z.object(Object.fromEntries(names.map((name) => [name, z.int()]))), {})).toHaveLength(20);
    const [sentence] = messages(z.strictObject({}), { ['💸'.repeat(9_000)]: 1 });
    expect(sentence).toBe(`The request must not contain "${'💸'.repeat(64)}".`);
  });
});

describe('a faulty input of billing.plans.create', () => {
  const wallet = anAddress();
  const valid = { name: 'Pro', owner: wallet, mint: wallet, amount: '1', period_hours: 720 };

  it.each<[object, string]>([
    [{ name: undefined }, '"name" is missing: it must be a string.'],
    [{ name: '' }, '"name" must be 1 to 32 characters.'],
    // plans#safe-one-line-texts
    ...[
      'a\nb',
      'a\u0085b',
      'a\u2028b',
      'a\u2029b',
      'a\u202eb',
      'a\u2066b',
      'a\u061cb',
      'a\u200bb',
      'a\u00adb',
    ].map((name): [object, string] => [
      { name },
      '"name" must not contain control, format or bidirectional characters.',
    ]),
    [
      { slug: 'Pro Plan' },
      '"slug" must be lowercase letters, digits and single hyphens, with at least one letter.',
    ],
    [{ website: 'http://example.com' }, '"website" must be an https address.'],
    [
      { owner: 'me' },
      '"owner" must be a wallet address: 32 to 44 base58 characters that decode to 32 bytes.',
    ],
    [{ mint: undefined }, '"mint" is missing: it must be a mint address in base58.'],
    [{ amount: 5 }, '"amount" must be a whole number as text, such as "9990000".'],
    [{ amount: '1.5' }, '"amount" must be a whole number as text, such as "9990000".'],
    [{ amount: '0' }, '"amount" must be 1 to 18446744073709551615, in the smallest unit of the token.'],
    [
      { amount: '9'.repeat(1e6) },
      '"amount" must be 1 to 18446744073709551615, in the smallest unit of the token.',
    ],
    [{ period_hours: 0.5 }, '"period_hours" must be a whole number.'],
    [{ period_hours: 0 }, '"period_hours" must be at least 1.'],
    [{ period_hours: 9_000 }, '"period_hours" must be at most 8760.'],
    [{ destinations: [wallet, wallet] }, '"destinations" must be distinct wallets.'],
    [
      { destinations: [wallet, 'x'] },
      'Item 2 of "destinations" must be a wallet address: 32 to 44 base58 characters that decode to 32 bytes.',
    ],
    [
      { ends_at: 'soon' },
      '"ends_at" must be a date and time with its zone, such as 2026-10-02T08:30:00.000Z.',
    ],
    [
      { retry_attempts: 3 },
      '"retry_attempts" and "retry_wait_minutes" must be set together or left out together.',
    ],
    [
      { retry_attempts: 10, retry_wait_minutes: 525_600 },
      '"retry_wait_minutes" must be so short that all retries fit in one period: retry_attempts times retry_wait_minutes must be less than period_hours times 60.',
    ],
    [{ price: '1' }, 'The request must not contain "price".'],
  ])('%j', (change, sentence) => {
    expect(messages(PlanInput, { ...valid, ...change })).toEqual([sentence]);
  });

  it('has no message when it is valid', () => {
    expect(messages(PlanInput, valid)).toEqual([]);
  });
});

describe('every input of the service, given any value', () => {
  const SCHEMAS = {
    ...{ AccessQuery, AttemptsQuery, ConfirmBody, CreateBody, EventsQuery, Nothing, SubmitBody },
    ...{ SubscriptionsQuery, PlanInput, ProjectInput, EndpointInput, SecretRotation },
  };
  const jargon = /expected|received|undefined|\bNaN\b|\[object|regex|pattern|schema|Invalid|Unrecognized/;

  it.each(Object.entries(SCHEMAS))('%s says what is wrong in sentences, and never throws', (_, schema) => {
    const names = Object.keys((schema as z.ZodObject).shape);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.oneof(fc.constantFrom('__proto__', 'constructor', ...names), fc.string({ unit: 'binary' })),
        fc.oneof(
          fc.jsonValue(),
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.constantFrom('1.5', '-1', ''),
        ),
      ),
    );
    fc.assert(
      fc.property(value, (input) => {
        for (const sentence of messages(schema, input)) {
          expect(sentence).toMatch(/^("|The request |Item \d+ of )[^\n]*\.$/u);
          expect(sentence.replaceAll(/"(\\.|[^"\\])*"/g, '""')).not.toMatch(jargon);
          expect(sentence.length).toBeLessThan(900);
        }
      }),
      { numRuns: 500 },
    );
  });
});
