import type { Commit, Subscription, SubscriptionStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { RowOf } from '../tables/record-table.js';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare, type Statement } from '../query/statement.js';
import { attemptTable, signedTermsTable, transferTable } from '../tables/charges.js';
import { FIXED, subscriptionTable } from '../tables/subscriptions.js';
import { deliveryTable, eventTable } from '../tables/webhooks.js';

/** The only write of subscriptions, with the transfers, attempts, events, deliveries and terms of the same change. */
export function commits(db: Handle): (session: Session) => Pick<SubscriptionStore, 'commit'> {
  const insertSubscription = prepare((given: RowOf<typeof subscriptionTable>) =>
    db.insertInto('subscriptions').values(pick(given, subscriptionTable.columns)),
  );
  const updateSubscription = prepare((given: RowOf<typeof subscriptionTable> & { previousVersion: number }) =>
    db
      .updateTable('subscriptions')
      .set(pick(given, columnsExcept(subscriptionTable.columns, FIXED)))
      .where('id', '=', given.id)
      .where('version', '=', given.previousVersion),
  );
  const putTransfer = prepare((given: RowOf<typeof transferTable>) =>
    db
      .insertInto('transfers')
      .values(pick(given, transferTable.columns))
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
    const written = await updateSubscription.write(handle, { ...row, previousVersion: next.version - 1 });
    if (written !== 1) throw new WriteConflict();
  }

  return (session) => ({
    commit: (changes) =>
      lostOnConflict(session, async (handle) => {
        const subscriptions = changes.map((change) => change.subscription);
        for (const next of freeingFirst(subscriptions, isGuarded)) await writeSubscription(handle, next);
        const transfers = all(changes, 'transfers');
        for (const transfer of freeingFirst(transfers, ({ state }) => state === 'open'))
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
  // TypeScript loses which of the lists `name` picks; the type names it again.
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

function isGuarded({ status }: Subscription): boolean {
  return status === 'pending' || status === 'active' || status === 'unpaid';
}
