import { ServiceError } from '../../contract/errors.js';
import { toAmountText, toWireDate } from '../../contract/scalars.js';
import { pageRequest, unknownCursor } from '../../operations/pages.js';
import { requireOncePublishedPlan } from '../../operations/require.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import type { Payment, PaymentFilter, UnreadableRecord } from '../../ports/index.js';
import type { AttemptId, Project, Refund } from '../../records/index.js';
import { displayAmount } from '../../rules/money.js';
import { receiptNumber } from '../../rules/receipt-number.js';
import { type KnownTokens, tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { attemptWire } from '../../wire/attempt.js';
import { setAside } from '../read-rows.js';
import { idOrAddress } from '../subscriptions/search.js';
import type { PaymentFilterInput, PaymentQuery } from './inputs.js';
import type { PaymentPage, PaymentWire } from './schemas.js';

const HOUR_MS = 3_600_000;

/** Lists the payments of a whole project, newest first (payments#list-of-payments). */
export async function listPayments(
  service: Service,
  project: Project,
  query: PaymentQuery,
): Promise<PaymentPage> {
  const filter = await paymentFilter(service, project, query);
  const page = await service.store.searchPayments(project.id, filter, pageRequest<AttemptId>(query));
  if (page === 'unknown_cursor') throw unknownCursor();
  const { rows, unreadable } = await paymentsWire(service, page.found, await readKnownTokens(service));
  return {
    data: rows,
    has_more: page.next !== null,
    next: page.next,
    unreadable: setAside(
      service,
      [...page.unreadable, ...unreadable],
      'An attempt was left out of a list of payments',
    ),
  };
}

/** The filter of a store for the fields of a request. Throws `invalid_request` or `plan_not_found`. */
export async function paymentFilter(
  service: Service,
  project: Project,
  input: PaymentFilterInput,
): Promise<PaymentFilter> {
  const { from = null, to = null } = input;
  if (from !== null && to !== null && from >= to)
    throw new ServiceError('invalid_request', { sentences: ['"from" must be before "to".'] });
  const plan = input.plan === undefined ? null : await requireOncePublishedPlan(service, project, input.plan);
  return {
    ...idOrAddress(input.subscription ?? null),
    wallet: input.wallet ?? null,
    externalId: input.external_id ?? null,
    email: input.email ?? null,
    planId: plan?.id ?? null,
    since: from,
    until: to,
    mint: input.mint ?? null,
    outcome: input.outcome ?? null,
    reason: input.reason ?? null,
    signature: input.signature ?? null,
  };
}

/**
 * Payments as lists and exports show them, with what was given back of each. One with a refund that cannot be
 * read is left out, because it would look as if less was given back.
 */
export async function paymentsWire(
  { store }: Service,
  payments: readonly Payment[],
  tokens: KnownTokens,
): Promise<{ readonly rows: PaymentWire[]; readonly unreadable: readonly UnreadableRecord[] }> {
  const paid = payments.filter(({ attempt }) => attempt.outcome === 'paid').map(({ attempt }) => attempt.id);
  const listed = await store.listRefunds(paid);
  const refunds = new Map<AttemptId, Refund[]>();
  for (const refund of listed.refunds)
    refunds.set(refund.attemptId, [...(refunds.get(refund.attemptId) ?? []), refund]);
  const damaged = new Map(listed.unreadable.map((one) => [one.id, one]));
  const rows = payments
    .filter(({ attempt }) => !damaged.has(attempt.id))
    .map((payment) => paymentWire(payment, refunds.get(payment.attempt.id) ?? [], tokens));
  return { rows, unreadable: [...damaged.values()] };
}

/** A payment with what was given back of it. */
export function paymentWire(
  { attempt, subscription, plan }: Payment,
  refunds: readonly Refund[],
  tokens: KnownTokens,
): PaymentWire {
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0n);
  const { retries_allowed: _, ...wire } = attemptWire(attempt);
  const { periodStart, fee } = attempt;
  return {
    ...wire,
    amount_display: displayAmount(attempt.amount, plan.decimals),
    symbol: tokenName(plan, tokens).unit,
    mint: plan.mint,
    decimals: plan.decimals,
    fee_lamports: fee === null ? null : toAmountText(fee),
    period_end: periodStart && toWireDate(new Date(periodStart.getTime() + plan.periodHours * HOUR_MS)),
    plan: plan.slug,
    subscription: attempt.subscriptionId,
    wallet: subscription.wallet,
    external_id: subscription.externalId,
    email: subscription.email,
    refunded_display: displayAmount(refunded, plan.decimals),
    refunded_amount: toAmountText(refunded),
    refund_signatures: refunds.length === 0 ? null : refunds.map(({ signature }) => signature).join(' '),
    receipt_number: receiptNumber(attempt),
  };
}
