import { expect } from 'vitest';
import { bytes, i64, key, withFlags } from '../instruction-builders.js';
import { START } from '../test-chain.js';
import { A, B, DAY, HOUR, M, PRICE, STRANGER, scenario } from '../fixtures.js';
import { replacePlan } from './pull.js';

/** The scenarios of cancelling, now or at the end of the period, and of resuming. */
export const cancelScenarios = [
  // program#cancel-subscription, program#cancellation-expiry
  scenario(
    '#79 cancel makes the subscription expire at the end of the period in progress, and emits an event',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.advance(600n);
      const processed = w.ok(w.cancel());
      const expiresAt = START.now + 3600n;
      expect(w.subscriptionState()).toMatchObject({ expiresAt, start: START.now, pulled: 0n });
      expect(w.events(processed)).toEqual([
        { kind: 1, payload: bytes(key(w.plan()), key(A), i64(expiresAt)) },
      ]);
    },
  ),

  scenario(
    '#80 cancel by another wallet is refused with 130, twice with 509, of version 0 with 134',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(130, w.cancel({ subscriber: B, subscription: w.subscription() }));
      w.ok(w.cancel());
      w.fails(509, w.cancel());
      w.advance(DAY);
      w.fails(509, w.cancel());

      const old = fixtures.subscribed();
      old.patch(old.subscription(), 1, bytes(0));
      old.fails(134, old.cancel());
    },
  ),

  // program#cancellation-expiry, program#address-reuse-and-incarnations
  scenario('#81 a cancellation under a plan created again at the same address expires now', (fixtures) => {
    const w = fixtures.subscribed();
    replacePlan(w);
    w.ok(w.cancel());
    expect(w.subscriptionState().expiresAt).toBe(w.now);
  }),

  // program#cancellation-expiry
  scenario(
    '#82 a subscription to a plan of 90 minutes, cancelled at minute 65, expires one second after the end',
    (fixtures) => {
      const endTs = START.now + 90n * 60n;
      const w = fixtures.subscribed({ endTs });
      w.advance(65n * 60n);
      w.ok(w.cancel());
      expect(w.subscriptionState().expiresAt).toBe(endTs + 1n);
    },
  ),

  // program#cancellation-expiry, program#known-limits
  scenario(
    "#83 a subscription cancelled in the plan's last second expires one second later: until then it is pulled, not closed (510)",
    (fixtures) => {
      const endTs = START.now + 2n * HOUR;
      const w = fixtures.subscribed({ endTs });
      w.advance(2n * HOUR);
      w.ok(w.cancel());
      expect(w.subscriptionState().expiresAt).toBe(endTs + 1n);
      w.fails(510, w.revoke());
      w.ok(w.pull(20_000_000n));
    },
  ),

  // program#cancellation-expiry, program#plan-end-and-sunset
  scenario(
    "#84 a subscription cancelled an hour after the plan's end has expired and is closed at once",
    (fixtures) => {
      const w = fixtures.subscribed({ endTs: START.now + 2n * HOUR });
      w.advance(3n * HOUR);
      w.ok(w.cancel());
      expect(w.subscriptionState().expiresAt).toBe(START.now + 2n * HOUR + 1n);
      w.ok(w.revoke());
      expect(w.exists(w.subscription())).toBe(false);
    },
  ),

  // program#cancellation-expiry
  scenario('#85 a subscription cancelled at 2 h 10 min without any pull expires at 3 h', (fixtures) => {
    const w = fixtures.subscribed();
    w.advance(2n * HOUR + 600n);
    w.ok(w.cancel());
    expect(w.subscriptionState()).toMatchObject({
      expiresAt: START.now + 3n * HOUR,
      start: START.now,
    });
  }),

  // program#cancel-subscription-now, program#roles-and-permissions
  scenario(
    '#86 cancel_now with both signatures makes the subscription expire now: it is not pulled (508) and is closed at once',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.advance(600n);
      const authority = w.chain.read(w.authority());
      const processed = w.ok(w.cancelNow());
      expect(w.subscriptionState().expiresAt).toBe(w.now);
      expect(w.events(processed)).toEqual([{ kind: 1, payload: bytes(key(w.plan()), key(A), i64(w.now)) }]);
      w.fails(508, w.pull(1n));
      w.ok(w.revoke());
      expect(w.chain.read(w.authority())).toEqual(authority);
    },
  ),

  scenario(
    '#87 cancel_now without either signature is refused with 100, with one byte of payload with 112',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(100, withFlags(w.cancelNow(), 0, { isSigner: false }));
      w.fails(100, withFlags(w.cancelNow(), 1, { isSigner: false }));
      w.fails(112, { ...w.cancelNow(), data: bytes(17, 0) });
    },
  ),

  scenario(
    "#88 cancel_now by another subscriber is refused with 130, by another merchant 504, under M's other plan 505",
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.createPlan({ planId: 2n }));
      const subscription = w.subscription();
      w.fails(130, w.cancelNow({ subscriber: B, subscription }));
      w.fails(504, w.cancelNow({ merchant: STRANGER }));
      w.fails(505, w.cancelNow({ plan: w.plan(2n), subscription }));
    },
  ),

  scenario(
    '#89 cancel_now brings a pending cancellation forward; an effective one is refused with 509',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.cancel());
      w.advance(600n);
      w.ok(w.cancelNow());
      expect(w.subscriptionState().expiresAt).toBe(w.now);
      w.fails(509, w.cancelNow());
    },
  ),

  // program#address-reuse-and-incarnations
  scenario(
    '#90 cancel_now signed for an earlier incarnation of the subscription is refused with 521',
    (fixtures) => {
      const w = fixtures.subscribed();
      const signed = w.cancelNow();
      w.ok(w.cancel());
      w.advance(2n * HOUR);
      w.ok(w.revoke(), w.subscribe());
      w.fails(521, signed);
      expect(w.subscriptionState().expiresAt).toBe(0n);
    },
  ),

  scenario('#91 cancel_now of one of two subscriptions leaves the other to be pulled', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.createPlan({ merchant: B }));
    w.ok(w.subscribe({ merchant: B }));
    const plan = w.plan(1n, B);
    w.ok(w.cancelNow());
    w.ok(w.pull(PRICE, { plan, caller: B }));
    expect(w.tokens(M)).toBe(PRICE);
  }),

  // program#resume-subscription
  scenario('#92 resume reverses a cancellation; period and amount pulled are as before', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.pull(10_000_000n));
    const before = w.subscriptionState();
    w.advance(600n);
    w.ok(w.cancel());
    const processed = w.ok(w.resume());
    expect(w.subscriptionState()).toEqual(before);
    expect(w.events(processed)).toEqual([{ kind: 5, payload: bytes(key(w.plan()), key(A), i64(w.now)) }]);
  }),

  scenario(
    "#93 resume without a cancellation is refused with 510, by another wallet with A's authority 130, with another plan 505",
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.createPlan({ planId: 2n }));
      w.fails(510, w.resume());
      w.ok(w.cancel());
      const subscription = w.subscription();
      w.fails(130, w.resume({ subscriber: B, subscription, authority: w.authority() }));
      w.fails(505, w.resume({ plan: w.plan(2n), subscription }));
    },
  ),

  scenario('#94 exactly at the expiry neither a pull nor a resume passes: 508', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.cancel());
    w.advance(HOUR - 1n);
    w.ok(w.pull(1n));
    w.advance(1n);
    w.fails(508, w.pull(1n));
    w.fails(508, w.resume());
  }),

  // program#resume-subscription
  scenario(
    "#95 resume one second after the plan's end is refused with 501, after its deletion with 516",
    (fixtures) => {
      const w = fixtures.subscribed({ endTs: START.now + HOUR });
      w.ok(w.cancel());
      w.advance(HOUR + 1n);
      w.fails(501, w.resume());
      w.ok(w.deletePlan());
      w.fails(516, w.resume());
    },
  ),

  scenario('#96 a subscription to a plan that turned sunset is resumed', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.cancel());
    w.ok(w.updatePlan({ status: 0 }));
    w.ok(w.resume());
    expect(w.subscriptionState().expiresAt).toBe(0n);
  }),

  scenario('#97 a resume with the expiry of an earlier cancellation is refused with 521', (fixtures) => {
    const w = fixtures.subscribed();
    w.ok(w.cancel());
    const first = w.subscriptionState().expiresAt;
    w.ok(w.resume());
    w.advance(2n * HOUR);
    w.ok(w.cancel());
    w.fails(521, w.resume({ expectedExpiresAt: first }));
    expect(w.subscriptionState().expiresAt).toBeGreaterThan(first);
  }),

  // program#authority-generations
  scenario(
    '#98 resume with the authority created again is refused with 136, with it closed with 103',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.ok(w.cancel());
      w.ok(w.closeAuthority());
      w.fails(103, w.resume());
      w.advance(1n);
      w.ok(w.init());
      w.fails(136, w.resume());
    },
  ),

  // program#resume-subscription, program#address-reuse-and-incarnations
  scenario('resume under a plan created again at the same address is refused with 519', (fixtures) => {
    const w = fixtures.subscribed();
    w.advance(w.planState().endTs - w.now);
    w.ok(w.cancel());
    w.advance(1n);
    w.ok(w.deletePlan());
    w.ok(w.createPlan({ endTs: 0n }));
    w.fails(519, w.resume());
  }),

  // program#account-loading-errors
  scenario(
    'a longer subscription is cancelled, cancelled now and resumed with its last bytes kept, and not pulled (111)',
    (fixtures) => {
      const w = fixtures.subscribed();
      const at = w.subscription();
      const state = w.chain.read(at);
      const data = bytes(state.data, 1, 2, 3);
      w.chain.write(at, { ...state, data, lamports: w.chain.rent(data.length) });
      w.ok(w.cancel());
      w.ok(w.resume());
      w.ok(w.cancelNow());
      expect(w.data(at).subarray(155)).toEqual(bytes(1, 2, 3));
      w.fails(111, w.pull(1n));
    },
  ),

  // program#cancel-subscription
  scenario(
    'cancel without signature is refused with 100, of a read-only account 131, of a missing one InvalidAccountOwner',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(100, withFlags(w.cancel(), 0, { isSigner: false }));
      w.fails(131, withFlags(w.cancel(), 2, { isWritable: false }));
      w.fails('InvalidAccountOwner', w.cancel({ subscription: w.subscription(w.plan(2n)) }));
      w.fails(117, w.cancel({ subscription: w.plan() }));
      w.fails(505, w.cancel({ plan: w.plan(2n), subscription: w.subscription() }));
    },
  ),
];
