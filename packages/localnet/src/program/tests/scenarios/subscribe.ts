import { expect } from 'vitest';
import { UNKNOWN_INIT_ID, bytes, i64, key, u64, withAccount, withFlags } from '../instruction-builders.js';
import { START } from '../test-chain.js';
import { SPL, setMint } from '../token-setup.js';
import {
  A,
  B,
  DAY,
  M,
  MINT,
  OTHER_MINT,
  PRICE,
  PULLER,
  SOL,
  SPONSOR,
  SUBSCRIPTION_RENT,
  scenario,
  type World,
} from '../fixtures.js';

const sentinel = { expectedInitId: UNKNOWN_INIT_ID };

/** Creates a second mint, and A's account of it. */
function addOtherMint(w: World): void {
  setMint(w.chain, { address: OTHER_MINT, authority: M, kind: SPL, isInitialized: true });
  w.setAssociated(A, { amount: 1n, mint: OTHER_MINT });
}

/** The scenarios of subscribing. */
export const subscribeScenarios = [
  // program#subscribe, program#subscription-layout
  scenario(
    '#35 subscribe stores the terms, now as the start, and the generation of the authority in 155 bytes',
    (fixtures) => {
      const w = fixtures.planned();
      w.advance(600n);
      const { initId } = w.authorityState();
      const { createdAt } = w.planState();
      const before = w.lamports(A);
      const processed = w.ok(w.subscribe());
      expect(w.subscriptionState()).toEqual({
        size: 155,
        discriminator: 4,
        version: 1,
        bump: 255,
        delegator: A,
        delegatee: w.plan(),
        payer: A,
        initId,
        amount: PRICE,
        periodHours: 1n,
        createdAt,
        pulled: 0n,
        start: w.now,
        expiresAt: 0n,
      });
      expect(initId).toBe(w.slot - 1200n);
      expect(w.lamports(w.subscription())).toBe(SUBSCRIPTION_RENT);
      expect(w.lamports(A)).toBe(before - SUBSCRIPTION_RENT);
      expect(w.events(processed)).toEqual([
        { kind: 0, payload: bytes(key(w.plan()), key(A), key(MINT), i64(w.now), key(A)) },
      ]);
    },
  ),

  // program#subscribe, program#close-and-subscribe-again
  scenario(
    '#36 subscribing again is refused with 517, whatever the state of the subscription',
    (fixtures) => {
      const w = fixtures.subscribed();
      w.fails(517, w.subscribe());
      w.ok(w.cancel());
      w.fails(517, w.subscribe());
      w.advance(DAY);
      w.fails(517, w.subscribe());
    },
  ),

  // program#plan-end-and-sunset
  scenario('#37 a sunset plan takes no subscriber (500), nor does an ended one (501)', (fixtures) => {
    const w = fixtures.planned();
    w.ok(w.updatePlan({ status: 0 }));
    w.fails(500, w.subscribe());

    const ended = fixtures.planned({ endTs: START.now + 2n * DAY });
    ended.advance(3n * DAY);
    ended.fails(501, ended.subscribe());
    const ending = fixtures.planned({ endTs: START.now + 2n * DAY });
    ending.advance(2n * DAY);
    ending.ok(ending.subscribe());
  }),

  scenario('#38 the authority of another mint is refused with 125, a missing one with 103', (fixtures) => {
    const w = fixtures.planned();
    addOtherMint(w);
    w.ok(w.init({ mint: OTHER_MINT }));
    w.fails(125, w.subscribe({ authority: w.authority(A, OTHER_MINT) }));
    w.fails(103, w.subscribe({ subscriber: B }));
    w.fails(111, w.subscribe({ authority: w.plan() }));
  }),

  scenario("#39 B subscribing with A's authority is refused with 130", (fixtures) => {
    const w = fixtures.planned();
    w.fails(130, w.subscribe({ subscriber: B, authority: w.authority(A) }));
  }),

  // program#subscribe
  scenario(
    "another wallet's authority of another mint is refused with 130, because the wallet is checked before the mint",
    (fixtures) => {
      const w = fixtures.planned();
      addOtherMint(w);
      w.ok(w.init({ mint: OTHER_MINT }));
      w.fails(130, w.subscribe({ subscriber: B, authority: w.authority(A, OTHER_MINT) }));
    },
  ),

  scenario('#40 other terms than the live ones are refused with 519', (fixtures) => {
    const w = fixtures.planned();
    const { createdAt } = w.planState();
    w.fails(519, w.subscribe({ expectedAmount: PRICE + 1n }));
    w.fails(519, w.subscribe({ expectedPeriodHours: 2n }));
    w.fails(519, w.subscribe({ expectedMint: OTHER_MINT }));
    w.fails(519, w.subscribe({ expectedCreatedAt: createdAt - 1n }));
  }),

  // program#authority-generations
  scenario(
    '#41 an authority that was closed and created again a second later has another generation: refused with 136',
    (fixtures) => {
      const w = fixtures.planned();
      const { initId } = w.authorityState();
      w.ok(w.closeAuthority());
      w.advance(1n);
      w.ok(w.init());
      w.fails(136, w.subscribe({ expectedInitId: initId }));
      w.ok(w.subscribe());
    },
  ),

  scenario('#42 a sponsor as the ninth account pays the rent and A pays nothing', (fixtures) => {
    const w = fixtures.planned();
    const before = w.lamports(A);
    w.fails(100, withFlags(w.subscribe({ payer: SPONSOR }), 8, { isSigner: false }));
    w.fails(131, withFlags(w.subscribe({ payer: SPONSOR }), 8, { isWritable: false }));
    const processed = w.ok(w.subscribe({ payer: SPONSOR }));
    expect(w.subscriptionState().payer).toBe(SPONSOR);
    expect(w.lamports(A)).toBe(before);
    expect(w.lamports(SPONSOR)).toBe(10n * SOL - SUBSCRIPTION_RENT);
    expect(w.events(processed)[0]?.payload.subarray(104)).toEqual(key(SPONSOR));
  }),

  // program#authority-generations
  scenario(
    '#43 a wallet without an authority runs init and subscribe with the sentinel in one transaction',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.createPlan());
      w.advance(5n);
      w.ok(w.init(), w.subscribe(sentinel));
      expect(w.subscriptionState().initId).toBe(w.slot);
      expect(w.authorityState().initId).toBe(w.slot);
    },
  ),

  // program#authority-generations
  scenario(
    '#44 the sentinel with an authority of an earlier slot is refused with 136, also after init',
    (fixtures) => {
      const w = fixtures.planned();
      w.advance(1n);
      w.fails(136, w.subscribe(sentinel));
      w.failsAt(1, 136, w.init(), w.subscribe(sentinel));
    },
  ),

  // program#authority-generations
  scenario(
    '#45 [subscribe with the sentinel, init] with an old authority fails with 136 at index 0',
    (fixtures) => {
      const w = fixtures.planned();
      w.advance(1n);
      w.failsAt(0, 136, w.subscribe(sentinel), w.init());
    },
  ),

  // program#authority-generations
  scenario(
    '#46 [init of another mint, subscribe with the sentinel] with an old authority fails with 136 at index 1',
    (fixtures) => {
      const w = fixtures.planned();
      addOtherMint(w);
      w.advance(1n);
      w.failsAt(1, 136, w.init({ mint: OTHER_MINT }), w.subscribe(sentinel));
      expect(w.exists(w.authority(A, OTHER_MINT))).toBe(false);
    },
  ),

  // program#token-and-system-error-codes
  scenario(
    "#47 a wallet short of lamports for the rent fails with the system program's Custom 1",
    (fixtures) => {
      const w = fixtures.planned();
      w.setLamports(A, SUBSCRIPTION_RENT - 1n);
      const processed = w.fails(1, w.subscribe());
      expect(processed.logs).toContain(
        'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
      );
    },
  ),

  // program#events, program#first-payment-transaction, program#invoked-token-instructions
  scenario(
    '#48 a wallet without an authority runs init, subscribe and the first pull in one transaction, with both events',
    (fixtures) => {
      const w = fixtures.bare();
      w.ok(w.createPlan({ pullers: [PULLER] }));
      const processed = w.ok(w.init(), w.subscribe(sentinel), w.pull(PRICE, { caller: PULLER }));
      expect(w.subscriptionState()).toMatchObject({ pulled: PRICE, start: w.now });
      expect(w.tokens(M)).toBe(PRICE);
      expect(w.tokens(A)).toBe(100_000_000n - PRICE);
      const transfer = bytes(
        ...[w.subscription(), w.plan(), A, MINT].map(key),
        ...[PRICE, w.now, w.now + 3600n, PRICE].map(u64),
        ...[M, w.tokenAccount(M), PULLER].map(key),
      );
      expect(w.events(processed).map(({ kind }) => kind)).toEqual([0, 2]);
      expect(w.events(processed)[1]?.payload).toEqual(transfer);
      const programs = (index: number) =>
        processed.innerInstructions.get(index)?.map(({ programAddress }) => programAddress.slice(0, 5));
      expect(programs(0)).toEqual(['11111', 'Token']);
      expect(programs(1)).toEqual(['11111', 'De1eg']);
      expect(programs(2)).toEqual(['Token', 'De1eg']);
    },
  ),

  // program#subscribe
  scenario(
    'subscribe with a wrong flag or address is refused with 100, 131, InvalidAccountOwner, 104, 502, 503',
    (fixtures) => {
      const w = fixtures.planned();
      const subscribe = w.subscribe();
      w.fails(100, withFlags(subscribe, 0, { isSigner: false }));
      w.fails(131, withFlags(subscribe, 0, { isWritable: false }));
      w.fails('InvalidAccountOwner', withAccount(subscribe, 2, w.plan(2n)));
      w.fails(131, withFlags(subscribe, 3, { isWritable: false }));
      w.fails(104, withAccount(subscribe, 5, MINT));
      w.fails(502, w.subscribe({ planId: 2n, plan: w.plan() }));
      w.fails(502, w.subscribe({ planBump: 255 }));
      w.fails(502, withAccount(subscribe, 1, B));
      w.fails(503, w.subscribe({ subscription: w.subscription(w.plan(2n)) }));
    },
  ),

  // program#subscribe
  scenario('subscribe to a plan with an unknown status byte is refused with 111', (fixtures) => {
    const w = fixtures.planned();
    w.patch(w.plan(), 34, bytes(2));
    w.fails(111, w.subscribe());
  }),

  // program#account-creation-and-closing
  scenario('subscribing at an address that holds lamports counts them towards the rent', (fixtures) => {
    const w = fixtures.planned();
    w.setLamports(w.subscription(), 1_000_000n);
    const before = w.lamports(A);
    w.ok(w.subscribe());
    expect(w.lamports(w.subscription())).toBe(SUBSCRIPTION_RENT);
    expect(w.lamports(A)).toBe(before - SUBSCRIPTION_RENT + 1_000_000n);
  }),
];
