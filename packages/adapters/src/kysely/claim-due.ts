import type { StoreOperations } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { Handle, Session } from './session.js';
import { by, present, unique } from './rows.js';
import { prepare } from './statement.js';
import { transferTable } from './tables/ledger.js';
import { planTable, projectTable } from './tables/projects.js';
import { subscriptionTable } from './tables/subscriptions.js';

type ClaimOperations = Pick<StoreOperations, 'claimDue' | 'nextWakeAt'>;

const read = subscriptionTable.decoder();
const readPlan = planTable.decoder();
const readProject = projectTable.decoder();
const readTransfer = transferTable.decoder();

/** Five statements for a claim of any size: the due rows, their move, and what belongs to them. */
export function claimOperations(db: Handle): (session: Session) => ClaimOperations {
  const nextWakeAt = prepare(() =>
    db
      .selectFrom('subscriptions')
      .select('wake_at')
      .where('wake_at', 'is not', null)
      .orderBy('wake_at')
      .limit(1),
  );

  return ({ traits, handle, atomically }) => ({
    claimDue: (now, limit, leaseMs) =>
      atomically(async (step) => {
        let due = step
          .selectFrom('subscriptions')
          .select(subscriptionTable.selection())
          .where('wake_at', '<=', now.getTime())
          .orderBy('wake_at')
          .orderBy('id')
          .limit(limit);
        if (traits.locksRows) due = due.forUpdate().skipLocked();
        const wakeAt = new Date(now.getTime() + leaseMs);
        const claimed = (await due.execute())
          .map(read)
          .map((row) => ({ ...row, wakeAt, version: row.version + 1 }));
        if (claimed.length === 0) return [];

        const ids = claimed.map((row) => row.id);
        await step
          .updateTable('subscriptions')
          .set({ wake_at: wakeAt.getTime(), version: sql`version + 1` })
          .where('id', 'in', ids)
          .execute();
        const plans = await step
          .selectFrom('plans')
          .select(planTable.selection())
          .where('id', 'in', unique(claimed.map((row) => row.planId)))
          .execute();
        const projects = await step
          .selectFrom('projects')
          .select(projectTable.selection())
          .where('id', 'in', unique(claimed.map((row) => row.projectId)))
          .execute();
        const transfers = await step
          .selectFrom('transfers')
          .select(transferTable.selection())
          .where('subscription_id', 'in', ids)
          .where('state', '=', sql.lit('open'))
          .execute();

        const planOf = by('id', plans.map(readPlan));
        const projectOf = by('id', projects.map(readProject));
        const transferOf = by('subscriptionId', transfers.map(readTransfer));
        return claimed.map((subscription) => ({
          subscription,
          plan: present(planOf.get(subscription.planId)),
          project: present(projectOf.get(subscription.projectId)),
          transfer: transferOf.get(subscription.id) ?? null,
        }));
      }),
    async nextWakeAt() {
      const row = await nextWakeAt.first(handle, {});
      return row === null || row.wake_at === null ? null : new Date(row.wake_at);
    },
  });
}
