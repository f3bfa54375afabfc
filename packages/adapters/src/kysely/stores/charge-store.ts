import type { AttemptId, ChargeStore, ReportStore, SubscriptionId, WalletStore } from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { newestPage, placeFrom } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { attemptTable, signedTermsTable, transferTable } from '../tables/charges.js';
import { planTable } from '../tables/projects.js';

const readTransfer = transferTable.decoder();
const readAttempt = attemptTable.decoder();
const unpricedAttempt = attemptTable.only(['id', 'attemptedAt', 'outcome', 'amount']);
const pricedPlan = planTable.only(['mint', 'decimals']);
const readUnpriced = unpricedAttempt.decoder();
const readPlan = pricedPlan.decoder();

type Charges = ChargeStore &
  Pick<WalletStore, 'findSignedTerms'> &
  Pick<ReportStore, 'listUnpricedAttempts' | 'priceAttempts'>;

/** Transfers, attempts to charge, and the terms that wallets signed. */
export function chargeStore(db: Handle): (session: Session) => Charges {
  const transfers = db.selectFrom('transfers').select(transferTable.selection());
  const findOpenTransfer = prepare(
    (values: { subscriptionId: SubscriptionId }) =>
      transfers.where('subscription_id', '=', values.subscriptionId).where('state', '=', sql.lit('open')),
    readTransfer,
  );
  const findTransferBySignature = prepare(
    (values: { signature: string; paymentIndex: number }) =>
      transfers.where('signature', '=', values.signature).where('payment_index', '=', values.paymentIndex),
    readTransfer,
  );
  const listTransfers = prepare(
    (values: { subscriptionId: SubscriptionId; limit: number }) =>
      transfers
        .where('subscription_id', '=', values.subscriptionId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(values.limit),
    readTransfer,
  );
  const findSignedTerms = prepare(
    (values: { subscriptionId: SubscriptionId }) =>
      db
        .selectFrom('signed_terms')
        .select(signedTermsTable.selection())
        .where('subscription_id', '=', values.subscriptionId)
        .orderBy('signed_at', 'desc')
        .limit(1),
    signedTermsTable.decoder(),
  );
  const listUnpricedAttempts = prepare(
    (values: { at: number; id: string; limit: number }) =>
      db
        .selectFrom('attempts')
        .innerJoin('subscriptions', 'subscriptions.id', 'attempts.subscription_id')
        .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
        .select(unpricedAttempt.selection())
        .select(pricedPlan.selection())
        .select(['plans.project_id', 'plans.id as plan_id'])
        .where('attempts.amount_usd', 'is', null)
        .where(sql<SqlBool>`(attempts.attempted_at, attempts.id) > (${values.at}, ${values.id})`)
        .orderBy('attempts.attempted_at')
        .orderBy('attempts.id')
        .limit(values.limit),
    ({ project_id: projectId, plan_id: planId, ...row }) => ({
      ...readUnpriced(row),
      ...readPlan(row),
      projectId,
      planId,
    }),
  );
  const priceAttempt = prepare((values: { id: AttemptId; amountUsd: string }) =>
    db
      .updateTable('attempts')
      .set('amount_usd', values.amountUsd)
      .where('id', '=', values.id)
      .where('amount_usd', 'is', null),
  );

  return ({ handle, atomically }) => ({
    findOpenTransfer: (subscriptionId) => findOpenTransfer.first(handle, { subscriptionId }),
    findTransferBySignature: (signature, paymentIndex = 0) =>
      findTransferBySignature.first(handle, { signature, paymentIndex }),
    listTransfers: (subscriptionId, limit) => listTransfers.all(handle, { subscriptionId, limit }),
    findSignedTerms: (subscriptionId) => findSignedTerms.first(handle, { subscriptionId }),
    listAttempts(subscriptionId, page) {
      const listed = db
        .selectFrom('attempts')
        .select(attemptTable.selection())
        .where('subscription_id', '=', subscriptionId);
      return newestPage(handle, listed, { at: 'attempted_at', id: 'id' }, readAttempt, page);
    },
    async listUnpricedAttempts(since, after, limit) {
      const place = placeFrom(since, after && { at: after.attemptedAt, id: after.id });
      return listUnpricedAttempts.all(handle, { ...place, limit });
    },
    priceAttempts: (amountsUsd) =>
      atomically(async (transaction) => {
        const priced: AttemptId[] = [];
        for (const [id, amountUsd] of amountsUsd)
          if ((await priceAttempt.write(transaction, { id, amountUsd })) === 1) priced.push(id);
        return priced;
      }),
  });
}
