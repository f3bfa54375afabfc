import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { createLocalnet, type Localnet } from '../index.js';

const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
const START = 1_800_000_000n;

/** A chain whose time source only `moveMs` moves. */
function chainWithManualTime(): { readonly chain: Localnet; readonly moveMs: (ms: number) => void } {
  let now = 5_000;
  const chain = createLocalnet({ unixTime: START, monotonicMs: () => now });
  return { chain, moveMs: (ms) => (now += ms) };
}

function sysvar(chain: Localnet) {
  const data = Buffer.from(chain.getAccount(CLOCK)?.data ?? []);
  return {
    slot: data.readBigUInt64LE(0),
    epochStart: data.readBigInt64LE(8),
    epoch: data.readBigUInt64LE(16),
    leaderScheduleEpoch: data.readBigUInt64LE(24),
    unixTimestamp: data.readBigInt64LE(32),
  };
}

describe('a paused clock', () => {
  test("a new chain's clock is paused", () => {
    const { chain, moveMs } = chainWithManualTime();
    const { slot } = chain.clock;
    moveMs(60_000);
    expect(chain.clock.slot).toBe(slot);
    expect(chain.now()).toEqual(new Date(Number(START) * 1000));
    expect(chain.blockHeight).toBe(0n);
  });

  test('seconds move 2.5 slots each, slots move 400 ms each, and both together move independently', () => {
    const { chain } = chainWithManualTime();
    const { slot } = chain.clock;
    chain.advance({ seconds: 3600 });
    expect([chain.clock.slot - slot, chain.clock.unixTimestamp]).toEqual([9_000n, START + 3_600n]);
    chain.advance({ slots: 5 });
    expect([chain.clock.slot - slot, chain.clock.unixTimestamp]).toEqual([9_005n, START + 3_602n]);
    chain.advance({ seconds: 10, slots: 1 });
    expect([chain.clock.slot - slot, chain.clock.unixTimestamp]).toEqual([9_006n, START + 3_612n]);
  });

  test('a jump of one second moves exactly one second and begins a new slot', () => {
    const { chain } = chainWithManualTime();
    for (let second = 1n; second <= 7n; second++) {
      const { slot } = chain.clock;
      chain.advance({ seconds: 1 });
      expect(chain.clock.unixTimestamp).toBe(START + second);
      expect(chain.clock.slot).toBeGreaterThan(slot);
    }
  });

  test.each([0.5, 1, 4, 7.1])(
    'jumps of %d seconds have as many slots as one jump over the whole time',
    (seconds) => {
      const { chain } = chainWithManualTime();
      const { slot } = chain.clock;
      for (let jumps = 0; jumps < 1_000; jumps++) chain.advance({ seconds });
      expect(chain.clock.slot - slot).toBe(BigInt(Math.round(seconds * 2_500)));
    },
  );

  // program#blockhash-lifetime
  test('a jump of thirty years is one step, and earlier blockhashes have expired', () => {
    const { chain } = chainWithManualTime();
    const { blockhash } = chain.latestBlockhash();
    chain.advance({ seconds: 30 * 365 * 86_400 });
    expect(chain.blockhashIsValid(blockhash)).toBe(false);
    expect(chain.latestBlockhash().lastValidBlockHeight).toBe(chain.blockHeight + 150n);
  });

  test('refuses to go back', () => {
    const { chain } = chainWithManualTime();
    expect(() => chain.advance({ seconds: -1 })).toThrow(RangeError);
    expect(() => chain.advance({ slots: -1 })).toThrow(RangeError);
    expect(() => chain.travelTo(new Date(0))).toThrow(RangeError);
  });
});

