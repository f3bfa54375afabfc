import { aSignature, anAddress } from '../testing/records.js';
import { describe, expect, expectTypeOf, it } from 'vitest';

import {
  AccessQuery,
  AttemptsQuery,
  ConfirmBody,
  CreateBody,
  SubmitBody,
  SubscriptionsQuery,
  type AccessQueryInput,
  type SubscriptionsQueryInput,
} from './requests.js';

const WALLET = anAddress('Subscriber');

function refused(schema: { safeParse(input: unknown): { success: boolean } }, input: unknown): boolean {
  return !schema.safeParse(input).success;
}

/** The types of the queries that name a customer. */
type OneCustomerQuery = AccessQueryInput & SubscriptionsQueryInput;

// access#one-customer-identifier, lists#one-customer-per-list
describe('the type of a query', () => {
  it('takes each name of a customer alone, and beside it undefined for the others', () => {
    expectTypeOf<{ wallet: string }>().toExtend<OneCustomerQuery>();
    expectTypeOf<{ external_id: string; plan: string }>().toExtend<OneCustomerQuery>();
    expectTypeOf<{ email: string; plan: string | undefined }>().toExtend<OneCustomerQuery>();
    expectTypeOf<{ external_id: string; wallet: undefined; email: undefined }>().toExtend<OneCustomerQuery>();
  });

  it('takes no two names, none, and none that may be a second', () => {
    expectTypeOf<{ external_id: string; wallet: string }>().not.toExtend<AccessQueryInput>();
    expectTypeOf<{ external_id: string; wallet: string }>().not.toExtend<SubscriptionsQueryInput>();
    expectTypeOf<{ external_id: string; email: string | undefined }>().not.toExtend<AccessQueryInput>();
    expectTypeOf<{ wallet: string | undefined }>().not.toExtend<AccessQueryInput>();
    expectTypeOf<{ plan: string }>().not.toExtend<AccessQueryInput>();
    expectTypeOf<{ plan: string }>().not.toExtend<SubscriptionsQueryInput>();
  });
});

// requests#customer-identifier-format
describe('external_id', () => {
  const external_id = (text: unknown) => ({ plan: 'pro', wallet: WALLET, external_id: text });

  // Characters are code points, as JSON Schema counts them: JavaScript says that 💸 has a length of two.
  it.each(['7', 'x'.repeat(255), '💸'.repeat(255), 'Zoë 💸', "'; drop table --", '<b>'])(
    'accepts %j',
    (text) => {
      expect(CreateBody.parse(external_id(` ${text} `))).toMatchObject({ external_id: text });
    },
  );

  it.each([
    '',
    '  ',
    'x'.repeat(256),
    '💸'.repeat(256),
    'a\0b',
    'a\tb',
    '\u007f',
    '\u0085',
    '\u009f',
    '\ud800',
    7,
  ])('refuses %j', (text) => {
    expect(refused(CreateBody, external_id(text))).toBe(true);
  });
});

// requests#customer-identifier-format
describe('email', () => {
  it('says how a domain with other letters is written', () => {
    const sentence = (text: string) => AccessQuery.safeParse({ email: text }).error?.issues[0]?.message;
    expect(sentence('no address')).toBe('must be an email address');
    expect(sentence('ada@bücher.example')).toContain('punycode, as in ada@xn--bcher-kva.example');
    expect(AccessQuery.parse({ email: 'ada@xn--bcher-kva.example' }).email).toBe('ada@xn--bcher-kva.example');
  });

  const email = (text: unknown) => ({ email: text });

  it('is trimmed and lowercased', () => {
    expect(AccessQuery.parse(email(' Ann.Lee+x@Example.CO.UK\n'))).toMatchObject({
      email: 'ann.lee+x@example.co.uk',
    });
  });

  it('accepts 254 characters and no more', () => {
    const long = (length: number) => `a@${'b.'.repeat((length - 4) / 2)}co`;
    expect(long(254)).toHaveLength(254);
    expect(refused(AccessQuery, email(long(254)))).toBe(false);
    expect(refused(AccessQuery, email(long(256)))).toBe(true);
  });

  it.each(['', ' ', 'ann', 'ann@', '@b.co', 'a b@c.co', 'a@b', 'a@b.co,c@d.co', 'a\0@b.co', null])(
    'refuses %j',
    (text) => {
      expect(refused(AccessQuery, email(text))).toBe(true);
    },
  );
});

