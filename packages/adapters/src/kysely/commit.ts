import type { Commit, StoreOperations, Subscription } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { RowOf } from './codec/record-table.js';
import { LostRace, unlessLost, type Handle, type Session } from './session.js';
import { changing, pick, prepare, type Statement } from './statement.js';
import { attemptTable, signedTermsTable, transferTable } from './tables/ledger.js';
import { FIXED, subscriptionTable } from './tables/subscriptions.js';
import { deliveryTable, eventTable } from './tables/webhooks.js';

/** The one write of subscriptions and of all that happens to them. */
export function commitOperation(db: Handle): (session: Session) => Pick<StoreOperations, 'commit'> {
  const insertSubscription = prepare((given: RowOf<typeof subscriptionTable>) =>
    db.insertInto('subscriptions').values(pick(given, subscriptionTable.columns)),
  );
  const updateSubscription = prepare((given: RowOf<typeof subscriptionTable> & { before: number }) =>
    db
      .updateTable('subscriptions')
      .set(pick(given, changing(subscriptionTable.columns, FIXED)))
      .where('id', '=', given.id)
      .where('version', '=', given.before),
  );
  const putTransfer = prepare((given: RowOf<typeof transferTable>) =>
    db
      .insertInto('transfers')
      .values(pick(given, transferTable.columns))
      .onConflict((clash) =>
        clash
          .column('id')
          .doUpdateSet(
            Object.fromEntries(
              changing(transferTable.columns, ['id']).map((column) => [
                column,
                sql.ref(`excluded.${column}`),
              ]),
            ),
          ),
      ),
  );
  const insertAttempt = prepare((given: RowOf<typeof attemptTable>) =>
    db.insertInto('attempts').values(pick(given, attemptTable.columns)),
  );
  const insertEvent = prepare((given: RowOf<typeof eventTable>) =>
    db.insertInto('events').values(pick(given, eventTable.columns)),
  );
  const insertDelivery = prepare((given: RowOf<typeof deliveryTable>) =>
    db.insertInto('deliveries').values(pick(given, deliveryTable.columns)),
  );
  const insertTerms = prepare((given: RowOf<typeof signedTermsTable>) =>
    db.insertInto('signed_terms').values(pick(given, signedTermsTable.columns)),
  );

  async function writeSubscription(handle: Handle, next: Subscription): Promise<void> {
    const row = subscriptionTable.encode(next);
    if (next.version === 1) {
      await insertSubscription.write(handle, row);
      return;
    }
    const written = await updateSubscription.write(handle, { ...row, before: next.version - 1 });
    if (written !== 1) throw new LostRace();
  }

  return (session) => ({
    commit: (changes) =>
      unlessLost(session, async (handle) => {
        const subscriptions = changes.map((change) => change.subscription);
        for (const next of lastWhere(subscriptions, isGuarded)) await writeSubscription(handle, next);
        const transfers = all(changes, 'transfers');
        for (const transfer of lastWhere(transfers, ({ state }) => state === 'open'))
          await putTransfer.write(handle, transferTable.encode(transfer));
        await insertEach(handle, insertAttempt, all(changes, 'attempts').map(attemptTable.encode));
        await insertEach(handle, insertEvent, all(changes, 'events').map(eventTable.encode));
        await insertEach(handle, insertDelivery, all(changes, 'deliveries').map(deliveryTable.encode));
        const terms = changes.flatMap(({ signedTerms }) => (signedTerms === null ? [] : [signedTerms]));
        await insertEach(handle, insertTerms, terms.map(signedTermsTable.encode));
        return 'committed' as const;
      }),
  });
}

type Lists = 'transfers' | 'attempts' | 'events' | 'deliveries';

function all<Name extends Lists>(changes: readonly Commit[], name: Name): Commit[Name][number][] {
  // A union of array types is flattened to the array of the one that was asked for.
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
 * Engines judge uniqueness at each row, the port judges it of the whole: rows that give up what is unique go first,
 * so that others of the same commit may take it.
 */
function lastWhere<Row>(rows: readonly Row[], takes: (row: Row) => boolean): readonly Row[] {
  return [...rows.filter((row) => !takes(row)), ...rows.filter(takes)];
}

function isGuarded({ status }: Subscription): boolean {
  return status === 'pending' || status === 'active' || status === 'unpaid';
}
