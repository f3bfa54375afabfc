import { leftAfter, type AttemptId, type ProjectId, type ReportStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import { insertRecords } from '../query/insert-rows.js';
import { readEach } from '../query/related-rows.js';
import type { Handle, Session } from '../query/session.js';
import { columnsExcept, pick, prepare, prepareList } from '../query/statement.js';
import { refundTable, sellerTable } from '../tables/charges.js';
import type { RowOf } from '../tables/record-table.js';
import { readPayments } from './payment-search.js';

const readRefund = refundTable.decoder();

type Receipts = Pick<
  ReportStore,
  'findPayment' | 'insertRefund' | 'listRefunds' | 'saveSeller' | 'findSeller'
>;

/** What a receipt says: a charge by its id, its refunds, and the seller. */
export function receiptStore(db: Handle): (session: Session) => Receipts {
  const insert = insertRecords(db, 'refunds', refundTable);
  const ofAttempts = prepareList((ids: readonly AttemptId[]) =>
    db
      .selectFrom('refunds')
      .select(refundTable.selection())
      .select('attempt_id as id')
      .where('attempt_id', 'in', ids)
      .orderBy('attempt_id')
      .orderBy('recorded_at')
      .orderBy('signature'),
  );

  const ofReceipt = prepare(
    (values: { signature: string; wallet: string; mint: string }) =>
      db
        .selectFrom('refunds')
        .innerJoin('attempts', 'attempts.id', 'refunds.attempt_id')
        .innerJoin('subscriptions', 'subscriptions.id', 'attempts.subscription_id')
        .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
        .select(refundTable.selection())
        .where('refunds.signature', '=', values.signature)
        .where('subscriptions.wallet', '=', values.wallet)
        .where('plans.mint', '=', values.mint),
    readRefund,
  );

  const saveSeller = prepare((row: RowOf<typeof sellerTable>) => {
    const values = pick(row, columnsExcept(sellerTable.columns, ['project_id']));
    return db
      .insertInto('sellers')
      .values({ project_id: row.project_id, ...values })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values));
  });
  const findSeller = prepare(
    (values: { projectId: ProjectId }) =>
      db.selectFrom('sellers').select(sellerTable.selection()).where('project_id', '=', values.projectId),
    sellerTable.decoder(),
  );

  return (session) => ({
    async findPayment(projectId, id) {
      const { found, unreadable } = await readPayments(session.handle, [id], projectId);
      if (unreadable[0] !== undefined) throw unreadable[0].error;
      return found[0] ?? null;
    },
    async listRefunds(ids) {
      const rows = ids.length === 0 ? [] : await ofAttempts.all(session.handle, ids, {});
      const { readable: refunds, unreadable } = readEach(rows, readRefund);
      return { refunds, unreadable };
    },
    async saveSeller(seller) {
      await saveSeller.write(session.handle, sellerTable.encode(seller));
    },
    findSeller: (projectId) => findSeller.first(session.handle, { projectId }),
    async insertRefund(refund, { charged, received, wallet, mint }) {
      const { signature, attemptId } = refund;
      const inserting = session.atomically(async (handle) => {
        if (session.traits.locksRows) {
          // Others who record the same transaction, or refund the same charge, wait here, always in this
          // order, so that no two pass a limit together.
          await sql`select pg_advisory_xact_lock(hashtextextended(${signature}, 0))`.execute(handle);
          await handle.selectFrom('attempts').select('id').where('id', '=', attemptId).forUpdate().execute();
        }
        const ofAttempt = (await ofAttempts.all(handle, [attemptId], {})).map(readRefund);
        if (ofAttempt.some((one) => one.signature === signature)) return 'recorded';
        const unpaid = leftAfter(ofAttempt, charged);
        if (unpaid <= 0n) return 'nothing_charged_left';
        const unused = leftAfter(await ofReceipt.all(handle, { signature, wallet, mint }), received);
        if (unused <= 0n) return 'nothing_received_left';
        await insert(handle, [{ ...refund, amount: unpaid < unused ? unpaid : unused }]);
        return 'inserted';
      });
      return inserting.catch((error: unknown) => {
        if (session.traits.isUniqueViolation(error)) return 'recorded';
        throw error;
      });
    },
  });
}
