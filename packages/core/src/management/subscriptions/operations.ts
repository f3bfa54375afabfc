import { ExportText } from '../../contract/export-format.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { operation } from '../../operations/operation.js';
import { correctCustomer } from './correct-customer.js';
import { listCannotPay } from './cannot-pay.js';
import { subscriptionDetail } from './detail.js';
import { listFailing } from './failing.js';
import { exportSubscriptions } from './export.js';
import { explainSubscription } from './explanation/explain.js';
import {
  CannotPayQuery,
  type CannotPayQueryInput,
  FailingQuery,
  type FailingQueryInput,
  SubscriptionExport,
  type SubscriptionExportInput,
  SubscriptionSearch,
  type SubscriptionSearchInput,
  SubscriptionSearchQuery,
  type SubscriptionSearchQueryInput,
} from './inputs.js';
import {
  CannotPayPage,
  Explanation,
  FailingPage,
  SubscriptionCount,
  SubscriptionDetail,
  SubscriptionSearchPage,
  SubscriptionUpdate,
} from './schemas.js';
import { countSubscriptions, searchSubscriptions } from './search.js';

export const managedSubscriptionOperations = {
  /**
   * Finds subscriptions of the whole project, newest first, `limit` (1 to 100, 20 when absent) at a time:
   * those that fit every field that is given. `id` is the id of a subscription, or the address of its account
   * on chain. `status`, `late`, `blocked` and the others are those that the items show.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`. Only
   * management has it: no route of the contract lists every subscription.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * let next: string | null | undefined;
   * do {
   *   const page = await shop.subscriptions.search({ plan: 'pro', starting_after: next ?? undefined });
   *   for (const { id, next_retry_at } of page.data) console.log(id, next_retry_at);
   *   next = page.next;
   * } while (next !== null);
   */
  search: operation<(query?: SubscriptionSearchQueryInput) => Promise<SubscriptionSearchPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions',
    input: SubscriptionSearchQuery.prefault({}),
    output: SubscriptionSearchPage,
    errors: ['plan_not_found'],
    summary: "A project's subscriptions that fit every filter, of whatever status, newest first.",
    run: ({ service, project, input }) => searchSubscriptions(service, project, input),
  }),
  /**
   * Counts the subscriptions that a search with these fields would find: ten thousand at most, with
   * `or_more` when there may be more.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { count, or_more, next_charges } = await shop.subscriptions.count({ late: true });
   * console.log(`${count}${or_more ? ' or more' : ''}`);
   * for (const { amount_display, symbol, mint } of next_charges) console.log(amount_display, symbol ?? mint);
   */
  count: operation<(query?: SubscriptionSearchInput) => Promise<SubscriptionCount>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/count',
    input: SubscriptionSearch.prefault({}),
    output: SubscriptionCount,
    errors: ['plan_not_found'],
    summary:
      'How many subscriptions a search would find, up to ten thousand, and what they are charged next.',
    run: ({ service, project, input }) => countSubscriptions(service, project, input),
  }),
  /**
   * Lists those who fail to pay, newest subscriptions first, `limit` (1 to 100, 20 when absent) at a time:
   * the late and the blocked ones, each with why, since when, what it owes, its next try, and what to do.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { data } = await shop.subscriptions.failing();
   * for (const { external_id, why, owed_display, symbol, to_do } of data)
   *   console.log(external_id, why, owed_display, symbol, to_do[0]?.what);
   */
  failing: operation<(query?: FailingQueryInput) => Promise<FailingPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/failing',
    input: FailingQuery.prefault({}),
    output: FailingPage,
    errors: ['plan_not_found'],
    summary: 'The late and blocked subscriptions, with why, what is owed, and what to do.',
    run: ({ service, project, input }) => listFailing(service, project, input),
  }),
  /**
   * Reads the chain for those whose next charge would fail as it is now, the soonest charge first, `limit` (1
   * to 100, 20 when absent) at a time: each with the reason that the charge would have, what the wallet
   * holds, has approved and lacks, and what to do. Amounts are text, in the token's smallest unit.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`.
   *
   * Refuses with `not_found`, `invalid_request`, `plan_not_found` or `network_unavailable`.
   *
   * @example
   * const { data } = await shop.subscriptions.cannotPay({ days: 7 });
   * for (const { due_at, external_id, why, missing_display, symbol, to_do } of data)
   *   console.log(due_at, external_id, why, missing_display, symbol, to_do[0]?.what);
   */
  cannotPay: operation<(query?: CannotPayQueryInput) => Promise<CannotPayPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/cannot-pay',
    input: CannotPayQuery.prefault({}),
    output: CannotPayPage,
    errors: ['plan_not_found', 'network_unavailable'],
    readsChain: true,
    summary: 'The subscriptions whose next charge would fail as the chain is now, with why and what to do.',
    run: ({ service, project, input }) => listCannotPay(service, project, input),
  }),
  /**
   * Exports the subscriptions that a search with these fields would find, newest first, as the text of a
   * file: `csv` (RFC 4180, with a line of headings) or `ndjson` (an object on each line). The text comes in
   * parts, each read when it is asked for. It throws at its end when records could not be read.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * for await (const part of await shop.subscriptions.export({ format: 'csv', status: 'active' }))
   *   process.stdout.write(part);
   */
  export: operation<(filter: SubscriptionExportInput) => Promise<ExportText>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/export',
    input: SubscriptionExport,
    output: ExportText,
    errors: ['plan_not_found'],
    summary: 'The subscriptions that a search would find as a file of CSV or NDJSON, newest first.',
    run: ({ service, project, input }) => exportSubscriptions(service, project, input),
  }),
  /**
   * Reads everything of one subscription: its newest 20 attempts, events, transfers and deliveries, each with
   * `has_more`, and in `internals` what its customer does not see. Only management has it.
   *
   * Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { subscription, internals, transfers } = await shop.subscriptions.detail(id);
   * console.log(subscription.status, internals.wake_at, internals.open_transfer?.signature);
   * for (const { signature, state, amount } of transfers.data) console.log(signature, state, amount);
   */
  detail: operation<(id: string) => Promise<SubscriptionDetail>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/{id}',
    output: SubscriptionDetail,
    notFound: 'subscription_not_found',
    summary: 'One subscription with its newest attempts, events, transfers and deliveries.',
    run: ({ service, project, id }) => subscriptionDetail(service, project, id),
  }),
  /**
   * Corrects who the customer of a subscription is, such as one who paid under a mistyped email: a field that
   * is left out stays as it is, and null removes it. Access, lists and later events go by it at once.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `conflict` or
   * `subscription_changed`.
   *
   * @example
   * await shop.subscriptions.update(id, { external_id: 'customer-42', email: 'ada@example.org' });
   */
  update: operation<(id: string, changes: SubscriptionUpdate) => Promise<SubscriptionWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/subscriptions/{id}',
    input: SubscriptionUpdate,
    output: SubscriptionWire,
    notFound: 'subscription_not_found',
    errors: ['conflict', 'subscription_changed'],
    summary: 'Corrects who the customer of a subscription is.',
    run: ({ service, project, id, input }) => correctCustomer(service, project, id, input),
  }),
  /**
   * Explains a subscription in sentences, for a person: its state and why it has or has no access, what
   * happened, what happens next and when, and what can be done by whom.
   *
   * Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { state, to_do } = await shop.subscriptions.explain(id);
   * console.log(state.join(' '), to_do.map(({ who, what }) => `${who}: ${what}`));
   */
  explain: operation<(id: string) => Promise<Explanation>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/{id}/explain',
    output: Explanation,
    notFound: 'subscription_not_found',
    summary: 'A subscription in sentences: its state, what happened, what happens next, and what to do.',
    run: ({ service, project, id }) => explainSubscription(service, project, id),
  }),
};
