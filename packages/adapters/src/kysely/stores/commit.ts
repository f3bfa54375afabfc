import type { Commit, ProjectId, Subscription, SubscriptionStore } from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import type { RowOf } from '../tables/record-table.js';
import { insertRecords, insertRows } from '../query/insert-rows.js';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import { attemptTable, signedTermsTable, transferTable } from '../tables/charges.js';
import { FIXED, SETTLED, subscriptionTable } from '../tables/subscriptions.js';
import { movementTable } from '../tables/figures.js';
import { mailTable } from '../tables/mails.js';
import { deliveryTable, eventTable } from '../tables/webhooks.js';
import { figureAdditions } from './figure-store.js';
import { projectCounters, type Counters, type Taken } from './project-counters.js';

/**
 * Commits changes: each subscription with the transfers, attempts, events, deliveries, mails and terms of its
 * change.
 */
export function commits(db: Handle): (session: Session) => Pick<SubscriptionStore, 'commit'> {
  const insertSubscriptions = insertRecords(db, 'subscriptions', subscriptionTable);
  /** The update of a row whose settled columns stay. It writes nothing when one of them changes. */
  const updateUnsettled = prepare((values: RowOf<typeof subscriptionTable> & { previousVersion: number }) =>
    SETTLED.reduce(
      (update, column) =>
        update.where(sql<SqlBool>`${sql.ref(column)} is not distinct from ${values[column]}`),
      db
        .updateTable('subscriptions')
        .set(pick(values, columnsExcept(subscriptionTable.columns, [...FIXED, ...SETTLED])))
        .where('id', '=', values.id)
        .where('version', '=', values.previousVersion),
    ),
  );
  const updateSubscription = prepare(
    (values: RowOf<typeof subscriptionTable> & { previousVersion: number }) =>
      db
        .updateTable('subscriptions')
        .set(pick(values, columnsExcept(subscriptionTable.columns, FIXED)))
        .where('id', '=', values.id)
        .where('version', '=', values.previousVersion),
  );
  const replaced = Object.fromEntries(
    columnsExcept(transferTable.columns, ['id']).map(
      (column) => [column, sql.ref(`excluded.${column}`)] as const,
    ),
  );
  const putTransfer = prepare((values: RowOf<typeof transferTable>) =>
    db
      .insertInto('transfers')
      .values(pick(values, transferTable.columns))
      .onConflict((conflict) => conflict.column('id').doUpdateSet(replaced)),
  );
  const insertAttempts = insertRows(db, 'attempts', [...attemptTable.columns, 'project_id', 'plan_id']);
  const insertMovements = insertRecords(db, 'movements', movementTable);
  const insertMails = insertRecords(db, 'mails', mailTable);
  const addFigures = figureAdditions(db);
  const insertTerms = insertRecords(db, 'signed_terms', signedTermsTable);
  const takeCounters = projectCounters(db);
  const insertEvents = insertRows(db, 'events', [...eventTable.columns, 'position', 'latest_at']);
  const insertDeliveries = insertRecords(db, 'deliveries', deliveryTable);

  /**
   * The rows of attempts with the numbers of their receipts, and of events with their positions in the
   * project. A held event has none yet. Other commits of these projects wait from here until this one ends.
   */
  async function numberedRows(handle: Handle, changes: readonly Commit[]) {
    const taken = new Map<ProjectId, Taken>();
    for (const { subscription, attempts, events } of changes) {
      const { projectId } = subscription;
      const placed = events.filter(({ heldState }) => heldState === null);
      const receipts = attempts.filter(({ outcome }) => outcome === 'paid').length;
      if (placed.length === 0 && receipts === 0) continue;
      const before = taken.get(projectId) ?? { events: 0, latestAt: 0, receipts: 0 };
      taken.set(projectId, {
        projectId,
        events: before.events + placed.length,
        latestAt: Math.max(before.latestAt, ...placed.map(({ createdAt }) => createdAt.getTime())),
        receipts: before.receipts + receipts,
      });
    }
    const counters = new Map<ProjectId, { -readonly [Name in keyof Counters]: Counters[Name] }>();
    // In one order for all commits, so that no two wait for each other.
    for (const of of [...taken.values()].sort((one, other) => (one.projectId < other.projectId ? -1 : 1)))
      counters.set(of.projectId, await takeCounters(handle, of));

    const attempts = changes.flatMap(({ attempts, subscription: { projectId, planId } }) =>
      attempts.map((attempt) => {
        const counter = attempt.outcome === 'paid' ? counters.get(projectId) : undefined;
        const receipt =
          counter === undefined
            ? { receiptNumber: null, receiptPrefix: null }
            : { receiptNumber: ++counter.receipt, receiptPrefix: counter.receiptPrefix };
        return { ...attemptTable.encode({ ...attempt, ...receipt }), project_id: projectId, plan_id: planId };
      }),
    );
    const events = changes
      .flatMap((change) => change.events)
      .map((event) => {
        const counter = event.heldState === null ? counters.get(event.projectId) : undefined;
        const place =
          counter === undefined
            ? { position: null, latest_at: null }
            : { position: ++counter.position, latest_at: counter.latestAt };
        return { ...eventTable.encode(event), ...place };
      });
    return { attempts, events };
  }

  async function writeSubscription(handle: Handle, next: Subscription): Promise<void> {
    if (next.version === 1) return insertSubscriptions(handle, [next]);
    const values = { ...subscriptionTable.encode(next), previousVersion: next.version - 1 };
    if ((await updateUnsettled.write(handle, values)) === 1) return;
    if ((await updateSubscription.write(handle, values)) !== 1) throw new WriteConflict();
  }

  return (session) => ({
    commit: (changes, figures = []) =>
      lostOnConflict(session, async (handle) => {
        const subscriptions = changes.map((change) => change.subscription);
        for (const next of freeingFirst(subscriptions, uniqueStatus)) await writeSubscription(handle, next);
        const transfers = changes.flatMap((change) => change.transfers);
        for (const transfer of freeingFirst(transfers, ({ state }) => (state === 'open' ? 1 : 0)))
          await putTransfer.write(handle, transferTable.encode(transfer));
        await insertMovements(
          handle,
          changes.flatMap((change) => change.movements),
        );
        await insertMails(
          handle,
          changes.flatMap((change) => change.mails),
        );
        await addFigures(handle, figures);
        await insertTerms(
          handle,
          changes.flatMap((change) => change.signedTerms ?? []),
        );
        // Last, because other commits of the same projects wait for what is numbered in a project.
        const { attempts, events } = await numberedRows(handle, changes);
        await insertAttempts(handle, attempts);
        await insertEvents(handle, events);
        await insertDeliveries(
          handle,
          changes.flatMap((change) => change.deliveries),
        );
        return 'committed' as const;
      }),
  });
}

/**
 * Orders writes so that a row which frees a unique value comes before the row which takes it: a database
 * checks each row, the port the whole commit.
 *
 * @param place a row takes nothing that a row of a higher place frees
 */
function freeingFirst<Row>(rows: readonly Row[], place: (row: Row) => number): readonly Row[] {
  return rows.toSorted((one, other) => place(one) - place(other));
}

/**
 * The unique index of a status: 0 for none, 1 for running, 2 for pending. A running subscription may have
 * been pending; a pending one never ran.
 */
function uniqueStatus({ status }: Subscription): 0 | 1 | 2 {
  if (status === 'pending') return 2;
  return status === 'active' || status === 'unpaid' ? 1 : 0;
}
