import { expect } from 'vitest';
import { UNKNOWN_INIT_ID, bytes, withFlags } from '../instruction-builders.js';
import { START } from '../test-chain.js';
import {
  A,
  B,
  DAY,
  HOUR,
  M,
  PRICE,
  PULLER,
  SOL,
  SPONSOR,
  STRANGER,
  SUBSCRIPTION_RENT,
  scenario,
  type Fixtures,
} from '../fixtures.js';
import { replacePlan } from './pull.js';

/** A world in which a sponsor paid the subscription's rent. */
function sponsored(fixtures: Fixtures) {
  const w = fixtures.planned();
  w.ok(w.subscribe({ payer: SPONSOR }));
  return w;
}

/** The scenarios of closing subscriptions. */
export const closeScenarios = [
  // program#revoke-delegation
  scenario(
    '#99 revoke without cancellation or before the expiry is refused with 510; an hour later A gets the rent',
    (fixtures) => {
      const w = fixtures.subscribed();
      const before = w.lamports(A);
      w.fails(510, w.revoke());
      w.ok(w.cancel());
      w.fails(510, w.revoke());
      w.advance(HOUR);
      w.ok(w.revoke());
      expect(w.exists(w.subscription())).toBe(false);
      expect(w.data(w.subscription())).toHaveLength(0);
      expect(w.lamports(A)).toBe(before + SUBSCRIPTION_RENT);
    },
  ),

  scenario('#100 revoke works for version 0 and for an account with more bytes', (fixtures) => {
    const old = fixtures.subscribed();
    old.ok(old.cancelNow());
    old.patch(old.subscription(), 1, bytes(0));
    old.ok(old.revoke());

    const longer = fixtures.subscribed();
    longer.ok(longer.cancelNow());
    const state = longer.chain.read(longer.subscription());
    const data = bytes(state.data, 0, 0, 0, 0);
    longer.chain.write(longer.subscription(), { ...state, data, lamports: 2_000_000n });
    const before = longer.lamports(A);
    longer.ok(longer.revoke());
    expect(longer.lamports(A)).toBe(before + 2_000_000n);
  }),

  // program#revoke-delegation, program#roles-and-permissions
  scenario(
    '#101 a sponsor revokes once nothing can be pulled any more; before, it is refused with 130, with another plan 505',
    (fixtures) => {
      const revoke = { authority: SPONSOR };
      const active = sponsored(fixtures);
      active.ok(active.createPlan({ planId: 2n }));
      active.fails(130, active.revoke(revoke));
      active.fails(
        505,
        active.revoke({ ...revoke, plan: active.plan(2n), subscription: active.subscription() }),
      );
      active.ok(active.cancel());
      active.fails(130, active.revoke(revoke));
      active.advance(HOUR);
      active.ok(active.revoke(revoke));
      expect(active.lamports(SPONSOR)).toBe(10n * SOL);

      const ended = sponsored(fixtures);
      ended.advance(30n * DAY);
      ended.fails(130, ended.revoke(revoke));
      ended.advance(1n);
      ended.ok(ended.revoke(revoke));

      const deleted = sponsored(fixtures);
      deleted.advance(31n * DAY);
      deleted.ok(deleted.deletePlan());
      deleted.ok(deleted.revoke(revoke));

      const replaced = sponsored(fixtures);
      replacePlan(replaced);
      replaced.ok(replaced.revoke(revoke));
      expect(replaced.lamports(SPONSOR)).toBe(10n * SOL);
    },
  ),

  scenario(
    "#102 a stranger who revokes a sponsored subscription after the plan's end is refused with 130",
    (fixtures) => {
      const w = sponsored(fixtures);
      w.advance(31n * DAY);
      w.fails(130, w.revoke({ authority: STRANGER }));
      w.fails(130, w.revoke({ authority: M }));
    },
  ),

  scenario(
    '#103 when A revokes a sponsored subscription the sponsor gets the rent; without a receiver it is refused with 113',
    (fixtures) => {
      const w = sponsored(fixtures);
      w.ok(w.cancelNow());
      w.fails(113, w.revoke());
      w.fails(130, w.revoke({ receiver: B }));
      w.fails(131, withFlags(w.revoke({ receiver: SPONSOR }), 3, { isWritable: false }));
      w.ok(w.revoke({ receiver: SPONSOR }));
      expect(w.lamports(SPONSOR)).toBe(10n * SOL);
    },
  ),

  // program#close-and-subscribe-again, program#account-creation-and-closing,
  // program#address-reuse-and-incarnations
  scenario(
    '#104 after the expiry, revoke, subscribe and pull in one transaction start a new grid now',
    (fixtures) => {
      const w = fixtures.subscribed({ pullers: [PULLER] });
      w.ok(w.cancel());
      w.advance(HOUR + 1234n);
      const lamports = w.lamports(A);
      w.ok(w.revoke(), w.subscribe(), w.pull(PRICE, { caller: PULLER }));
      expect(w.subscriptionState()).toMatchObject({ start: w.now, pulled: PRICE, expiresAt: 0n });
      expect(w.lamports(A)).toBe(lamports);
    },
  ),

  // program#close-and-subscribe-again
  scenario('#105 under a deleted plan A cancels and revokes in one transaction', (fixtures) => {
    const w = fixtures.subscribed();
    w.advance(31n * DAY);
    w.ok(w.deletePlan());
    w.fails(510, w.revoke());
    w.ok(w.cancel(), w.revoke());
    expect(w.exists(w.subscription())).toBe(false);
  }),

  scenario(
    '#106 revoke_abandoned with a live authority or by another payer is refused with 130, with a wrong authority 103',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(130, w.revokeAbandoned());
      w.fails(103, w.revokeAbandoned({ authority: w.authority(B) }));
      w.fails(130, w.revokeAbandoned({ payer: B }));
    },
  ),

  // program#revoke-abandoned-subscription
  scenario(
    '#107 after the authority was closed revoke_abandoned is refused with 130 in the same slot, and later refunds the rent',
    (fixtures) => {
      const together = fixtures.bare();
      together.ok(together.createPlan());
      together.ok(together.init(), together.subscribe({ expectedInitId: UNKNOWN_INIT_ID }));
      together.ok(together.closeAuthority());
      together.fails(130, together.revokeAbandoned());
      together.advance(1n);
      const before = together.lamports(A);
      together.ok(together.revokeAbandoned());
      expect(together.exists(together.subscription())).toBe(false);
      expect(together.lamports(A)).toBe(before + SUBSCRIPTION_RENT);

      const rotated = fixtures.subscribed();
      rotated.ok(rotated.closeAuthority());
      rotated.advance(1n);
      rotated.ok(rotated.init());
      rotated.ok(rotated.revokeAbandoned());
      expect(rotated.exists(rotated.subscription())).toBe(false);
    },
  ),

  scenario('#108 revoke_abandoned under a deleted plan is refused with 516', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.closeAuthority());
    w.advance(31n * DAY);
    w.ok(w.deletePlan());
    w.fails(516, w.revokeAbandoned());
  }),

  // program#revoke-abandoned-subscription
  scenario('an authority that cannot be read is dead', (fixtures) => {
    const w = fixtures.subscribed();
    w.patch(w.authority(), 0, bytes(9));
    w.ok(w.revokeAbandoned());
  }),

  // program#close-subscription-authority, program#known-limits
  scenario(
    'an authority closed and created again in the slot of its creation has its old generation back',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.closeAuthority(), w.init());
      w.ok(w.pull(PRICE));
      expect(w.authorityState().initId).toBe(START.slot);
    },
  ),

  // program#revoke-delegation
  scenario(
    'revoke is refused with 127 without a whole header, 117 for another kind, 111 for too few bytes, 113 without a plan',
    (fixtures) => {
      const w = fixtures.subscribed();
      const at = w.subscription();
      const state = w.chain.read(at);
      w.fails(117, w.revoke({ subscription: w.plan() }));
      w.fails('InvalidAccountOwner', w.revoke({ subscription: w.tokenAccount(A) }));
      w.fails(113, { ...w.revoke(), accounts: w.revoke().accounts.slice(0, 2) });
      w.chain.write(at, { ...state, data: state.data.slice(0, 106) });
      w.fails(127, w.revoke());
      w.chain.write(at, { ...state, data: state.data.slice(0, 154) });
      w.fails(111, w.revoke());
    },
  ),
];
