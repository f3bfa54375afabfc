import type { Subscription } from '../records/index.js';

/** The subscriptions of one wallet that lose their seat together, or get it back. */
export type SeatOfWallet = readonly [Subscription, ...Subscription[]];

/** Which wallets are parked and which return, in this order. */
export interface SeatChanges {
  readonly park: readonly SeatOfWallet[];
  readonly unpark: readonly SeatOfWallet[];
}

/** Whether a subscription takes a seat unless it is parked (seats-and-tiers#what-a-seat-is). */
export function takesSeat({ status, cancellation }: Subscription, now: Date): boolean {
  if (status === 'cancelled') return cancellation !== null && now < cancellation.expiresAt;
  return status === 'active' || status === 'unpaid';
}

/**
 * Decides which wallets of a project are parked or return. It depends on nothing but the records, so that several hosts
 * that settle the seats of one project at once decide the same.
 * @param running subscriptions of the project: all that are not parked, which only a project without a limit may leave
 * out, and all that are
 * @param limit how many seats the project has; null for any number
 */
export function seatChanges(running: readonly Subscription[], limit: number | null, now: Date): SeatChanges {
  const taking = running.filter((subscription) => takesSeat(subscription, now));
  const seated = byWallet(taking.filter(({ pausedAt }) => pausedAt === null));
  const parked = byWallet(taking.filter(({ pausedAt }) => pausedAt !== null));
  const seats = [...seated.values()].sort(inOrderOf(({ confirmedAt }) => confirmedAt));
  const kept = limit === null ? seats : seats.slice(0, limit);
  const keptWallets = new Set(kept.map(([{ wallet }]) => wallet));
  // A wallet with a seat keeps it for all its subscriptions. One has parked ones too when it took a seat anew.
  const ofKept = [...parked.values()].filter(([{ wallet }]) => keptWallets.has(wallet));
  const waiting = [...parked.values()]
    .filter(([{ wallet }]) => !seated.has(wallet))
    .sort(inOrderOf(({ pausedAt }) => pausedAt));
  const free = limit === null ? waiting.length : Math.max(0, limit - seats.length);
  return { park: seats.slice(kept.length).reverse(), unpark: [...ofKept, ...waiting.slice(0, free)] };
}

function byWallet(subscriptions: readonly Subscription[]): ReadonlyMap<string, SeatOfWallet> {
  const seats = new Map<string, SeatOfWallet>();
  for (const subscription of subscriptions) {
    const others = seats.get(subscription.wallet);
    seats.set(subscription.wallet, others === undefined ? [subscription] : [...others, subscription]);
  }
  return seats;
}

/** The order of wallets by the earliest such date of each, then by when they were confirmed, then by their address. */
function inOrderOf(dateOf: (subscription: Subscription) => Date | null) {
  const keyOf = (seat: SeatOfWallet, date: (subscription: Subscription) => Date | null) =>
    Math.min(...seat.map((subscription) => (date(subscription) ?? subscription.createdAt).getTime()));
  return (a: SeatOfWallet, b: SeatOfWallet): number =>
    keyOf(a, dateOf) - keyOf(b, dateOf) ||
    keyOf(a, ({ confirmedAt }) => confirmedAt) - keyOf(b, ({ confirmedAt }) => confirmedAt) ||
    (a[0].wallet < b[0].wallet ? -1 : 1);
}
