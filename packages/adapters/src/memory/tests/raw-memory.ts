import type { RawReader } from '@subrail/core/testing';
import type { Tables } from '../tables.js';

/** Reads the rows of a memory store without its operations. */
export const rawMemory = (tables: Tables): RawReader => ({
  count: async (kind) => tables[kind].all().length,
  plan: async (id) => {
    const row = tables.plans.get(id);
    return row && { version: row.version, slug: row.slug, amount: row.amount.toString() };
  },
  subscription: async (id) => {
    const row = tables.subscriptions.get(id);
    return (
      row && {
        version: row.version,
        status: row.status,
        paidAmount: row.paidAmount.toString(),
        createdAt: row.createdAt.getTime(),
        wakeAt: row.wakeAt?.getTime() ?? null,
      }
    );
  },
  transfer: async (id) => {
    const row = tables.transfers.get(id);
    return (
      row && {
        state: row.state,
        amount: row.amount.toString(),
        periodStart: row.periodStart?.getTime() ?? null,
      }
    );
  },
  event: async (id) => {
    const row = tables.events.get(id);
    return row && { sequence: row.sequence, body: row.body };
  },
  delivery: async (id) => {
    const row = tables.deliveries.get(id);
    return (
      row && {
        state: row.state,
        attempts: row.attempts,
        nextAttemptAt: row.nextAttemptAt?.getTime() ?? null,
      }
    );
  },
});