// requests#customer-identifier-format
describe('wallet', () => {
  it.each(['11111111111111111111111111111111', WALLET])('accepts %s', (wallet) => {
    expect(refused(AccessQuery, { wallet })).toBe(false);
  });

  it.each([
    '',
    '1'.repeat(31),
    '1'.repeat(33),
    '1'.repeat(44),
    'z'.repeat(44),
    WALLET.replace(/^./, '0'),
    WALLET.replace(/^./, 'l'),
    ` ${WALLET}`,
    `${WALLET}\n`,
    null,
  ])('refuses %j', (wallet) => {
    expect(refused(AccessQuery, { wallet })).toBe(true);
  });
});

// lists#keyset-pagination
describe('pagination', () => {
  it.each([
    [{}, 20],
    [{ limit: '1' }, 1],
    [{ limit: '100' }, 100],
    [{ limit: 100 }, 100],
  ])('reads a limit of %j as %i', (query, limit) => {
    expect(AttemptsQuery.parse(query).limit).toBe(limit);
  });

  it.each(['', '0', '101', '-1', '1.0', '1e1', '0x1', ' 5', '05', '+5', 'all', 0, 101, 1.5, null])(
    'refuses a limit of %j',
    (limit) => {
      expect(refused(AttemptsQuery, { limit })).toBe(true);
    },
  );

  it.each(['', 'a b', 'é', 'x'.repeat(65), 'sub_1\n', "x'--"])(
    'refuses a starting_after of %j',
    (starting_after) => {
      expect(refused(SubscriptionsQuery, { wallet: WALLET, starting_after })).toBe(true);
    },
  );
});

describe('bodies', () => {
  it('require base58 of 64 bytes for the signature of a confirmation', () => {
    expect(refused(ConfirmBody, { signature: aSignature() })).toBe(false);
    expect(refused(ConfirmBody, { signature: '1'.repeat(64) })).toBe(false);
    expect(refused(ConfirmBody, { signature: '1'.repeat(63) })).toBe(true);
    expect(refused(ConfirmBody, { signature: '0'.repeat(88) })).toBe(true);
    expect(refused(ConfirmBody, { signature: 'z'.repeat(89) })).toBe(true);
    expect(refused(ConfirmBody, { signature: '' })).toBe(true);
    expect(refused(ConfirmBody, {})).toBe(true);
  });

  it('accept texts that do not decode in a submit, which has codes for them', () => {
    expect(refused(SubmitBody, { transaction: '!', terms_signature: '!' })).toBe(false);
    expect(refused(SubmitBody, { transaction: '', terms_signature: '!' })).toBe(true);
    expect(refused(SubmitBody, { transaction: '!' })).toBe(true);
  });

  // requests#null-optional-body-fields
  it('take null in an optional field for its absence, and in no other', () => {
    const body = { plan: 'pro', wallet: WALLET };
    expect(CreateBody.parse({ ...body, external_id: null, email: null })).toEqual(body);
    expect(refused(CreateBody, { ...body, plan: null })).toBe(true);
    expect(refused(CreateBody, { ...body, wallet: null })).toBe(true);
  });

  it('require only a plan and a wallet in a create', () => {
    expect(CreateBody.parse({ plan: 'pro', wallet: WALLET })).toEqual({ plan: 'pro', wallet: WALLET });
    expect(refused(CreateBody, { plan: 'pro' })).toBe(true);
    expect(refused(CreateBody, { wallet: WALLET })).toBe(true);
    expect(refused(CreateBody, { plan: 'pro', wallet: WALLET, amount: '1' })).toBe(true);
  });
});

it('parses a parsed input to the same value, so that a call in process and one over HTTP agree', () => {
  const query = { email: ' A@B.co ', plan: 'pro', attempts: '1' };
  const once = AccessQuery.parse(query);
  expect(AccessQuery.parse(once)).toEqual(once);
  const page = SubscriptionsQuery.parse({ external_id: ' 7 ', limit: '5', starting_after: 'sub_1' });
  expect(SubscriptionsQuery.parse(page)).toEqual(page);
});
