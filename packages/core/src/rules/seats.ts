import type { Subscription } from '../records/index.js';
import { isCharged } from './running.js';

/** The subscriptions of one wallet that lose their seat together, or get it back. */
export type SeatOfWallet = readonly [Subscription, ...Subscription[]];

/** Whether a subscription takes a seat unless it is parked (seats-and-tiers#what-a-seat-is). */
export function takesSeat({ status, cancellation }: Subscription, now: Date): boolean {
  if (status === 'cancelled') return cancellation !== null && now < cancellation.expiresAt;
  return isCharged(status);
}

/** The seats of these wallets, in their order, without the wallets that have none. */
export function seatsOf(
  wallets: readonly string[],
  subscriptions: readonly Subscription[],
  now: Date,
): readonly SeatOfWallet[] {
  const seats = byWallet(subscriptions.filter((one) => one.pausedAt === null && takesSeat(one, now)));
  return wallets.flatMap((wallet) => {
    const seat = seats.get(wallet);
    return seat === undefined ? [] : [seat];
  });
}

/** The seats that return, in this order, and how many are free after that. */
export interface ReturningSeats {
  readonly unpark: readonly SeatOfWallet[];
  readonly free: number;
}

/**
 * Decides which of some wallets return, from the records alone, so that several hosts decide the same.
 * @param subscriptions all of these wallets that run, parked or not
 * @param seats how many seats of the project were taken when the subscriptions were read
 * @param limit how many seats the project has; null for any number
 */
export function returningSeats(
  subscriptions: readonly Subscription[],
  seats: number,
  limit: number | null,
  now: Date,
): ReturningSeats {
  const free = limit === null ? Infinity : limit - seats;
  // Seats are parked first while there are too many: then it is known which wallets keep theirs.
  if (free < 0) return { unpark: [], free: 0 };
  const taking = subscriptions.filter((subscription) => takesSeat(subscription, now));
  const seated = byWallet(taking.filter(({ pausedAt }) => pausedAt === null));
  const parked = [...byWallet(taking.filter(({ pausedAt }) => pausedAt !== null)).values()];
  // A wallet with a seat keeps it for all its subscriptions, also for those that were parked before.
  const ofSeated = parked.filter(([{ wallet }]) => seated.has(wallet));
  const waiting = parked.filter(([{ wallet }]) => !seated.has(wallet)).sort(inOrderOfReturn);
  const returning = waiting.slice(0, free);
  return { unpark: [...ofSeated, ...returning], free: free - returning.length };
}

function byWallet(subscriptions: readonly Subscription[]): ReadonlyMap<string, SeatOfWallet> {
  const seats = new Map<string, SeatOfWallet>();
  for (const subscription of subscriptions) {
    const others = seats.get(subscription.wallet);
    seats.set(subscription.wallet, others === undefined ? [subscription] : [...others, subscription]);
  }
  return seats;
}

/** The order of wallets by the subscription that was parked first, then confirmed first, then address. */
function inOrderOfReturn(a: SeatOfWallet, b: SeatOfWallet): number {
  const [first, other] = [firstParked(a), firstParked(b)];
  return compareParked(first, other) || (first.wallet < other.wallet ? -1 : 1);
}

function firstParked([first, ...others]: SeatOfWallet): Subscription {
  return others.reduce((earliest, one) => (compareParked(one, earliest) < 0 ? one : earliest), first);
}

function compareParked(one: Subscription, other: Subscription): number {
  const parkedAt = ({ pausedAt, createdAt }: Subscription) => (pausedAt ?? createdAt).getTime();
  const confirmedAt = (of: Subscription) => (of.confirmedAt ?? of.createdAt).getTime();
  return parkedAt(one) - parkedAt(other) || confirmedAt(one) - confirmedAt(other);
}
