import type { ParkedPlace, ProjectId, Subscription, SubscriptionStore } from '@subrail/core/ports';
import { isRunning, type Tables } from '../tables.js';

type Operations = Pick<
  SubscriptionStore,
  'countOtherSeats' | 'listSeatsOver' | 'listParked' | 'findSeats' | 'listLate'
>;

/** What decides which seats a project parks and returns, and the late subscriptions, which its tier changes. */
export function seatReads(subscriptions: Tables['subscriptions']): Operations {
  const ofProject = (projectId: ProjectId) => subscriptions.where('project', projectId);

  /** The wallets that hold a seat, each with the instant since which it does. */
  function seatsOf(projectId: ProjectId, now: Date): ReadonlyMap<string, number> {
    const seats = new Map<string, number>();
    for (const row of ofProject(projectId).filter((one) => holdsSeat(one, now)))
      seats.set(row.wallet, Math.min(seats.get(row.wallet) ?? Infinity, confirmedAt(row).getTime()));
    return seats;
  }

  return {
    async countOtherSeats(projectId, wallet, now) {
      const seats = seatsOf(projectId, now);
      return seats.has(wallet) ? seats.size - 1 : seats.size;
    },
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
        seats: found.length === 0 ? 0 : Math.min(most, seatsOf(projectId, now).size),
      };
    },
    async listLate(projectId, after, limit) {
      return ofProject(projectId)
        .filter(({ status }) => status === 'unpaid')
        .sort(oldestFirst)
        .filter((row) => after === null || oldestFirst(row, after) > 0)
        .slice(0, limit);
    },
  };
}

/** Whether a subscription counts as a seat (seats-and-tiers#what-a-seat-is). */
function holdsSeat(row: Subscription, now: Date): boolean {
  if (row.pausedAt !== null) return false;
  if (row.status === 'cancelled') return row.cancellation !== null && row.cancellation.expiresAt > now;
  return row.status === 'active' || row.status === 'unpaid';
}

const confirmedAt = (row: Subscription): Date => row.confirmedAt ?? row.createdAt;

const oldestFirst = (one: Place, other: Place): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || byText(one.id, other.id);

type Place = Pick<Subscription, 'createdAt' | 'id'>;

const inOrderOfParking = (one: ParkedPlace, other: ParkedPlace): number =>
  one.pausedAt.getTime() - other.pausedAt.getTime() ||
  one.confirmedAt.getTime() - other.confirmedAt.getTime() ||
  byText(one.wallet, other.wallet) ||
  byText(one.id, other.id);

function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
