import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { bytes, withFlags } from '../instruction-builders.js';
import { START } from '../test-chain.js';
import { SPL, disapprove, setMint, setTokenAccount } from '../token-setup.js';
import {
  A,
  B,
  DAY,
  HOUR,
  M,
  MINT,
  NOT_CANONICAL,
  OTHER_MINT,
  PRICE,
  PULLER,
  STRANGER,
  scenario,
  type World,
} from '../fixtures.js';

/** Moves time past the plan's end; M deletes the plan and creates another one at the same address. */
export function replacePlan(w: World): void {
  w.advance(w.planState().endTs - w.now + 1n);
  w.ok(w.deletePlan());
  w.ok(w.createPlan({ amount: 999_000_000n, periodHours: 720n, endTs: 0n }));
}

/** Creates M's second plan, to which A subscribes too. */
function subscribeToSecond(w: World, amount: bigint): Address {
  w.ok(w.createPlan({ planId: 2n, amount }));
  w.ok(w.subscribe({ planId: 2n }));
  return w.subscription(w.plan(2n));
}

/** The scenarios of pulling. */
export const pullScenarios = [
  scenario('#49 M pulls 10,000,000', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.pull(10_000_000n));
    expect(w.tokens(M)).toBe(10_000_000n);
    expect(w.tokens(A)).toBe(90_000_000n);
    expect(w.subscriptionState()).toMatchObject({ pulled: 10_000_000n, start: START.now });
  }),

  // program#roles-and-permissions
  scenario("#50 a listed puller pulls to M's account, an unlisted signer is refused with 130", (fixtures) => {
    const w = fixtures.subscribed({ pullers: [PULLER] });
    w.fails(130, w.pull(10_000_000n, { caller: STRANGER }));
    w.ok(w.pull(10_000_000n, { caller: PULLER }));
    expect(w.tokens(M)).toBe(10_000_000n);
  }),

  scenario('#51 20,000,000 twice is fine, a third time within the period is refused with 400', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.pull(20_000_000n));
    w.ok(w.pull(20_000_000n));
    expect(w.subscriptionState().pulled).toBe(40_000_000n);
    w.fails(400, w.pull(20_000_000n));
    expect(w.tokens(M)).toBe(40_000_000n);
  }),

  scenario('#52 60,000,000 at once is refused with 400 and nothing moves', (fixtures) => {
    const w = fixtures.subscribed();
    w.fails(400, w.pull(60_000_000n));
    expect([w.tokens(A), w.tokens(M), w.subscriptionState().pulled]).toEqual([100_000_000n, 0n, 0n]);
  }),

  // program#period-arithmetic
  scenario('#53 the price is pulled, and in the next period 30,000,000', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.pull(PRICE));
    w.advance(HOUR);
    w.ok(w.pull(30_000_000n));
    expect(w.tokens(M)).toBe(80_000_000n);
    expect(w.subscriptionState()).toMatchObject({ pulled: 30_000_000n, start: START.now + 3600n });
  }),

  // program#period-arithmetic
  scenario(
    '#54 after three hours only one more price can be pulled, because missed periods are lost',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.pull(PRICE));
      w.advance(3n * HOUR);
      w.ok(w.pull(PRICE));
      expect(w.subscriptionState().start).toBe(START.now + 10_800n);
      w.fails(400, w.pull(1n));
    },
  ),

  // program#plan-end-and-sunset
  scenario('#55 a plan that ended on day 2 is refused with 501 on day 3', (fixtures) => {
    const w = fixtures.subscribed({ endTs: START.now + 2n * DAY });
    w.advance(2n * DAY);
    w.ok(w.pull(1n));
    w.advance(DAY);
    w.fails(501, w.pull(PRICE));
  }),

  scenario('#56 an amount of 0 is refused with 129', (fixtures) => {
    const w = fixtures.subscribed();
    w.fails(129, w.pull(0n));
  }),

  // program#source-and-receiver-accounts, program#roles-and-permissions
  scenario(
    '#57 only accounts of a listed destination receive (else 506); with none listed, any account does',
    (fixtures) => {
      const listed = fixtures.subscribed({ destinations: [B] });
      listed.giveTokens(B, 0n);
      setTokenAccount(listed.chain, {
        address: NOT_CANONICAL,
        mint: MINT,
        owner: B,
        amount: 0n,
        kind: SPL,
        isFrozen: false,
      });
      listed.fails(506, listed.pull(1n));
      listed.ok(listed.pull(1n, { receiver: listed.tokenAccount(B) }));
      listed.ok(listed.pull(2n, { receiver: NOT_CANONICAL }));
      expect(listed.tokenState(NOT_CANONICAL).amount).toBe(2n);

      const open = fixtures.subscribed();
      open.giveTokens(STRANGER, 0n);
      open.ok(open.pull(1n, { receiver: open.tokenAccount(STRANGER) }));
      expect(open.tokens(STRANGER)).toBe(1n);
    },
  ),

  scenario(
    '#58 a pull under another plan is refused with 505 when the terms are equal, else with 519',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(505, w.pull(1n, { subscription: subscribeToSecond(w, PRICE) }));
      const other = fixtures.subscribed();
      other.fails(519, other.pull(1n, { subscription: subscribeToSecond(other, PRICE + 1n) }));
    },
  ),

  // program#plan-end-and-sunset
  scenario('#59 a sunset plan is pulled until its end', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.updatePlan({ status: 0 }));
    w.ok(w.pull(PRICE));
    w.advance(w.planState().endTs - w.now);
    w.ok(w.pull(1n));
  }),

  scenario('#60 under a deleted plan a pull is refused with 516, also when cancelled', (fixtures) => {
    const w = fixtures.subscribed();
    w.advance(31n * DAY);
    w.ok(w.deletePlan());
    w.fails(516, w.pull(PRICE));
    w.ok(w.cancel());
    w.fails(516, w.pull(PRICE));
  }),

  // program#address-reuse-and-incarnations
  scenario('#61 under a plan created again at the same address a pull is refused with 519', (fixtures) => {
    const w = fixtures.subscribed();
    replacePlan(w);
    w.fails(519, w.pull(PRICE));
  }),

  scenario(
    '#62 a cancelled subscription is pulled in the same period, and refused with 508 an hour later',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.cancel());
      w.ok(w.pull(10_000_000n));
      w.advance(HOUR);
      w.fails(508, w.pull(10_000_000n));
    },
  ),

  // program#account-kinds-and-versions
  scenario('#63 a subscription of version 0 is refused with 134, of version 2 with 133', (fixtures) => {
    const w = fixtures.subscribed();
    w.patch(w.subscription(), 1, bytes(0));
    w.fails(134, w.pull(1n));
    w.patch(w.subscription(), 1, bytes(2));
    w.fails(133, w.pull(1n));
  }),

  scenario('#64 with the authority closed a pull is refused with 103', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.closeAuthority());
    w.fails(103, w.pull(1n));
  }),

  // program#authority-generations
  scenario(
    '#65 with the authority closed and created again 2 s later a pull is refused with 136',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.closeAuthority());
      w.advance(2n);
      w.ok(w.init());
      w.fails(136, w.pull(1n));
      expect([w.tokens(A), w.tokens(M)]).toEqual([100_000_000n, 0n]);
    },
  ),

  // program#roles-and-permissions
  scenario('#66 a puller removed after sunset is refused with 130', (fixtures) => {
    const w = fixtures.subscribed({ pullers: [PULLER] });
    w.ok(w.updatePlan({ status: 0 }));
    w.ok(w.pull(1n, { caller: PULLER }));
    w.ok(w.updatePlan({ pullers: [] }));
    w.fails(130, w.pull(1n, { caller: PULLER }));
  }),

  scenario(
    '#67 subscription, source or receiver read-only is refused with 131, a caller without signature with 100',
    (fixtures) => {
      const w = fixtures.subscribed();
      for (const place of [0, 3, 4]) w.fails(131, withFlags(w.pull(1n), place, { isWritable: false }));
      w.fails(100, withFlags(w.pull(1n), 5, { isSigner: false }));
    },
  ),

  // program#transfer-subscription
  scenario(
    'a pull with another mint in the payload or as account is refused with 125, with an authority of another mint with 126',
    (fixtures) => {
      const w = fixtures.subscribed();
      setMint(w.chain, { address: OTHER_MINT, authority: M, kind: SPL, isInitialized: true });
      w.setAssociated(A, { amount: 1n, mint: OTHER_MINT });
      w.setAssociated(M, { amount: 0n, mint: OTHER_MINT });
      w.ok(w.init({ mint: OTHER_MINT }));
      w.fails(125, w.pull(1n, { mint: OTHER_MINT }));
      w.fails(125, w.pull(1n, { mintAccount: OTHER_MINT }));
      w.fails(126, w.pull(1n, { authority: w.authority(A, OTHER_MINT) }));
      w.fails(125, w.pull(1n, { source: w.tokenAccount(A, OTHER_MINT) }));
      w.setAssociated(M, { amount: 0n, mint: OTHER_MINT });
      w.fails(125, w.pull(1n, { receiver: w.tokenAccount(M, OTHER_MINT) }));
    },
  ),

  // program#transfer-subscription
  scenario(
    'a delegator other than the subscriber is refused with 130, and so is a source reassigned to another wallet',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(
        130,
        w.pull(1n, {
          delegator: B,
          subscription: w.subscription(),
          authority: w.authority(),
          source: w.tokenAccount(A),
        }),
      );
      w.patch(w.tokenAccount(A), 32, w.data(w.plan()).subarray(1, 33));
      w.fails(130, w.pull(1n));
    },
  ),

  // program#transfer-subscription
  scenario('before the recorded period begins a pull is refused with 407', (fixtures) => {
    const w = fixtures.subscribed();
    w.advance(-1n);
    w.fails(407, w.pull(1n));
  }),

  // program#error-precedence-of-a-charge
  scenario(
    'an already paid period reports 400 even when the generation is stale and the approval is gone',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.pull(PRICE));
      w.ok(w.closeAuthority());
      w.advance(2n);
      w.ok(w.init());
      disapprove(w.chain, w.tokenAccount(A));
      w.fails(400, w.pull(1n));
    },
  ),

  // program#events
  scenario('the event of a pull has a period that ends with the plan', (fixtures) => {
    const w = fixtures.subscribed({ endTs: START.now + HOUR + 60n });
    w.advance(HOUR);
    const [event] = w.events(w.ok(w.pull(PRICE)));
    const times = new DataView(Uint8Array.from(event?.payload.subarray(128, 160) ?? []).buffer);
    expect([0, 8, 16, 24].map((at) => times.getBigUint64(at, true))).toEqual([
      PRICE,
      START.now + HOUR,
      START.now + HOUR + 60n,
      PRICE,
    ]);
    expect(event?.payload).toHaveLength(256);
  }),
];
