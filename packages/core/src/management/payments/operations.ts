import { operation } from '../../operations/operation.js';
import { listPayments } from './list.js';
import { PaymentPage, PaymentQuery, type PaymentQueryInput } from './schemas.js';

export const paymentOperations = {
  /**
   * Lists the payments of the whole project, which are the attempts to charge its subscriptions, newest
   * first, `limit` (1 to 100, 20 when absent) at a time: those that fit every field that is given. `from` and
   * `to` are days in UTC, of which the last one is in the list, or instants.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`. Only
   * management has it.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { data } = await shop.payments.list({ from: '2026-10-01', to: '2026-10-31', outcome: 'paid' });
   * for (const { attempted_at, amount_display, symbol, signature } of data)
   *   console.log(attempted_at, amount_display, symbol, signature);
   */
  list: operation<(query?: PaymentQueryInput) => Promise<PaymentPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/payments',
    input: PaymentQuery.prefault({}),
    output: PaymentPage,
    errors: ['plan_not_found'],
    summary: "A project's payments that fit every filter, newest first.",
    run: ({ service, project, input }) => listPayments(service, project, input),
  }),
};
