import type { SubscriptionStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { Handle, Session } from '../query/session.js';
import { distinct, indexBy, requireRow } from '../query/related-rows.js';
import { prepare } from '../query/statement.js';
import { transferTable } from '../tables/charges.js';
import { planTable, projectTable } from '../tables/projects.js';
import { subscriptionTable } from '../tables/subscriptions.js';

type Claims = Pick<SubscriptionStore, 'claimDue' | 'nextWakeAt'>;

const read = subscriptionTable.decoder();
const readPlan = planTable.decoder();
const readProject = projectTable.decoder();
const readTransfer = transferTable.decoder();

/**
 * Claims subscriptions that are due: moves their wake-up time to the end of the lease, and reads the plan, project and
 * open transfer of each. A claim runs at most five statements, however many subscriptions are due.
 */
export function claims(db: Handle): (session: Session) => Claims {
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
      atomically(async (transaction) => {
        let due = transaction
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
        await transaction
          .updateTable('subscriptions')
          .set({ wake_at: wakeAt.getTime(), version: sql`version + 1` })
          .where('id', 'in', ids)
          .execute();
        const plans = await transaction
          .selectFrom('plans')
          .select(planTable.selection())
          .where('id', 'in', distinct(claimed.map((row) => row.planId)))
          .execute();
        const projects = await transaction
          .selectFrom('projects')
          .select(projectTable.selection())
          .where('id', 'in', distinct(claimed.map((row) => row.projectId)))
          .execute();
        const transfers = await transaction
          .selectFrom('transfers')
          .select(transferTable.selection())
          .where('subscription_id', 'in', ids)
          .where('state', '=', sql.lit('open'))
          .execute();

        const planOf = indexBy('id', plans.map(readPlan));
        const projectOf = indexBy('id', projects.map(readProject));
        const transferOf = indexBy('subscriptionId', transfers.map(readTransfer));
        return claimed.map((subscription) => ({
          subscription,
          plan: requireRow(planOf.get(subscription.planId)),
          project: requireRow(projectOf.get(subscription.projectId)),
          transfer: transferOf.get(subscription.id) ?? null,
        }));
      }),
    async nextWakeAt() {
      const row = await nextWakeAt.first(handle, {});
      return row === null || row.wake_at === null ? null : new Date(row.wake_at);
    },
  });
}
