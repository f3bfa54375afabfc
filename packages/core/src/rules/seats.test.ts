import { describe, expect, it } from 'vitest';

import type { Subscription } from '../records/index.js';
import { MADE_AT, aSubscription } from '../testing/records.js';
import { plus } from './billing-periods.js';
import { seatChanges, takesSeat } from './seats.js';

const NOW = plus(MADE_AT, 1_000_000);
const at = (ms: number) => plus(MADE_AT, ms);

/** A subscription of a wallet, confirmed at a time, and parked at another if one is given. */
function of(wallet: string, confirmed: number, parked: number | null = null): Subscription {
  return aSubscription({
    wallet,
    confirmedAt: at(confirmed),
    pausedAt: parked === null ? null : at(parked),
  });
}

function cancelled(subscription: Subscription, expiresAt: Date): Subscription {
  const cancellation = { confirmedAt: MADE_AT, expiresAt, behind: false };
  return { ...subscription, status: 'cancelled', cancellation };
}

/** The decision in wallets: each one as often as subscriptions of it change. */
function changes(running: readonly Subscription[], limit: number | null) {
  const { park, unpark } = seatChanges(running, limit, NOW);
  const wallets = (seats: typeof park) => seats.flat().map(({ wallet }) => wallet);
  return { park: wallets(park), unpark: wallets(unpark) };
}

// seats-and-tiers#what-a-seat-is
describe('a seat', () => {
  it.each([
    ['active', true],
    ['unpaid', true],
    ['pending', false],
    ['stopped', false],
    ['ended', false],
    ['failed', false],
    ['expired', false],
    ['superseded', false],
  ] as const)('of a subscription that is %s: %s', (status, takes) => {
    expect(takesSeat(aSubscription({ status }), NOW)).toBe(takes);
  });

  it('is kept by a cancelled subscription until its expiry', () => {
    const subscription = aSubscription();
    expect(takesSeat(cancelled(subscription, plus(NOW, 1)), NOW)).toBe(true);
    expect(takesSeat(cancelled(subscription, NOW), NOW)).toBe(false);
  });
});

describe('over the limit', () => {
  // seats-and-tiers#parking-order
  it.each([
    ['without a limit', null, []],
    ['exactly at the limit', 3, []],
    ['one over', 2, ['c']],
    ['two over', 1, ['c', 'b']],
    ['with no seat at all', 0, ['c', 'b', 'a']],
  ] as const)('the wallets confirmed last are parked: %s', (_, limit, park) => {
    expect(changes([of('b', 2), of('c', 3), of('a', 1)], limit)).toEqual({ park, unpark: [] });
  });

  // seats-and-tiers#parking-order
  it('a wallet is parked with all its subscriptions, in the place of its earliest one', () => {
    const running = [of('a', 1), of('b', 2), of('a', 9), of('c', 3), of('c', 4)];
    expect(changes(running, 2)).toEqual({ park: ['c', 'c'], unpark: [] });
    expect(changes(running, 1)).toEqual({ park: ['c', 'c', 'b'], unpark: [] });
  });

  it('an expired cancellation counts for nothing', () => {
    const expired = cancelled(of('a', 1), NOW);
    expect(changes([expired, of('b', 2)], 1)).toEqual({ park: [], unpark: [] });
  });

  // seats-and-tiers#last-seat-among-open-checkouts
  it('a parked wallet that lands another checkout is parked again, before a wallet with a seat', () => {
    const running = [of('parked', 1, 50), of('holder', 2), of('parked', 60)];
    expect(changes(running, 1)).toEqual({ park: ['parked'], unpark: [] });
  });
});

describe('with room', () => {
  // seats-and-tiers#unparking-order
  it.each([
    ['none', 1, []],
    ['one', 2, ['c']],
    ['two', 3, ['c', 'b']],
    ['no limit', null, ['c', 'b', 'd']],
  ] as const)('the wallet parked longest returns first: %s', (_, limit, unpark) => {
    const running = [of('a', 1), of('b', 2, 60), of('c', 3, 50), of('d', 4, 70)];
    expect(changes(running, limit)).toEqual({ park: [], unpark });
  });

  // seats-and-tiers#unparking-order
  it('of those parked at one moment, the wallet confirmed first returns first', () => {
    expect(changes([of('b', 2, 50), of('a', 1, 50)], 1)).toEqual({ park: [], unpark: ['a'] });
  });

  // seats-and-tiers#unparking-order
  it('a wallet returns with all its subscriptions, and those of a wallet with a seat return even without room', () => {
    expect(changes([of('a', 1, 50), of('a', 2, 51), of('b', 3, 60)], 1).unpark).toEqual(['a', 'a']);
    expect(changes([of('a', 1), of('a', 2, 51)], 1).unpark).toEqual(['a']);
  });
});

// invariants#seats-within-the-limit
it('settles in one step within the limit, and then changes nothing, whatever the records are', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let run = 0; run < 500; run++) {
    const before = Array.from({ length: random(12) }, (): Subscription => {
      const one = of(`wallet ${random(6)}`, random(20), random(2) === 0 ? random(20) : null);
      return random(4) === 0 ? cancelled(one, plus(NOW, random(3) - 1)) : one;
    });
    const limit = random(8) === 0 ? null : random(6);
    const { park, unpark } = seatChanges(before, limit, NOW);
    const parked = new Set(park.flat().map(({ id }) => id));
    const unparked = new Set(unpark.flat().map(({ id }) => id));
    const after = before.map((one) =>
      parked.has(one.id)
        ? { ...one, pausedAt: NOW }
        : unparked.has(one.id)
          ? { ...one, pausedAt: null }
          : one,
    );
    const taking = after.filter((one) => takesSeat(one, NOW));
    const seats = new Set(taking.filter(({ pausedAt }) => pausedAt === null).map(({ wallet }) => wallet));
    const wallets = new Set(taking.map(({ wallet }) => wallet));
    expect(seats.size).toBe(Math.min(wallets.size, limit ?? wallets.size));
    for (const one of taking) expect(one.pausedAt === null).toBe(seats.has(one.wallet));
    expect(seatChanges(after, limit, NOW)).toEqual({ park: [], unpark: [] });
    expect(seatChanges(before.toReversed(), limit, NOW).park.map(([{ wallet }]) => wallet)).toEqual(
      park.map(([{ wallet }]) => wallet),
    );
  }
});
