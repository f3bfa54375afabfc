import { bytes, i64, key, u64 } from '../instruction-builders.js';
import {
  MALFORMED,
  PAST,
  subscription,
  plan,
  withWrongAccounts,
  cutTo,
  tooFewByOne,
  uninitialisedMint,
  otherKindOfPlan,
  otherKindOfSubscription,
  newerVersion,
  subscribedToAnother,
  otherGeneration,
  eventAccounts,
  brokenList,
} from '../recurring-faults.js';
import { PLAIN_2022 } from '../mint-kinds.js';
import {
  account,
  changed,
  data,
  decidesInOrder,
  missing,
  patched,
  payloadTooLong,
  readonly,
  unsigned,
} from '../check-order.js';
import { disapprove } from '../token-setup.js';
import { A, B, HOUR, M, MINT, NOT_CANONICAL, OTHER_MINT, PRICE, SPONSOR } from '../fixtures.js';

/** Subscriptions: the first check that fails decides the error. */
export const subscriptionCheckOrderScenarios = [
  // program#subscribe
  decidesInOrder(
    'subscribe',
    (fixtures) => withWrongAccounts(fixtures.planned({}, PLAIN_2022)),
    (w) => w.subscribe(),
    [
      [112, payloadTooLong],
      tooFewByOne,
      [100, unsigned(0)],
      [131, readonly(0)],
      ['InvalidAccountOwner', missing(2)],
      [131, readonly(3)],
      [103, missing(4)],
      [111, account(4, plan)],
      [104, missing(5)],
      [502, data(9, () => bytes(1))],
      otherKindOfPlan,
      [111, patched(plan, 34, () => bytes(2))],
      [500, patched(plan, 34, () => bytes(0))],
      [501, patched(plan, 99, () => i64(PAST))],
      [519, data(42, () => u64(PRICE + 1n))],
      [130, account(4, (w) => w.authority(B))],
      [125, account(4, (w) => w.authority(A, OTHER_MINT))],
      [136, data(66, () => i64(1n))],
      [503, missing(3)],
      [517, changed((w) => w.chain.write(w.subscription(), w.chain.read(MALFORMED)))],
      [1, changed((w) => w.setLamports(A, 1_000_000n))],
      ...eventAccounts(6),
    ],
  ),

  // program#transfer-subscription, program#error-precedence-of-a-charge
  decidesInOrder(
    'transfer_subscription',
    (fixtures) => withWrongAccounts(fixtures.subscribed({ destinations: [M] }, PLAIN_2022)),
    (w) => w.pull(PRICE),
    [
      [112, payloadTooLong],
      tooFewByOne,
      ['InvalidAccountOwner', missing(0)],
      [131, readonly(0)],
      [516, missing(1)],
      [103, missing(2)],
      [111, account(2, plan)],
      [131, readonly(3)],
      [131, readonly(4)],
      [100, unsigned(5)],
      [105, missing(7)],
      [109, missing(6)],
      uninitialisedMint(6),
      [110, missing(3)],
      [107, account(3, () => MALFORMED)],
      [110, missing(4)],
      [107, account(4, () => MALFORMED)],
      otherKindOfPlan,
      [125, data(41, () => key(OTHER_MINT))],
      [501, patched(plan, 99, () => i64(PAST))],
      [130, missing(5)],
      [506, account(4, (w) => w.tokenAccount(B))],
      otherKindOfSubscription,
      newerVersion,
      [519, patched(subscription, 107, () => u64(PRICE + 1n))],
      subscribedToAnother,
      [130, data(9, () => key(B))],
      [508, patched(subscription, 147, () => i64(PAST))],
      [129, data(1, () => u64(0n))],
      [407, patched(subscription, 139, (w) => i64(w.now + 1n))],
      [400, data(1, () => u64(PRICE + 1n))],
      [125, account(6, () => OTHER_MINT)],
      [126, account(2, (w) => w.authority(A, OTHER_MINT))],
      otherGeneration,
      [130, account(3, (w) => w.tokenAccount(B))],
      [125, account(3, (w) => w.tokenAccount(A, OTHER_MINT))],
      [108, account(3, () => NOT_CANONICAL)],
      [125, account(4, (w) => w.tokenAccount(M, OTHER_MINT))],
      [106, changed((w) => w.chain.write(MINT, { ...w.chain.read(MINT), data: brokenList(w.data(MINT)) }))],
      [4, changed((w) => disapprove(w.chain, w.tokenAccount(A)))],
      ...eventAccounts(8),
    ],
  ),

  // program#cancel-subscription
  decidesInOrder(
    'cancel_subscription',
    (fixtures) => fixtures.subscribed(),
    (w) => w.cancel(),
    [
      tooFewByOne,
      [100, unsigned(0)],
      ['InvalidAccountOwner', missing(2)],
      [131, readonly(2)],
      otherKindOfSubscription,
      newerVersion,
      [130, missing(0)],
      [509, patched(subscription, 147, () => i64(PAST))],
      subscribedToAnother,
      otherKindOfPlan,
      ...eventAccounts(3),
    ],
  ),

  // program#cancel-subscription-now
  decidesInOrder(
    'cancel_subscription_now',
    (fixtures) => fixtures.subscribed(),
    (w) => w.cancelNow(),
    [
      [112, payloadTooLong],
      tooFewByOne,
      [100, unsigned(0)],
      [100, unsigned(1)],
      ['InvalidAccountOwner', missing(2)],
      ['InvalidAccountOwner', missing(3)],
      [131, readonly(3)],
      otherKindOfPlan,
      [504, missing(1)],
      otherKindOfSubscription,
      newerVersion,
      [130, missing(0)],
      subscribedToAnother,
      [521, data(1, () => i64(PAST))],
      [509, patched(subscription, 147, () => i64(PAST))],
      ...eventAccounts(4),
    ],
  ),

  // program#resume-subscription
  decidesInOrder(
    'resume_subscription',
    (fixtures) => {
      const w = withWrongAccounts(fixtures.subscribed({}, PLAIN_2022));
      w.ok(w.cancel());
      return w;
    },
    (w) => w.resume(),
    [
      [112, payloadTooLong],
      tooFewByOne,
      [100, unsigned(0)],
      ['InvalidAccountOwner', missing(2)],
      [131, readonly(2)],
      [103, missing(3)],
      [111, account(3, subscription)],
      otherKindOfSubscription,
      newerVersion,
      [130, missing(0)],
      subscribedToAnother,
      [510, patched(subscription, 147, () => i64(0n))],
      [521, data(1, () => i64(PAST))],
      [516, changed((w) => w.remove(w.plan()))],
      otherKindOfPlan,
      [501, patched(plan, 99, () => i64(PAST))],
      [519, patched(plan, 75, () => u64(PRICE + 1n))],
      [130, account(3, (w) => w.authority(B))],
      [125, account(3, (w) => w.authority(A, OTHER_MINT))],
      otherGeneration,
      [508, changed((w) => w.advance(HOUR))],
      ...eventAccounts(4),
    ],
  ),

  // program#revoke-delegation
  decidesInOrder(
    'revoke_delegation by the wallet of a sponsored subscription',
    (fixtures) => {
      const w = fixtures.planned();
      w.ok(w.subscribe({ payer: SPONSOR }));
      w.ok(w.cancelNow());
      return w;
    },
    (w) => w.revoke({ receiver: SPONSOR }),
    [
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      ['InvalidAccountOwner', missing(1)],
      [127, cutTo(subscription, 106)],
      [117, patched(subscription, 0, () => bytes(1))],
      [111, cutTo(subscription, 154)],
      [505, missing(2)],
      [130, missing(0)],
      [510, patched(subscription, 147, (w) => i64(w.now + 1n))],
      tooFewByOne,
      [131, readonly(3)],
      [130, account(3, () => B)],
    ],
  ),

  // program#revoke-abandoned-subscription
  decidesInOrder(
    'revoke_abandoned_subscription',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.closeAuthority());
      w.advance(1n);
      return w;
    },
    (w) => w.revokeAbandoned(),
    [
      tooFewByOne,
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      ['InvalidAccountOwner', missing(1)],
      [111, cutTo(subscription, 154)],
      otherKindOfSubscription,
      [130, missing(0)],
      subscribedToAnother,
      [516, changed((w) => w.remove(w.plan()))],
      otherKindOfPlan,
      [103, missing(2)],
      [130, changed((w) => w.advance(-1n))],
    ],
  ),
];
