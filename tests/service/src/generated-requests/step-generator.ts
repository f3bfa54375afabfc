import fc from 'fast-check';

import { OPERATIONS } from './check-answer.js';
import {
  adversarialBody,
  adversarialHeaders,
  adversarialJson,
  adversarialText,
  adversarialVersion,
} from './adversarial-input.js';
import { PROJECTS, type ProjectName } from './fixtures.js';

/** A change to a request that would be valid. */
export type Mutation =
  | { readonly to: 'method'; readonly method: string }
  | { readonly to: 'named'; readonly text: string; readonly encoded: boolean }
  | { readonly to: 'path'; readonly text: string }
  | { readonly to: 'query'; readonly name: string; readonly value: string }
  | { readonly to: 'raw query'; readonly text: string }
  | { readonly to: 'field'; readonly name: string; readonly value: unknown }
  | { readonly to: 'dropped field'; readonly index: number }
  | { readonly to: 'near miss'; readonly index: number; readonly how: NearMiss }
  | { readonly to: 'body'; readonly body: string | Uint8Array }
  | { readonly to: 'big body'; readonly bytes: number }
  | { readonly to: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | { readonly to: 'key'; readonly key: 'none' | 'malformed' | 'unknown' | 'revoked' | ProjectName };

const NEAR_MISSES = ['cut', 'doubled', 'spaced', 'uppercased', 'changed', 'control'] as const;
type NearMiss = (typeof NEAR_MISSES)[number];

/** One request, and what the wallet and the clock do before it. */
export interface RequestStep {
  readonly operation: string;
  /** The subscription of the fixtures that the request is about. */
  readonly subscription: string;
  /** Selects a valid value: a plan, a cursor, a customer identifier, the optional fields to send. */
  readonly choice: number;
  /**
   * Before a confirmation, the wallet sends its transaction, only signs it, or does nothing. A submit is
   * signed rightly, has terms that another wallet signed, or the transaction of another checkout.
   */
  readonly wallet: 'sends' | 'signs' | 'waits';
  /** How long the clock moves before the request. */
  readonly seconds: number;
  readonly mutations: readonly Mutation[];
}

/** Time that passes, with or without a worker running. */
interface TimeStep {
  readonly seconds: number;
  readonly works: boolean;
}

export type Step = RequestStep | TimeStep;

/** Open checkouts of plans that have changed since. */
const CHANGED = ['vanished', 'swapped', 'delisted', 'no-more', 'no-receiver', 'soon', 'crowded'].map(
  (plan) => `pending-${plan}`,
);

/** The subscriptions on which a call may succeed; on any other its state refuses it. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  transaction: ['pending', 'pendingToo', 'pendingPoor', 'neverBuilt', 'created', ...CHANGED],
  submit: ['pending', 'pendingToo', 'pendingPoor', 'neverBuilt', 'created', 'created', ...CHANGED],
  retry: [
    ...[
      'late',
      'lateRich',
      'lateRevoked',
      'lateWaiting',
      'freeLate',
      'freeSpent',
      'freeWaiting',
      'parkedLate',
    ],
    ...['lateOfEnded', 'pulling'],
  ],
  cancel: ['active', 'renewed', 'late', 'stopped', 'blocked', 'created', 'seated', 'elsewhere'],
  resume: ['cancelled', 'over', 'behind', 'vanished', 'swapped'],
  close: [
    'over',
    'ended',
    'closed',
    'elsewhere',
    'abandoned',
    'planEnded',
    'planRemoved',
    'planReplaced',
    'cancelled',
    'stopped',
  ],
};

const EVERY_SUBSCRIPTION = [
  ...[
    'stopped',
    'abandoned',
    'ended',
    'closed',
    'elsewhere',
    'behind',
    'planEnded',
    'planRemoved',
    'planReplaced',
  ],
  ...[
    'blocked',
    'freeStopped',
    'seated',
    'expired',
    'late',
    'lateWaiting',
    'lateRich',
    'lateRevoked',
    'freeLate',
  ],
  ...['freeSpent', 'freeWaiting', 'over', 'active', 'cancelled', 'renewed', 'vanished', 'swapped', 'pending'],
  ...['pendingToo', 'pendingPoor', 'failed', 'superseded', 'parked', 'parkedLate', 'neverBuilt', 'created'],
  ...['lateOfEnded', 'pulling', ...CHANGED],
];

const anySubscription = fc.constantFrom(...EVERY_SUBSCRIPTION);

function subscriptionFor(operation: string): fc.Arbitrary<string> {
  const action = Object.keys(ALLOWED).find((name) => operation.includes(`/{id}/${name}`)) ?? '';
  const allowed = ALLOWED[action];
  if (allowed === undefined) return anySubscription;
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...allowed) },
    { weight: 1, arbitrary: anySubscription },
  );
}

const queryNames = [
  ...[
    'wallet',
    'external_id',
    'email',
    'plan',
    'attempts',
    'limit',
    'starting_after',
    'type',
    'subscription',
  ],
  ...['Wallet', 'limit[]', '__proto__', 'constructor', ''],
];
const fieldNames = [
  ...['plan', 'wallet', 'external_id', 'email', 'transaction', 'terms_signature', 'signature'],
  ...['__proto__', 'constructor', 'toString', '', 'id'],
];

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    to: fc.constant('method' as const),
    method: fc.constantFrom(
      'GET',
      'POST',
      'HEAD',
      'HEAD',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'QUERY',
      'get',
    ),
  }),
  fc.record({ to: fc.constant('named' as const), text: adversarialText, encoded: fc.boolean() }),
  fc.record({
    to: fc.constant('path' as const),
    text: fc.oneof(adversarialText, fc.constantFrom('', '/', '/v1', '/v1/')),
  }),
  fc.record({
    to: fc.constant('query' as const),
    name: fc.constantFrom(...queryNames),
    value: adversarialText,
  }),
  fc.record({ to: fc.constant('raw query' as const), text: adversarialText }),
  fc.record({
    to: fc.constant('field' as const),
    name: fc.constantFrom(...fieldNames),
    value: adversarialJson,
  }),
  fc.record({
    to: fc.constant('field' as const),
    name: fc.constantFrom(...fieldNames),
    value: adversarialJson,
  }),
  fc.record({ to: fc.constant('dropped field' as const), index: fc.nat(3) }),
  fc.record({
    to: fc.constant('near miss' as const),
    index: fc.nat(3),
    how: fc.constantFrom(...NEAR_MISSES),
  }),
  fc.record({
    to: fc.constant('near miss' as const),
    index: fc.nat(3),
    how: fc.constantFrom(...NEAR_MISSES),
  }),
  fc.record({ to: fc.constant('body' as const), body: adversarialBody }),
  fc.record({ to: fc.constant('big body' as const), bytes: fc.integer({ min: 99_950, max: 100_050 }) }),
  fc.record({ to: fc.constant('headers' as const), headers: adversarialHeaders }),
  fc.record({
    to: fc.constant('headers' as const),
    headers: fc.record({ 'Service-Version': adversarialVersion }),
  }),
  fc.record({
    to: fc.constant('key' as const),
    key: fc.constantFrom('none' as const, 'malformed', 'unknown', 'revoked', ...PROJECTS),
  }),
  fc.record({
    to: fc.constant('key' as const),
    key: fc.constantFrom('none' as const, 'malformed', 'unknown', 'revoked', ...PROJECTS),
  }),
);

/** One request, valid or mutated. */
export const requestStep: fc.Arbitrary<RequestStep> = fc
  .constantFrom(...OPERATIONS.keys())
  .chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      subscription: subscriptionFor(operation),
      choice: fc.nat(1_000_000),
      wallet: fc.constantFrom(
        'sends' as const,
        'sends' as const,
        'sends' as const,
        'signs' as const,
        'waits' as const,
      ),
      seconds: fc.constantFrom(0, 0, 1, 1, 1, 1, 2, 2, 3, 20),
      mutations: fc.oneof(
        { weight: 11, arbitrary: fc.constant([]) },
        { weight: 8, arbitrary: fc.tuple(mutation) },
        { weight: 1, arbitrary: fc.tuple(mutation, mutation) },
      ),
    }),
  );

const HOUR = 3_600;
const timeStep: fc.Arbitrary<TimeStep> = fc.record({
  seconds: fc.constantFrom(60, 20 * 60, HOUR, 24 * HOUR, 31 * 24 * HOUR),
  works: fc.boolean(),
});

/** A hundred steps in a row; a shrunk failure has fewer. */
export const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.option<Step>(fc.oneof({ weight: 40, arbitrary: requestStep }, { weight: 1, arbitrary: timeStep }), {
      freq: 1_000_000_000,
    }),
    { minLength: 100, maxLength: 100 },
  )
  .map((some) => some.filter((step) => step !== null));
