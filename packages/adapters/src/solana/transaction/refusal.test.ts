import { type TransactionError, blockhash } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { compile } from './message.js';
import { createAddresses } from '../program/addresses.js';
import { transactionParts } from '../build/transaction-kinds.js';
import { causeOf } from './refusal-cause.js';
import { refusalOf } from './refusal.js';
import { decodeWire, encodeWire } from './wire.js';
import { AUTHORITY, CHARGER, PLAN, WALLET, chargeView, key } from '../tests/charge-view.js';

/** Its instructions: compute limit, compute price, init, subscribe, transfer. */
const view = chargeView({ authority: { address: AUTHORITY, generation: null } });
const kind = await transactionParts(
  { plan: PLAN, wallet: WALLET, kind: 'subscribe', view },
  createAddresses(),
  CHARGER,
);
const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
const compiled = compile(kind.feePayer, kind.instructions, lifetime, {
  unitLimit: 200_000,
  unitPrice: 0n,
});
const message = decodeWire(encodeWire(compiled))?.message;
if (message === undefined) throw new Error('no message');

const failed = (index: number, error: unknown) =>
  ({ InstructionError: [index, error] }) as unknown as TransactionError;

// program#failure-classification
describe('the classification of a failure', () => {
  // program#charge-failures-and-their-causes
  it.each([1, 4, 17, 36, 49, 67, 103, 130, 136, 400, 501, 506, 508, 516, 519])(
    'classifies Custom(%s) of the transfer instruction as an error of the program',
    (code) => {
      expect(refusalOf(failed(4, { Custom: code }), message)).toEqual({ kind: 'program', code });
    },
  );

  it.each([2, 3])('does not classify Custom(1) of instruction %s as a lack of tokens', (index) => {
    expect(refusalOf(failed(index, { Custom: 1 }), message)).toEqual({ kind: 'chain', code: 4615026 });
  });

  it.each([
    ['InvalidAccountOwner', 4615047],
    ['NotEnoughAccountKeys', 4615020],
    ['MissingRequiredSignature', 4615008],
    ['ComputationalBudgetExceeded', 4615038],
    ['AnErrorOfTomorrow', 4615000],
  ])('classifies the built-in error %s by its number', (name, code) => {
    expect(refusalOf(failed(4, name), message)).toEqual({ kind: 'chain', code });
  });

  it.each([
    ['AccountNotFound', 7050003],
    ['InsufficientFundsForFee', 7050005],
    ['AlreadyProcessed', 7050007],
    ['BlockhashNotFound', 7050008],
    ['SignatureFailure', 7050012],
    [{ InsufficientFundsForRent: { account_index: 2 } }, 7050031],
    ['AnErrorOfTomorrow', 7050000],
  ])('classifies an error of the whole transaction by its number: %s', (error, code) => {
    expect(refusalOf(error as TransactionError, message)).toEqual({ kind: 'chain', code });
  });

  it('does not classify a Custom code of an unknown instruction as an error of the program', () => {
    expect(refusalOf(failed(9, { Custom: 4 }), message)).toEqual({ kind: 'chain', code: 4615026 });
  });

  it('reads indexes and codes that are bigint', () => {
    const error = { InstructionError: [4n, { Custom: 400n }] } as unknown as TransactionError;
    expect(refusalOf(error, message)).toEqual({ kind: 'program', code: 400 });
  });
});

// checkout#simulation-before-sending
describe('the cause of a refusal, for a person', () => {
  it.each<[string, unknown, string]>([
    ['rent of the authority', failed(2, { Custom: 1 }), 'the wallet has too little SOL for fees and rent'],
    ['rent of the subscription', failed(3, { Custom: 1 }), 'the wallet has too little SOL for fees and rent'],
    ['the fee', 'InsufficientFundsForFee', 'the wallet has too little SOL for fees and rent'],
    [
      'what must stay',
      { InsufficientFundsForRent: { account_index: 0 } },
      'the wallet has too little SOL for fees and rent',
    ],
    ['tokens', failed(4, { Custom: 1 }), 'the wallet has fewer tokens than the payment takes'],
    [
      'the issuer',
      { InstructionError: [4n, { Custom: 67n }] },
      "the token's issuer has paused every transfer of it",
    ],
    [
      'the guard',
      failed(2, { Custom: 45 }),
      "the wallet's account for the token has its CPI guard on, which refuses the approval",
    ],
    ['the program', failed(3, { Custom: 500 }), 'the Subscriptions program answers 500 (PlanSunset)'],
    ['a later program', failed(3, { Custom: 9999 }), 'the Subscriptions program answers 9999'],
    [
      'another program',
      failed(0, { Custom: 7 }),
      'the program ComputeBudget111111111111111111111111111111 answers 7',
    ],
    ['the limit', failed(4, 'ComputationalBudgetExceeded'), 'it needs more than its limit of compute units'],
    [
      'what kit knows',
      'AccountNotFound',
      'the chain says: Attempt to debit an account but found no record of a prior credit',
    ],
  ])('%s', (_, error, cause) => {
    expect(causeOf(error as TransactionError, message)).toBe(cause);
  });
});
