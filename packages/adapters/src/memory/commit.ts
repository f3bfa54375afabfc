import type { Commit, StoreOperations } from '@subrail/core/ports';
import { dueFirst, earliest } from './order.js';
import type { Journal } from './journal.js';
import { planOf } from './subscriptions.js';
import type { Tables } from './tables.js';

type ChangeOperations = Pick<StoreOperations, 'commit' | 'claimDue' | 'nextWakeAt'>;

export function changeOperations(tables: Tables, journal: Journal): ChangeOperations {
  const { subscriptions, transfers, projects, plans } = tables;
  return {
    async commit(changes) {
      const mark = journal.mark;
      if (isCurrent(tables, changes) && write(tables, changes)) return 'committed';
      journal.undoTo(mark);
      return 'lost';
    },
    async claimDue(now, limit, leaseMs) {
      const due = dueFirst(subscriptions.all(), (row) => row.wakeAt, now).slice(0, limit);
      const wakeAt = new Date(now.getTime() + leaseMs);
      const claimed = due.map((row) => ({ ...row, wakeAt, version: row.version + 1 }));
      subscriptions.put(claimed);
      return claimed.map((subscription) => {
        const project = projects.get(subscription.projectId);
        if (project === null) throw new Error(`Subscription ${subscription.id} is of an unknown project.`);
        const transfer = transfers.where('open', subscription.id)[0] ?? null;
        return { subscription, plan: planOf(plans, subscription), project, transfer };
      });
    },
    async nextWakeAt() {
      return earliest(subscriptions.all().map((row) => row.wakeAt));
    },
  };
}

/** Whether every change follows the version that is stored. */
function isCurrent({ subscriptions }: Tables, changes: readonly Commit[]): boolean {
  return changes.every(({ subscription: { id, version } }) => {
    const stored = subscriptions.get(id)?.version ?? 0;
    return stored === version - 1;
  });
}

/** Writes all rows; false as soon as a uniqueness would break. */
function write(tables: Tables, changes: readonly Commit[]): boolean {
  const terms = changes.flatMap(({ signedTerms }) => (signedTerms === null ? [] : [signedTerms]));
  return (
    tables.subscriptions.put(changes.map((change) => change.subscription)) === null &&
    tables.transfers.put(changes.flatMap((change) => change.transfers)) === null &&
    tables.attempts.insert(changes.flatMap((change) => change.attempts)) === null &&
    tables.events.insert(changes.flatMap((change) => change.events)) === null &&
    tables.deliveries.insert(changes.flatMap((change) => change.deliveries)) === null &&
    tables.signedTerms.insert(terms) === null
  );
}
