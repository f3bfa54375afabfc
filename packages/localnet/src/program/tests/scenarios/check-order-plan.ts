import { bytes, i64, key, u64 } from '../instruction-builders.js';
import {
  PAST,
  withWrongAccounts,
  tooFewByOne,
  uninitialisedMint,
  otherKindOfPlan,
  eventAccounts,
} from '../recurring-faults.js';
import { PLAIN_2022 } from '../mint-kinds.js';
import {
  account,
  changed,
  data,
  decidesInOrder,
  missing,
  payloadTooLong,
  readonly,
  unsigned,
} from '../check-order.js';
import { DAY, OTHER_MINT } from '../fixtures.js';

/** Plans: the first check that fails decides the error. */
export const planCheckOrderScenarios = [
  // program#create-plan
  decidesInOrder(
    'create_plan',
    (fixtures) => {
      const w = withWrongAccounts(fixtures.bare(PLAIN_2022));
      w.ok(w.createPlan({ planId: 2n }));
      return w;
    },
    (w) => w.createPlan(),
    [
      [112, payloadTooLong],
      [129, data(41, () => u64(0n))],
      [402, data(49, () => u64(0n))],
      [511, data(65, () => i64(PAST))],
      tooFewByOne,
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      [109, missing(2)],
      uninitialisedMint(2),
      [105, missing(4)],
      [104, missing(3)],
      [125, data(9, () => key(OTHER_MINT))],
      [518, account(1, (w) => w.plan(2n))],
      [502, missing(1)],
    ],
  ),

  // program#update-plan
  decidesInOrder(
    'update_plan',
    (fixtures) => fixtures.planned(),
    (w) => w.updatePlan({ endTs: w.now + DAY }),
    [
      [112, payloadTooLong],
      tooFewByOne,
      [100, unsigned(0)],
      [131, readonly(1)],
      ['InvalidAccountOwner', missing(1)],
      otherKindOfPlan,
      [504, missing(0)],
      [522, data(266, () => i64(PAST))],
      [514, data(1, () => bytes(0, i64(0n)))],
      [512, data(1, () => bytes(9))],
      [501, changed((w) => w.advance(31n * DAY))],
      [520, data(2, (w) => i64(w.planState().endTs + 1n))],
      [511, data(2, () => i64(PAST))],
      ...eventAccounts(2),
    ],
  ),

  // program#delete-plan
  decidesInOrder(
    'delete_plan',
    (fixtures) => {
      const w = fixtures.planned();
      w.advance(31n * DAY);
      return w;
    },
    (w) => w.deletePlan(),
    [
      tooFewByOne,
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      ['InvalidAccountOwner', missing(1)],
      otherKindOfPlan,
      [504, missing(0)],
      [515, changed((w) => w.advance(-2n * DAY))],
    ],
  ),
];
