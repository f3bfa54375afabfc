import type { ParkedPlace, ProjectId, Subscription, SubscriptionStore } from '@subrail/core/ports';
import type { Rows } from './tables.js';

type Where = <N extends keyof Rows>(name: N, fields?: Partial<Rows[N]>) => Rows[N][];
type SeatReads = Pick<
  SubscriptionStore,
  'countOtherSeats' | 'listSeatsOver' | 'listParked' | 'findSeats' | 'listLate'
>;

/** What decides which seats are parked and return. `where` returns the rows whose fields have these values, newest first. */
export function seatsOn(where: Where): SeatReads {
  /** When each wallet with a seat was confirmed first. */
  const seatsOf = (projectId: ProjectId, now: Date): ReadonlyMap<string, Date> => {
    const held = where('subscriptions', { projectId }).filter((row) => holdsSeat(row, now));
    const latestFirst = held.sort((a, b) => Number(confirmedAt(b)) - Number(confirmedAt(a)));
    // Of the entries of one wallet a map keeps the last.
    return new Map(latestFirst.map((row) => [row.wallet, confirmedAt(row)]));
  };

  return {
    async countOtherSeats(projectId, wallet, now) {
      return [...seatsOf(projectId, now).keys()].filter((holder) => holder !== wallet).length;
    },
    async listSeatsOver(projectId, seats, now, limit) {
      const inOrder = [...seatsOf(projectId, now)].sort(([a, at], [b, other]) =>
        compare([Number(at), a], [Number(other), b]),
      );
      const over = inOrder.slice(seats).reverse();
      return over.slice(0, limit).map(([wallet]) => wallet);
    },
    async listParked(projectId, now, after, limit) {
      const seats = seatsOf(projectId, now);
      const parked = where('subscriptions', { projectId }).flatMap((row) => {
        const { id, wallet, pausedAt } = row;
        const hasSeat = seats.has(wallet);
        return pausedAt === null ? [] : [{ id, wallet, pausedAt, confirmedAt: confirmedAt(row), hasSeat }];
      });
      return parked
        .sort((a, b) => compare(placeOf(a), placeOf(b)))
        .filter((one) => after === null || compare(placeOf(one), placeOf(after)) > 0)
        .slice(0, limit);
    },
    async findSeats(projectId, wallets, now, most) {
      const subscriptions = where('subscriptions', { projectId }).filter(
        ({ status, wallet }) =>
          ['active', 'unpaid', 'cancelled'].includes(status) && wallets.includes(wallet),
      );
      const seats = subscriptions.length === 0 ? 0 : seatsOf(projectId, now).size;
      return { subscriptions, seats: Math.min(most, seats) };
    },
    listLate: async (projectId, after, limit) =>
      where('subscriptions', { projectId, status: 'unpaid' })
        .reverse()
        .filter((row) => after === null || compare(dateOf(row), dateOf(after)) > 0)
        .slice(0, limit),
  };
}

function holdsSeat({ status, cancellation, pausedAt }: Subscription, now: Date): boolean {
  if (pausedAt !== null) return false;
  if (status === 'cancelled') return cancellation !== null && cancellation.expiresAt > now;
  return status === 'active' || status === 'unpaid';
}

const confirmedAt = (row: Subscription): Date => row.confirmedAt ?? row.createdAt;

const placeOf = ({ pausedAt, confirmedAt: confirmed, wallet, id }: ParkedPlace) =>
  [Number(pausedAt), Number(confirmed), wallet, id] as const;

const dateOf = ({ createdAt, id }: Pick<Subscription, 'createdAt' | 'id'>) =>
  [Number(createdAt), id] as const;

/** Compares two places by the first of their parts that differ. */
function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const at = one.findIndex((part, place) => part !== other[place]);
  const [part, its] = [one[at], other[at]];
  if (part === undefined || its === undefined) return 0;
  return part < its ? -1 : 1;
}
