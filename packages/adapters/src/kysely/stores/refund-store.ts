import { leftAfter, type AttemptId, type ReportStore } from '@subrail/core/ports';
import { sql } from 'kysely';
import { insertRecords } from '../query/insert-rows.js';
import { readEach } from '../query/related-rows.js';
import type { Handle, Session } from '../query/session.js';
import { prepare, prepareList } from '../query/statement.js';
import { refundTable } from '../tables/charges.js';
import { readPayments } from './payment-search.js';

const readRefund = refundTable.decoder();

type Refunds = Pick<ReportStore, 'findPayment' | 'insertRefund' | 'listRefunds'>;

/** The refunds of charges, and a charge by its id. */
export function refundStore(db: Handle): (session: Session) => Refunds {
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