describe('a running clock', () => {
  test('ticks a slot every 400 ms of the monotonic clock, and stops where it is paused', () => {
    const { chain, moveMs } = chainWithManualTime();
    const { slot } = chain.clock;
    chain.resumeClock();
    moveMs(399);
    expect(chain.clock.slot).toBe(slot);
    moveMs(1);
    expect(chain.clock.slot).toBe(slot + 1n);
    moveMs(1_000);
    expect(chain.now().getTime()).toBe(Number(START) * 1000 + 1_400);
    chain.pauseClock();
    moveMs(5_000);
    expect([chain.clock.slot, chain.now().getTime()]).toEqual([slot + 3n, Number(START) * 1000 + 1_400]);
    chain.resumeClock();
    moveMs(200);
    expect(chain.clock.slot).toBe(slot + 4n);
  });

  // program#chain-clock
  test('programs read the second in which their slot began, and the wall clock moves within the slot', () => {
    const { chain, moveMs } = chainWithManualTime();
    chain.resumeClock();
    moveMs(1_100);
    expect(chain.clock.unixTimestamp).toBe(START);
    moveMs(100);
    expect(chain.clock.unixTimestamp).toBe(START + 1n);
  });

  test('jumps and keeps running', () => {
    const { chain, moveMs } = chainWithManualTime();
    chain.resumeClock();
    moveMs(500);
    chain.advance({ seconds: 86_400 });
    moveMs(500);
    expect(chain.now().getTime()).toBe(Number(START) * 1000 + 86_401_000);
  });
});

describe('values that depend on the clock', () => {
  // program#chain-clock
  test('the Clock sysvar has slot, time and epoch', () => {
    const { chain } = chainWithManualTime();
    chain.advance({ seconds: 200_000 });
    expect(sysvar(chain)).toEqual({
      slot: chain.clock.slot,
      unixTimestamp: START + 200_000n,
      epoch: chain.clock.slot / 432_000n,
      leaderScheduleEpoch: chain.clock.slot / 432_000n + 1n,
      epochStart: START + 200_000n - ((chain.clock.slot % 432_000n) * 2n) / 5n,
    });
  });

  test('block times are kept across jumps', () => {
    const { chain } = chainWithManualTime();
    const { slot } = chain.clock;
    chain.advance({ seconds: 100, slots: 10 });
    chain.advance({ slots: 25 });
    expect([0n, 5n, 10n, 15n, 35n].map((later) => chain.clock.blockTime(slot + later))).toEqual([
      START,
      START + 2n,
      START + 100n,
      START + 102n,
      START + 110n,
    ]);
  });

  test('slots that were closed early have the times at which they began', () => {
    const { chain, moveMs } = chainWithManualTime();
    const { clock } = chain;
    const first = clock.slot;
    chain.resumeClock();
    for (const ms of [900, 0, 50, 0, 2_000]) {
      moveMs(ms);
      clock.closeSlot();
    }
    // Slots begin at 0, 400, 800, 900, 900, 950, 950, then every 400 ms until the last is closed at 2,950.
    const times = Array.from({ length: 14 }, (_, slot) => clock.blockTime(first + BigInt(slot)) - START);
    expect(clock.slot).toBe(first + 12n);
    expect(times).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3].map(BigInt));
  });

  test('however many slots were closed in one second, the times of earlier slots are kept', () => {
    const { chain } = chainWithManualTime();
    const { clock } = chain;
    const { slot } = clock;
    chain.advance({ seconds: 3600, slots: 1 });
    for (let closed = 0; closed < 20_000; closed++) clock.closeSlot();
    expect([0n, 1n, 10_000n, 20_001n].map((later) => clock.blockTime(slot + later) - START)).toEqual([
      0n,
      3_600n,
      3_600n,
      3_600n,
    ]);
    expect(clock.snapshot().jumps).toHaveLength(3);
  });

  test('a running clock does not fall behind when slots are closed within fractions of a millisecond', () => {
    const { chain, moveMs } = chainWithManualTime();
    chain.resumeClock();
    for (let closed = 0; closed < 1_000; closed++) {
      moveMs(0.75);
      chain.clock.closeSlot();
    }
    expect(chain.clock.unixMs).toBe(Number(START) * 1000 + 750);
  });

  // program#blockhash-lifetime
  test('block heights move with slots but differ from them', () => {
    const { chain } = chainWithManualTime();
    chain.advance({ slots: 42 });
    expect(chain.blockHeight).toBe(42n);
    expect(chain.clock.slot).not.toBe(chain.blockHeight);
  });

  test('blockhashes differ between blocks and between chains with different seeds', () => {
    const seed = new Uint8Array(32).fill(1);
    const [one, two, other] = [createLocalnet({ seed }), createLocalnet({ seed }), createLocalnet()];
    expect(one.latestBlockhash()).toEqual(two.latestBlockhash());
    expect(one.latestBlockhash().blockhash).not.toBe(other.latestBlockhash().blockhash);
    two.advance({ slots: 1 });
    expect(one.latestBlockhash().blockhash).not.toBe(two.latestBlockhash().blockhash);
  });
});
