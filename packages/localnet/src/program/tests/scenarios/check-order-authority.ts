import { bytes, key } from '../instruction-builders.js';
import {
  MALFORMED,
  plan,
  authority,
  copyOfAuthority,
  withWrongAccounts,
  tooFewByOne,
  uninitialisedMint,
} from '../recurring-faults.js';
import { PLAIN_2022 } from '../mint-kinds.js';
import { account, decidesInOrder, missing, patched, readonly, unsigned } from '../check-order.js';
import { A, B, NOT_CANONICAL, OTHER_MINT, SPONSOR } from '../fixtures.js';

/** Authorities: the first check that fails decides the error. */
export const authorityCheckOrderScenarios = [
  // program#init-subscription-authority
  decidesInOrder(
    'init',
    (fixtures) => withWrongAccounts(fixtures.bare(PLAIN_2022)),
    (w) => w.init(),
    [
      tooFewByOne,
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      [131, readonly(3)],
      [109, missing(2)],
      uninitialisedMint(2),
      [105, missing(5)],
      [110, missing(3)],
      [107, account(3, () => MALFORMED)],
      [104, missing(4)],
      [103, account(1, (w) => w.authority(B))],
      [130, account(3, (w) => w.tokenAccount(B))],
      [125, account(3, (w) => w.tokenAccount(A, OTHER_MINT))],
      [108, account(3, () => NOT_CANONICAL)],
    ],
  ),

  // program#close-subscription-authority
  decidesInOrder(
    'close_subscription_authority of a sponsored authority',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.createPlan());
      w.ok(w.init({ payer: SPONSOR }));
      w.chain.write(copyOfAuthority(w), w.chain.read(w.authority()));
      return w;
    },
    (w) => w.closeAuthority({ receiver: SPONSOR }),
    [
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      ['InvalidAccountOwner', missing(1)],
      [111, account(1, plan)],
      [117, patched(copyOfAuthority, 0, () => bytes(1))],
      [130, missing(0)],
      [103, account(1, copyOfAuthority)],
      tooFewByOne,
      [131, readonly(2)],
      [130, account(2, () => B)],
    ],
  ),

  // program#revoke-subscription-authority
  decidesInOrder(
    'revoke_subscription_authority of a sponsored authority',
    (fixtures) => {
      const w = withWrongAccounts(fixtures.bare(PLAIN_2022));
      w.ok(w.init({ payer: SPONSOR }));
      return w;
    },
    (w) => w.revokeAuthority({ receiver: SPONSOR }),
    [
      [100, unsigned(0)],
      [131, readonly(0)],
      [131, readonly(1)],
      [105, missing(3)],
      [109, missing(2)],
      uninitialisedMint(2),
      [110, missing(1)],
      [107, account(1, () => MALFORMED)],
      [131, readonly(4)],
      [130, account(1, (w) => w.tokenAccount(B))],
      [125, account(1, (w) => w.tokenAccount(A, OTHER_MINT))],
      [108, account(1, () => NOT_CANONICAL)],
      [103, account(4, (w) => w.authority(B))],
      [117, patched(authority, 0, () => bytes(1))],
      [130, patched(authority, 1, () => key(B))],
      tooFewByOne,
      [131, readonly(5)],
      [130, account(5, () => B)],
    ],
  ),
];
