import { bytes, key } from '../builders.js';
import {
  ELSEWHERE,
  MISSHAPEN,
  plan,
  authority,
  copyOfAuthority,
  crowded,
  tooFewByOne,
  uninitialisedMint,
} from '../faults.js';
import { PLAIN_2022 } from '../mint-kinds.js';
import { account, decidesInOrder, missing, patched, readonly, unsigned } from '../order.js';
import { A, B, OTHER_MINT, SPONSOR } from '../world.js';

/** Authorities: each check of program#instruction-dispatch decides over all that come after it. */
export const authorityOrderScenarios = [
  decidesInOrder(
    '2.2 init',
    (stage) => crowded(stage.bare(PLAIN_2022)),
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
      [107, account(3, () => MISSHAPEN)],
      [104, missing(4)],
      [103, account(1, (w) => w.authority(B))],
      [130, account(3, (w) => w.tokenAccount(B))],
      [125, account(3, (w) => w.tokenAccount(A, OTHER_MINT))],
      [108, account(3, () => ELSEWHERE)],
    ],
  ),

  decidesInOrder(
    '2.13 close_subscription_authority of a sponsored authority',
    (stage) => {
      const w = stage.bare();
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

  decidesInOrder(
    '2.14 revoke_subscription_authority of a sponsored authority',
    (stage) => {
      const w = crowded(stage.bare(PLAIN_2022));
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
      [107, account(1, () => MISSHAPEN)],
      [131, readonly(4)],
      [130, account(1, (w) => w.tokenAccount(B))],
      [125, account(1, (w) => w.tokenAccount(A, OTHER_MINT))],
      [108, account(1, () => ELSEWHERE)],
      [103, account(4, (w) => w.authority(B))],
      [117, patched(authority, 0, () => bytes(1))],
      [130, patched(authority, 1, () => key(B))],
      tooFewByOne,
      [131, readonly(5)],
      [130, account(5, () => B)],
    ],
  ),
];
