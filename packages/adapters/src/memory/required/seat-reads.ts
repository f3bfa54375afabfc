import type { ParkedPlace, ProjectId, Subscription, SubscriptionStore } from '@subrail/core/ports';
import { byText } from '../order.js';
import { isRunning, type Tables } from '../tables.js';

export function seatReads(
  subscriptions: Tables['subscriptions'],
): Pick<SubscriptionStore, 'listSeatsOver' | 'listParked' | 'findSeats'> {
  const ofProject = (projectId: ProjectId) => subscriptions.where('project', projectId);

  /** The wallets with a seat, and since when. */
  function seatsOf(projectId: ProjectId, now: Date): ReadonlyMap<string, number> {
    const seats = new Map<string, number>();
    for (const row of ofProject(projectId).filter((one) => holdsSeat(one, now)))
      seats.set(row.wallet, Math.min(seats.get(row.wallet) ?? Infinity, confirmedAt(row).getTime()));
    return seats;
  }

  return {
    async listSeatsOver(projectId, seats, now, limit) {
      const inOrder = [...seatsOf(projectId, now)].sort(
        ([a, since], [b, other]) => since - other || (a < b ? -1 : 1),
      );
      return inOrder
        .slice(seats)
        .reverse()
        .slice(0, limit)
        .map(([wallet]) => wallet);
    },
    async listParked(projectId, now, after, limit) {
      const seats = seatsOf(projectId, now);
      return ofProject(projectId)
        .flatMap((row) => {
          const { id, wallet, pausedAt } = row;
          const hasSeat = seats.has(wallet);
          return pausedAt === null ? [] : [{ id, wallet, pausedAt, confirmedAt: confirmedAt(row), hasSeat }];
        })
        .sort(inOrderOfParking)
        .filter((one) => after === null || inOrderOfParking(one, after) > 0)
        .slice(0, limit);
    },
    async findSeats(projectId, wallets, now, most) {
      const found = ofProject(projectId).filter((row) => isRunning(row) && wallets.includes(row.wallet));
      return {
        subscriptions: found,
        seats: Math.min(most, seatsOf(projectId, now).size),
      };
    },
  };
}

/** Whether a subscription holds a seat (seats-and-tiers#what-a-seat-is). */
function holdsSeat(row: Subscription, now: Date): boolean {
  if (row.pausedAt !== null) return false;
  if (row.status === 'cancelled') return row.cancellation !== null && row.cancellation.expiresAt > now;
  return row.status === 'active' || row.status === 'unpaid';
}

const confirmedAt = (row: Subscription): Date => row.confirmedAt ?? row.createdAt;

const inOrderOfParking = (one: ParkedPlace, other: ParkedPlace): number =>
  one.pausedAt.getTime() - other.pausedAt.getTime() ||
  one.confirmedAt.getTime() - other.confirmedAt.getTime() ||
  byText(one.wallet, other.wallet) ||
  byText(one.id, other.id);
