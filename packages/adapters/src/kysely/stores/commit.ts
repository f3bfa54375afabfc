import type { Commit, Subscription, SubscriptionEvent, SubscriptionStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { Database } from '../tables/database.js';
import type { RowOf } from '../tables/record-table.js';
import { distinct } from '../query/related-rows.js';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare, type Statement } from '../query/statement.js';
import { attemptTable, signedTermsTable, transferTable } from '../tables/charges.js';
import { FIXED, subscriptionTable } from '../tables/subscriptions.js';
import { deliveryTable, eventTable } from '../tables/webhooks.js';
import { eventPositions } from './event-positions.js';

/** Commits changes: each subscription, with the transfers, attempts, events, deliveries and terms of its change. */
export function commits(db: Handle): (session: Session) => Pick<SubscriptionStore, 'commit'> {
  const insertSubscription = prepare((values: RowOf<typeof subscriptionTable>) =>
    db.insertInto('subscriptions').values(pick(values, subscriptionTable.columns)),
  );
  const updateSubscription = prepare(
    (values: RowOf<typeof subscriptionTable> & { previousVersion: number }) =>
      db
        .updateTable('subscriptions')
        .set(pick(values, columnsExcept(subscriptionTable.columns, FIXED)))
        .where('id', '=', values.id)
        .where('version', '=', values.previousVersion),
  );
  const putTransfer = prepare((values: RowOf<typeof transferTable>) =>
    db
      .insertInto('transfers')
      .values(pick(values, transferTable.columns))
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(
            Object.fromEntries(
              columnsExcept(transferTable.columns, ['id']).map((column) => [
                column,
                sql.ref(`excluded.${column}`),
              ]),
            ),
          ),
      ),
  );
  const insertAttempt = prepare((values: Database['attempts']) =>
    db.insertInto('attempts').values(pick(values, [...attemptTable.columns, 'project_id', 'plan_id'])),
  );
  const takePositions = eventPositions(db);
  const insertEvent = prepare((values: RowOf<typeof eventTable> & { position: number | null }) =>
    db.insertInto('events').values(pick(values, [...eventTable.columns, 'position'])),
  );
  const insertDelivery = prepare((values: RowOf<typeof deliveryTable>) =>
    db.insertInto('deliveries').values(pick(values, deliveryTable.columns)),
  );
  const insertTerms = prepare((values: RowOf<typeof signedTermsTable>) =>
    db.insertInto('signed_terms').values(pick(values, signedTermsTable.columns)),
  );

  /** Inserts events, each with its position among those of its project. A held one gets none yet. */
  async function insertEvents(handle: Handle, events: readonly SubscriptionEvent[]): Promise<void> {
    // Every commit locks the projects in one order, so that no two wait for each other.
    for (const projectId of distinct(events.map((event) => event.projectId)).sort()) {
      const written = events.filter((event) => event.projectId === projectId);
      const listed = written.filter(({ heldState }) => heldState === null).length;
      let position = listed === 0 ? 0 : await takePositions(handle, projectId, listed);
      const rows = written.map((event) => ({
        ...eventTable.encode(event),
        position: event.heldState === null ? ++position : null,
      }));
      await insertEach(handle, insertEvent, rows);
    }
  }

  async function writeSubscription(handle: Handle, next: Subscription): Promise<void> {
    const row = subscriptionTable.encode(next);
    if (next.version === 1) {
      await insertSubscription.write(handle, row);
      return;
    }
    const written = await updateSubscription.write(handle, { ...row, previousVersion: next.version - 1 });
    if (written !== 1) throw new WriteConflict();
  }

  return (session) => ({
    commit: (changes) =>
      lostOnConflict(session, async (handle) => {
        const subscriptions = changes.map((change) => change.subscription);
        for (const next of freeingFirst(subscriptions, hasUniqueStatus))
          await writeSubscription(handle, next);
        const transfers = all(changes, 'transfers');
        for (const transfer of freeingFirst(transfers, ({ state }) => state === 'open'))
          await putTransfer.write(handle, transferTable.encode(transfer));
        for (const { attempts, subscription } of changes) {
          const of = { project_id: subscription.projectId, plan_id: subscription.planId };
          const rows = attempts.map((attempt) => ({ ...attemptTable.encode(attempt), ...of }));
          await insertEach(handle, insertAttempt, rows);
        }
        await insertEvents(handle, all(changes, 'events'));
        await insertEach(handle, insertDelivery, all(changes, 'deliveries').map(deliveryTable.encode));
        const terms = changes.flatMap(({ signedTerms }) => (signedTerms === null ? [] : [signedTerms]));
        await insertEach(handle, insertTerms, terms.map(signedTermsTable.encode));
        return 'committed' as const;
      }),
  });
}

type Lists = 'transfers' | 'events' | 'deliveries';

function all<Name extends Lists>(changes: readonly Commit[], name: Name): Commit[Name][number][] {
  // TypeScript does not infer which of the lists `name` picks, so the type argument states it.
  return changes.flatMap<Commit[Lists][number]>((change) => change[name]);
}

async function insertEach<Row>(
  handle: Handle,
  insert: Statement<Row, unknown>,
  rows: readonly Row[],
): Promise<void> {
  for (const row of rows) await insert.write(handle, row);
}

/**
 * Orders writes so that a row which frees a unique value is written before the row which takes it. A database checks
 * uniqueness row by row, while the port checks it once for the whole commit.
 */
function freeingFirst<Row>(rows: readonly Row[], takes: (row: Row) => boolean): readonly Row[] {
  return [...rows.filter((row) => !takes(row)), ...rows.filter(takes)];
}

/** Whether a unique index limits the subscriptions in this status. */
function hasUniqueStatus({ status }: Subscription): boolean {
  return status === 'pending' || status === 'active' || status === 'unpaid';
}
