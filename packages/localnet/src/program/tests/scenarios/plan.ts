import { expect } from 'vitest';
import { EVENT_AUTHORITY, bytes, fourKeys, i64, key } from '../instruction-builders.js';
import { SPL, setMint } from '../token-setup.js';
import { NON_TRANSFERABLE, PAUSED, WITH_ACTIVE_HOOK } from '../mint-kinds.js';
import {
  A,
  B,
  DAY,
  HOUR,
  M,
  MINT,
  OTHER_MINT,
  PRICE,
  PULLER,
  SOL,
  SPONSOR,
  STRANGER,
  scenario,
} from '../fixtures.js';

const PLAN_RENT = 3_144_520n;

export const planScenarios = [
  scenario(
    '#18 create_plan refuses a period of 0 or 8761 hours with 402, an amount of 0 with 129',
    (fixtures) => {
      const w = fixtures.bare();
      w.fails(402, w.createPlan({ periodHours: 0n }));
      w.fails(402, w.createPlan({ periodHours: 8761n, endTs: 0n }));
      w.fails(129, w.createPlan({ amount: 0n }));
      w.ok(w.createPlan({ periodHours: 8760n, endTs: 0n, amount: 1n }));
    },
  ),

  scenario(
    '#19 create_plan refuses an end in the past or one second short of a period with 511',
    (fixtures) => {
      const w = fixtures.bare();
      w.fails(511, w.createPlan({ endTs: 1000n }));
      w.fails(511, w.createPlan({ endTs: w.now + HOUR - 1n }));
      w.ok(w.createPlan({ endTs: w.now + HOUR }));
      expect(w.planState().endTs).toBe(w.now + HOUR);
    },
  ),

  scenario(
    '#20 create_plan refuses a wrong address with 502, a mint other than the payload says 125, an uninitialised one 109',
    (fixtures) => {
      const w = fixtures.bare();
      w.fails(502, w.createPlan({ plan: w.plan(2n) }));
      w.fails(125, w.createPlan({ mint: OTHER_MINT, mintAccount: MINT }));
      setMint(w.chain, { address: MINT, authority: M, kind: SPL, isInitialized: false });
      w.fails(109, w.createPlan());
    },
  ),

  scenario('#21 create_plan refuses an id that the owner has used already with 518', (fixtures) => {
    const w = fixtures.planned();
    w.fails(518, w.createPlan());
  }),

  scenario('#22 create at an address that holds lamports works', (fixtures) => {
    const w = fixtures.bare();
    w.setLamports(w.plan(), 1n);
    w.ok(w.createPlan());
    expect(w.lamports(w.plan())).toBe(PLAN_RENT);
    expect(w.lamports(M)).toBe(10n * SOL - PLAN_RENT + 1n);
  }),

  // program#create-plan, program#plan-layout
  scenario('#23 create stores the whole plan, created now whatever the payload says', (fixtures) => {
    const w = fixtures.bare();
    const endTs = w.now + 30n * DAY;
    w.ok(w.createPlan({ createdAt: 12_345n, destinations: [M, B], pullers: [PULLER] }));
    expect(w.planState()).toEqual({
      size: 491,
      discriminator: 1,
      owner: M,
      bump: 254,
      status: 1,
      planId: 1n,
      mint: MINT,
      amount: PRICE,
      periodHours: 1n,
      createdAt: w.now,
      endTs,
      destinations: [M, B],
      pullers: [PULLER],
      uri: 'https://example.com/plan',
    });
    expect(w.lamports(w.plan())).toBe(PLAN_RENT);
  }),

  scenario('#24 create with a sponsor: the sponsor pays and the owner is still M', (fixtures) => {
    const w = fixtures.bare();
    w.ok(w.createPlan({ payer: SPONSOR }));
    expect(w.planState().owner).toBe(M);
    expect(w.lamports(M)).toBe(10n * SOL);
    expect(w.lamports(SPONSOR)).toBe(10n * SOL - PLAN_RENT);
  }),

  scenario(
    '#25 update by another key than the owner is refused with 504, a status byte of 99 with 512, an end in the past 511',
    (fixtures) => {
      const w = fixtures.planned();
      w.fails(504, w.updatePlan({ owner: STRANGER }));
      w.fails(512, w.updatePlan({ status: 99 }));
      w.fails(511, w.updatePlan({ endTs: 1000n }));
    },
  ),

  scenario(
    '#26 an end cannot be removed or moved later (520); it can stay, or move earlier if it is still a period ahead',
    (fixtures) => {
      const w = fixtures.planned();
      const { endTs } = w.planState();
      w.fails(520, w.updatePlan({ endTs: 0n }));
      w.fails(520, w.updatePlan({ endTs: endTs + 1n }));
      w.fails(511, w.updatePlan({ endTs: w.now + HOUR - 1n }));
      w.ok(w.updatePlan({ endTs: w.now + HOUR }));
      expect(w.planState().endTs).toBe(w.now + HOUR);
      w.ok(w.updatePlan({ endTs: w.now + HOUR }));
    },
  ),

  scenario('#27 an open-ended plan can be given an end a period ahead', (fixtures) => {
    const w = fixtures.planned({ endTs: 0n });
    w.fails(511, w.updatePlan({ endTs: w.now + HOUR - 1n }));
    w.ok(w.updatePlan({ endTs: w.now + HOUR }));
    expect(w.planState().endTs).toBe(w.now + HOUR);
  }),

  scenario('#28 an open-ended plan cannot be sunset without an end (514)', (fixtures) => {
    const w = fixtures.planned({ endTs: 0n });
    w.fails(514, w.updatePlan({ status: 0, endTs: 0n }));
    w.ok(w.updatePlan({ status: 0, endTs: w.now + HOUR }));
    expect(w.planState()).toMatchObject({ status: 0, endTs: w.now + HOUR });
  }),

  // program#update-plan, program#plan-end-and-sunset
  scenario('#29 of a sunset plan only pullers can be removed, all else is refused with 513', (fixtures) => {
    const w = fixtures.planned({ pullers: [PULLER, B] });
    w.ok(w.updatePlan({ status: 0 }));
    const { endTs } = w.planState();
    w.fails(513, w.updatePlan({ status: 1 }));
    w.fails(513, w.updatePlan({ endTs: endTs - HOUR }));
    w.fails(513, w.updatePlan({ uri: 'https://example.com/other' }));
    w.fails(513, w.updatePlan({ pullers: [PULLER, B, STRANGER] }));
    w.ok(w.updatePlan({ pullers: [B] }));
    expect(w.planState().pullers).toEqual([B]);
    w.ok(w.updatePlan({ pullers: [] }));
    expect(w.planState().pullers).toEqual([]);
  }),

  scenario(
    '#30 in its last second a plan still drops a puller or turns sunset, and its end stays (520)',
    (fixtures) => {
      const w = fixtures.planned({ pullers: [PULLER] });
      w.advance(w.planState().endTs - w.now);
      w.fails(520, w.updatePlan({ endTs: 0n }));
      w.ok(w.updatePlan({ pullers: [] }));
      w.ok(w.updatePlan({ status: 0 }));
      expect(w.planState()).toMatchObject({ status: 0, pullers: [] });
    },
  ),

  scenario(
    '#31 one second after its end an active plan cannot be updated (501), a sunset one still drops pullers',
    (fixtures) => {
      const w = fixtures.planned();
      w.advance(w.planState().endTs - w.now + 1n);
      w.fails(501, w.updatePlan());

      const sunset = fixtures.planned({ pullers: [PULLER] });
      sunset.ok(sunset.updatePlan({ status: 0 }));
      sunset.advance(sunset.planState().endTs - sunset.now + 1n);
      sunset.ok(sunset.updatePlan({ pullers: [] }));
      expect(sunset.planState().pullers).toEqual([]);
    },
  ),

  // program#update-plan, program#program-version
  scenario(
    '#32 update with any expected field stale is refused with 522, also of a sunset plan',
    (fixtures) => {
      const w = fixtures.planned({ pullers: [PULLER] });
      const { createdAt, endTs } = w.planState();
      const stale = [
        { expectedCreatedAt: createdAt - 1n },
        { expectedEndTs: endTs - 1n },
        { expectedPullers: [] },
        { expectedPullers: [B, PULLER] },
        { expectedUri: '' },
      ];
      for (const expected of stale) w.fails(522, w.updatePlan({ status: 99, ...expected }));
      w.fails(504, w.updatePlan({ owner: STRANGER, expectedEndTs: 1n }));
      w.ok(w.updatePlan({ status: 0 }));
      for (const expected of stale) w.fails(522, w.updatePlan({ status: 1, ...expected }));
    },
  ),

  // program#update-plan
  scenario('update replaces status, end, pullers and URI and emits an event', (fixtures) => {
    const w = fixtures.planned();
    const endTs = w.now + DAY;
    const processed = w.ok(w.updatePlan({ endTs, pullers: [PULLER, B], uri: 'ipfs://plan' }));
    expect(w.planState()).toMatchObject({ status: 1, endTs, pullers: [PULLER, B], uri: 'ipfs://plan' });
    expect(w.events(processed)).toEqual([
      { kind: 6, payload: bytes(key(w.plan()), key(M), 1, i64(endTs), fourKeys([PULLER, B])) },
    ]);
    const inner = processed.innerInstructions.get(0);
    expect(inner).toHaveLength(1);
    expect(inner?.[0]).toMatchObject({ accounts: [EVENT_AUTHORITY], stackHeight: 2 });
  }),

  // program#delete-plan, program#plan-end-and-sunset
  scenario(
    '#33 delete by another key is refused with 504, without a past end 515; after the end the owner gets the rent',
    (fixtures) => {
      const w = fixtures.planned();
      w.fails(504, w.deletePlan({ owner: STRANGER }));
      w.fails(515, w.deletePlan());
      w.advance(w.planState().endTs - w.now);
      w.fails(515, w.deletePlan());
      w.advance(1n);
      w.ok(w.deletePlan());
      expect(w.exists(w.plan())).toBe(false);
      expect(w.lamports(M)).toBe(10n * SOL);

      const endless = fixtures.planned({ endTs: 0n });
      endless.advance(400n * DAY);
      endless.fails(515, endless.deletePlan());

      const sponsored = fixtures.planned({ payer: SPONSOR });
      sponsored.advance(31n * DAY);
      sponsored.ok(sponsored.deletePlan());
      expect(sponsored.lamports(M)).toBe(10n * SOL + PLAN_RENT);
    },
  ),

  scenario('#34 delete twice: the second fails with InvalidAccountOwner', (fixtures) => {
    const w = fixtures.planned();
    w.advance(31n * DAY);
    w.ok(w.deletePlan());
    w.fails('InvalidAccountOwner', w.deletePlan());
  }),

  // program#create-plan, program#transfer-hooks
  scenario('any kind of mint can have a plan, and A can subscribe to it', (fixtures) => {
    for (const kind of [NON_TRANSFERABLE, PAUSED, WITH_ACTIVE_HOOK]) {
      const w = fixtures.subscribed({}, kind);
      expect(w.subscriptionState().delegator).toBe(A);
    }
  }),
];
