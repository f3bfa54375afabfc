import { describe, expect, it } from 'vitest';

import type { Subscription } from '../records/index.js';
import { MADE_AT, aSubscription } from '../testing/records.js';
import { plus } from './billing-periods.js';
import { returningSeats, seatsOf, takesSeat } from './seats.js';

const NOW = plus(MADE_AT, 1_000_000);
const at = (ms: number) => plus(MADE_AT, ms);

/** A subscription of a wallet, confirmed at a time, and parked at another if one is given. */
function of(wallet: string, confirmed: number, parked: number | null = null): Subscription {
  return aSubscription({ wallet, confirmedAt: at(confirmed), pausedAt: parked === null ? null : at(parked) });
}

function cancelled(subscription: Subscription, expiresAt: Date): Subscription {
  const cancellation = { confirmedAt: MADE_AT, expiresAt, behind: false, lapse: null };
  return { ...subscription, status: 'cancelled', cancellation };
}

/** The wallets that return, each one as often as subscriptions of it do. */
function returning(subscriptions: readonly Subscription[], seats: number, limit: number | null) {
  const { unpark } = returningSeats(subscriptions, seats, limit, NOW);
  return unpark.flat().map(({ wallet }) => wallet);
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

describe('the seats of wallets', () => {
  // seats-and-tiers#parking-order
  it('are those of their subscriptions that are not parked, in the order of the wallets', () => {
    const subscriptions = [of('a', 1), of('b', 2), of('a', 9), of('b', 3, 50), of('c', 4, 50)];
    const seats = seatsOf(['c', 'b', 'a', 'd'], subscriptions, NOW);
    expect(seats.map((seat) => seat.map(({ wallet }) => wallet))).toEqual([['b'], ['a', 'a']]);
  });

  it('do not count an expired cancellation', () => {
    expect(seatsOf(['a'], [cancelled(of('a', 1), NOW)], NOW)).toEqual([]);
  });
});

describe('with room', () => {
  const waiting = [of('b', 2, 60), of('c', 3, 50), of('d', 4, 70)];

  // seats-and-tiers#unparking-order
  it.each([
    ['none', 1, [], 0],
    ['one', 2, ['c'], 0],
    ['two', 3, ['c', 'b'], 0],
    ['more than there are', 6, ['c', 'b', 'd'], 2],
    ['no limit', null, ['c', 'b', 'd'], Infinity],
  ] as const)('the wallet parked longest returns first: %s', (_, limit, wallets, free) => {
    expect(returning(waiting, 1, limit)).toEqual(wallets);
    expect(returningSeats(waiting, 1, limit, NOW).free).toBe(free);
  });

  // seats-and-tiers#unparking-order
  it('of those parked at one moment, the wallet confirmed first returns first, and then by their address', () => {
    expect(returning([of('b', 2, 50), of('a', 1, 50)], 0, 1)).toEqual(['a']);
    expect(returning([of('b', 1, 50), of('a', 1, 50)], 0, 1)).toEqual(['a']);
    // A subscription that lost its seat later does not bring its wallet forward, though confirmed first.
    expect(returning([of('b', 2, 50), of('a', 3, 50), of('a', 1, 60)], 0, 1)).toEqual(['b']);
  });

  // seats-and-tiers#unparking-order
  it('a wallet returns with all its subscriptions, and those of a wallet with a seat return even without room', () => {
    expect(returning([of('a', 2, 51), of('a', 1, 50), of('b', 3, 60)], 0, 1)).toEqual(['a', 'a']);
    expect(returning([of('a', 1), of('a', 2, 51)], 1, 1)).toEqual(['a']);
  });

  it('nothing returns that takes no seat', () => {
    expect(returning([cancelled(of('a', 1, 50), NOW), of('b', 2, 60)], 0, 1)).toEqual(['b']);
  });
});

// seats-and-tiers#last-seat-among-open-checkouts
it('over the limit nothing returns, also not to a wallet that took a seat anew and will be parked again', () => {
  expect(returning([of('parked', 1, 50), of('parked', 60)], 2, 1)).toEqual([]);
});
