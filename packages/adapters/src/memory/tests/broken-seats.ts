import type { Subscription } from '@subrail/core/ports';
import { replacing, type BrokenStore } from './break-store.js';

const isRunning = ({ status }: Subscription): boolean =>
  status === 'active' || status === 'unpaid' || status === 'cancelled';

/** Stores that read the seats of a project, or its late subscriptions, in another way than the port says. */
export const BROKEN_SEATS: readonly BrokenStore[] = [
  {
    promise: 'lists the wallets beyond a number of seats, the one that was confirmed last first',
    fault: 'takes the latest subscription of a wallet for its age',
    create: replacing((operations, tables) => ({
      async listSeatsOver(projectId, seats, now, limit) {
        const all = await operations.listSeatsOver(projectId, 0, now, Infinity);
        const ageOf = (wallet: string) =>
          Math.max(
            ...tables.subscriptions
              .where('project', projectId)
              .filter((row) => row.wallet === wallet && isRunning(row))
              .map(({ confirmedAt }) => confirmedAt?.getTime() ?? 0),
          );
        return all
          .toSorted((one, other) => ageOf(other) - ageOf(one))
          .slice(0, Math.max(0, all.length - seats))
          .slice(0, limit);
      },
    })),
  },
  {
    promise: 'lists the wallets beyond a number of seats, the one that was confirmed last first',
    fault: 'takes a wallet that was never confirmed for the oldest',
    create: replacing((operations, { subscriptions }) => ({
      async listSeatsOver(projectId, seats, now, limit) {
        const all = await operations.listSeatsOver(projectId, 0, now, Infinity);
        const unconfirmed = (wallet: string) =>
          subscriptions.where('wallet', projectId, wallet).every(({ confirmedAt }) => confirmedAt === null);
        const sorted = all.toSorted((one, other) => Number(unconfirmed(one)) - Number(unconfirmed(other)));
        return sorted.slice(0, Math.max(0, all.length - seats)).slice(0, limit);
      },
    })),
  },
  {
    promise: 'lists the wallets beyond a number of seats, the one that was confirmed last first',
    fault: 'keeps the seats that were confirmed last',
    create: replacing((operations) => ({
      async listSeatsOver(projectId, seats, now, limit) {
        const all = await operations.listSeatsOver(projectId, 0, now, Infinity);
        return all.slice(seats, seats + limit);
      },
    })),
  },
  {
    promise: 'lists the parked subscriptions in the order of their parking, in pages',
    fault: 'goes on after the instant of a page, and not after its last subscription',
    create: replacing((operations) => ({
      async listParked(projectId, now, after, limit) {
        const all = await operations.listParked(projectId, now, null, Infinity);
        return all.filter(({ pausedAt }) => after === null || pausedAt > after.pausedAt).slice(0, limit);
      },
    })),
  },
  {
    promise: 'lists the parked subscriptions in the order of their parking, in pages',
    fault: 'puts those that were never confirmed first',
    create: replacing((operations, { subscriptions }) => ({
      async listParked(projectId, now, after, limit) {
        const all = await operations.listParked(projectId, now, null, Infinity);
        const confirmed = (id: Subscription['id']) => Number(subscriptions.get(id)?.confirmedAt);
        const sorted = all.toSorted(
          (one, other) =>
            Number(one.pausedAt) - Number(other.pausedAt) || confirmed(one.id) - confirmed(other.id),
        );
        const place = sorted.findIndex(({ id }) => id === after?.id);
        return sorted.slice(place + 1, place + 1 + limit);
      },
    })),
  },
  {
    promise: 'lists the parked subscriptions in the order of their parking, in pages',
    fault: 'says that a wallet has a seat whose cancellation took effect',
    create: replacing((operations) => ({
      listParked: (projectId, _now, after, limit) =>
        operations.listParked(projectId, new Date(0), after, limit),
    })),
  },
  {
    promise: 'reads the running subscriptions of some wallets, and counts the seats of all',
    fault: 'leaves out what is parked',
    create: replacing((operations) => ({
      async findSeats(projectId, wallets, now, most) {
        const found = await operations.findSeats(projectId, wallets, now, most);
        return { ...found, subscriptions: found.subscriptions.filter(({ pausedAt }) => pausedAt === null) };
      },
    })),
  },
  {
    promise: 'reads the running subscriptions of some wallets, and counts the seats of all',
    fault: 'counts the seats of these wallets only',
    create: replacing((operations) => ({
      async findSeats(projectId, wallets, now, most) {
        const { subscriptions } = await operations.findSeats(projectId, wallets, now, most);
        const seated = subscriptions.filter(({ pausedAt }) => pausedAt === null);
        return { subscriptions, seats: Math.min(most, new Set(seated.map(({ wallet }) => wallet)).size) };
      },
    })),
  },
  {
    promise: 'lists the late subscriptions of a project, oldest first, a page at a time',
    fault: 'goes on after the instant of a page, and not after its last subscription',
    create: replacing((operations) => ({
      async listLate(projectId, after, limit) {
        const all = await operations.listLate(projectId, null, Infinity);
        return all.filter(({ createdAt }) => after === null || createdAt > after.createdAt).slice(0, limit);
      },
    })),
  },
];
