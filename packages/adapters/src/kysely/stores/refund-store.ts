import type { AttemptId, ReportStore } from '@subrail/core/ports';
import { insertRecords } from '../query/insert-rows.js';
import { readEach } from '../query/related-rows.js';
import type { Handle, Session } from '../query/session.js';
import { prepareList } from '../query/statement.js';
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
    async insertRefund(refund, most) {
      try {
        return await session.atomically(async (handle) => {
          // Others who refund the same charge wait here, so that no two pass the limit together.
          const charge = handle.selectFrom('attempts').select('id').where('id', '=', refund.attemptId);
          await (session.traits.locksRows ? charge.forUpdate() : charge).execute();
          const before = (await ofAttempts.all(handle, [refund.attemptId], {})).map(readRefund);
          if (before.reduce((sum, { amount }) => sum + amount, refund.amount) > most) return 'too_much';
          await insert(handle, [refund]);
          return 'inserted';
        });
      } catch (error) {
        if (session.traits.isUniqueViolation(error)) return 'signature_taken';
        throw error;
      }
    },
  });
}
