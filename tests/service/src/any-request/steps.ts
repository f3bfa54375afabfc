import fc from 'fast-check';

import { OPERATIONS } from './document.js';
import { hostileBody, hostileHeaders, hostileJson, hostileText, hostileVersion } from './hostile.js';
import { PROJECTS, type ProjectName } from './fixtures.js';

/** What is done to a request that would be right. */
export type Twist =
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

/** One request, as a client means it. */
export interface Ask {
  readonly operation: string;
  /** Whom or what it is about. */
  readonly actor: string;
  /** Chooses among whatever there is to choose from: a plan, a cursor, which customer id is named. */
  readonly choice: number;
  /** What the wallet does before a confirmation. */
  readonly hand: 'sends' | 'signs' | 'waits';
  readonly seconds: number;
  readonly twists: readonly Twist[];
}

/** Time that goes by, with or without a worker. */
export interface Pass {
  readonly passes: number;
  readonly works: boolean;
}

export type Step = Ask | Pass;

/** Open checkouts of plans that are no longer what they were. */
const CHANGED = ['vanished', 'swapped', 'delisted', 'no-more', 'no-receiver', 'soon', 'crowded'].map(
  (plan) => `pending-${plan}`,
);

/** In which conditions a call may succeed; elsewhere it is refused for its state. */
const FIT: Readonly<Record<string, readonly string[]>> = {
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

const ANYBODY = [
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

const anybody = fc.constantFrom(...ANYBODY);

function actorFor(operation: string): fc.Arbitrary<string> {
  const action = Object.keys(FIT).find((name) => operation.includes(`/{id}/${name}`)) ?? '';
  const fit = FIT[action];
  if (fit === undefined) return anybody;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fit) }, { weight: 1, arbitrary: anybody });
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

const twist: fc.Arbitrary<Twist> = fc.oneof(
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
  fc.record({ to: fc.constant('named' as const), text: hostileText, encoded: fc.boolean() }),
  fc.record({
    to: fc.constant('path' as const),
    text: fc.oneof(hostileText, fc.constantFrom('', '/', '/v1', '/v1/')),
  }),
  fc.record({ to: fc.constant('query' as const), name: fc.constantFrom(...queryNames), value: hostileText }),
  fc.record({ to: fc.constant('raw query' as const), text: hostileText }),
  fc.record({ to: fc.constant('field' as const), name: fc.constantFrom(...fieldNames), value: hostileJson }),
  fc.record({ to: fc.constant('field' as const), name: fc.constantFrom(...fieldNames), value: hostileJson }),
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
  fc.record({ to: fc.constant('body' as const), body: hostileBody }),
  fc.record({ to: fc.constant('big body' as const), bytes: fc.integer({ min: 99_950, max: 100_050 }) }),
  fc.record({ to: fc.constant('headers' as const), headers: hostileHeaders }),
  fc.record({
    to: fc.constant('headers' as const),
    headers: fc.record({ 'Service-Version': hostileVersion }),
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

/** One request, right or twisted. */
export const ask: fc.Arbitrary<Ask> = fc.constantFrom(...OPERATIONS.keys()).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    actor: actorFor(operation),
    choice: fc.nat(1_000_000),
    hand: fc.constantFrom(
      'sends' as const,
      'sends' as const,
      'sends' as const,
      'signs' as const,
      'waits' as const,
    ),
    seconds: fc.constantFrom(0, 0, 1, 1, 1, 1, 2, 2, 3, 20),
    twists: fc.oneof(
      { weight: 11, arbitrary: fc.constant([]) },
      { weight: 8, arbitrary: fc.tuple(twist) },
      { weight: 1, arbitrary: fc.tuple(twist, twist) },
    ),
  }),
);

const HOUR = 3_600;
const pass: fc.Arbitrary<Pass> = fc.record({
  passes: fc.constantFrom(60, 20 * 60, HOUR, 24 * HOUR, 31 * 24 * HOUR),
  works: fc.boolean(),
});

/** A hundred things a client does one after the other; fewer in what a failure is shrunk to. */
export const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.option<Step>(fc.oneof({ weight: 40, arbitrary: ask }, { weight: 1, arbitrary: pass }), {
      freq: 1_000_000_000,
    }),
    { minLength: 100, maxLength: 100 },
  )
  .map((some) => some.filter((step) => step !== null));
