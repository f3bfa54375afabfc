import type { Explanation } from '../contract/explanation.js';
import type { AttemptPage } from '../contract/attempt.js';
import type { BuildAnswer, CreateAnswer } from '../contract/build.js';
import type { Confirmation } from '../contract/confirmation.js';
import type { SubscriptionUpdate } from '../contract/management.js';
import type { SubscriptionPage } from '../contract/page.js';
import type {
  AttemptsQueryInput,
  ConfirmBody,
  CreateBody,
  SubmitBody,
  SubscriptionsQueryInput,
} from '../contract/requests.js';
import type { SubscriptionDetail } from '../contract/subscription-detail.js';
import type {
  SubscriptionSearchPage,
  SubscriptionSearchQueryInput,
} from '../contract/subscription-search.js';
import type { SubscriptionWire } from '../contract/subscription.js';

/** Subscriptions: from checkout to close. */
export interface SubscriptionFunctions {
  /**
   * Reserves a subscription for 30 minutes and returns the terms and the transaction (base64) for the wallet to sign. Costs
   * are in lamports, as text.
   *
   * Refuses with `not_found`, `invalid_request`, `plan_not_found`, `plan_not_on_chain`, `plan_removed`, `plan_replaced`,
   * `plan_mismatch`, `plan_ended`, `plan_sunset`, `mint_not_on_chain`, `mint_not_transferable`, `mint_transfer_hook`, `mint_paused`, `receiver_account_missing`,
   * `receiver_account_frozen`, `receiver_account_needs_memo`, `receiver_account_confidential_only`, `insufficient_balance`,
   * `token_account_reassigned`, `token_account_frozen`, `token_account_guarded`, `insufficient_lamports`, `seat_cap_reached`, `comeback_landed`, `comeback_in_flight`, `comeback_period_rolling`,
   * `already_subscribed`, `payment_pending`, `subscription_cancelled`, `subscription_stopped`,
   * `subscription_terms_changed`, `pending_cap_reached`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { subscription, terms, transaction } = await shop.subscriptions.create({
   *   plan: 'pro',
   *   wallet: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
   *   external_id: 'customer-42',
   * });
   * // The wallet signs `terms.message` and `transaction`; `submit` takes what it signed.
   */
  create(input: CreateBody): Promise<CreateAnswer>;
  /**
   * Builds a fresh transaction for a pending subscription. Always have the wallet sign the one of the last call.
   *
   * Refuses with `not_found`, `subscription_not_found`, `not_awaiting_signature`, `plan_removed`,
   * `plan_replaced`, `plan_mismatch`, `plan_ended`, `plan_sunset`, `mint_not_on_chain`, `mint_not_transferable`, `mint_transfer_hook`, `mint_paused`, `receiver_account_missing`,
   * `receiver_account_frozen`, `receiver_account_needs_memo`, `receiver_account_confidential_only`, `insufficient_balance`,
   * `token_account_reassigned`, `token_account_frozen`, `token_account_guarded`, `insufficient_lamports`, `seat_cap_reached`, `comeback_landed`, `comeback_in_flight`, `comeback_period_rolling`, `subscription_changed` or
   * `network_unavailable`.
   *
   * @example
   * const { terms, transaction } = await shop.subscriptions.transaction(id);
   */
  transaction(id: string): Promise<CreateAnswer>;
  /**
   * Co-signs and sends the transaction that the wallet signed (base64), and stores the wallet's signature of the terms
   * (base58 or base64). It waits up to 90 seconds for the chain, and may be repeated unchanged. When nothing is settled,
   * `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `not_awaiting_signature`,
   * `transaction_not_built`, `not_our_transaction`, `wallet_mismatch`, `terms_missing`, `invalid_terms_signature`,
   * `terms_used`, `terms_expired`, `terms_changed`, `transaction_expired`, `already_subscribed`, `seat_cap_reached`,
   * `subscription_stopped`, `subscription_terms_changed`, `comeback_landed`, `comeback_in_flight`,
   * `comeback_period_rolling`, `transaction_refused`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const signed = (await request.json()) as { transaction: string; terms_signature: string };
   * const result = await shop.subscriptions.submit(id, signed);
   * if ('reason_code' in result) console.log(result.reason_code, result.reason);
   * else console.log(result.subscription.status);
   */
  submit(id: string, input: SubmitBody): Promise<Confirmation>;
  /**
   * Lists one customer's subscriptions, newest first, `limit` (1 to 100, 20 when absent) at a time.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { data, has_more } = await shop.subscriptions.list({ external_id: 'customer-42' });
   */
  list(query: SubscriptionsQueryInput): Promise<SubscriptionPage>;
  /**
   * Reads one subscription. Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { status, access, next_charge_at } = await shop.subscriptions.retrieve(id);
   */
  retrieve(id: string): Promise<SubscriptionWire>;
  /**
   * Lists the attempts to charge a subscription, newest first, `limit` (1 to 100, 20 when absent) at a time. Amounts are text, in
   * the token's smallest unit.
   *
   * Refuses with `not_found`, `invalid_request` or `subscription_not_found`.
   *
   * @example
   * const { data } = await shop.subscriptions.attempts(id, { limit: 100 });
   * for (const { outcome, reason, amount } of data) console.log(outcome, reason, amount);
   */
  attempts(id: string, query?: AttemptsQueryInput): Promise<AttemptPage>;
  /**
   * Queues the charge of the missed period, which the worker makes next. An event reports the outcome.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_late`, `subscription_paused`, `plan_ended`,
   * `retry_deadline_passed`, `retries_spent`, `pull_running`, `retry_too_soon`, `insufficient_balance`,
   * `retry_cannot_succeed`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * import { isServiceError } from '@subrail/core';
   *
   * try {
   *   await shop.subscriptions.retry(id);
   * } catch (error) {
   *   if (!isServiceError(error, 'insufficient_balance')) throw error;
   *   console.log('The wallet is still short of the token.');
   * }
   */
  retry(id: string): Promise<SubscriptionWire>;
  /**
   * Builds the cancellation (base64) for the wallet to sign and send. Nothing changes until `confirmCancel`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_active`, `subscription_cancelled`,
   * `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.subscriptions.cancel(id);
   */
  cancel(id: string): Promise<BuildAnswer>;
  /**
   * Confirms the cancellation that was sent. Its `signature` is base58. It waits up to 90 seconds for the chain; when
   * nothing is settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_active`,
   * `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { subscription } = await shop.subscriptions.confirmCancel(id, { signature });
   */
  confirmCancel(id: string, input: ConfirmBody): Promise<Confirmation>;
  /**
   * Builds the undo of a cancellation (base64) for the wallet to sign and send, until the paid period ends. Nothing changes
   * until `confirmResume`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_cancelled`, `subscription_ended`, `already_subscribed`,
   * `plan_removed`, `plan_replaced`, `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.subscriptions.resume(id);
   */
  resume(id: string): Promise<BuildAnswer>;
  /**
   * Confirms the resume that was sent. Its `signature` is base58. It waits up to 90 seconds for the chain; when nothing is
   * settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_cancelled`,
   * `subscription_ended`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { subscription } = await shop.subscriptions.confirmResume(id, { signature });
   */
  confirmResume(id: string, input: ConfirmBody): Promise<Confirmation>;
  /**
   * Builds the closing of a cancelled subscription whose end has passed (base64), for the wallet to sign and send; the
   * wallet gets its deposit back. Nothing changes until `confirmClose`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_cancelled`, `close_too_early`,
   * `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { closable } = await shop.subscriptions.retrieve(id);
   * if (closable) console.log((await shop.subscriptions.close(id)).transaction);
   */
  close(id: string): Promise<BuildAnswer>;
  /**
   * Confirms the close that was sent. Its `signature` is base58. It waits up to 90 seconds for the chain; when nothing is
   * settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_cancelled`,
   * `subscription_not_on_chain`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { subscription } = await shop.subscriptions.confirmClose(id, { signature });
   */
  confirmClose(id: string, input: ConfirmBody): Promise<Confirmation>;
  /**
   * Finds subscriptions of the whole project, newest first, `limit` (1 to 100, 20 when absent) at a time: those that fit every
   * field that is given. `id` is the id of a subscription, or the address of its account on chain. `status`, `late` and
   * `blocked` are those that the items show.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`. Only management has it:
   * no route of the contract lists every subscription.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * let next: string | null | undefined;
   * do {
   *   const page = await shop.subscriptions.search({ plan: 'pro', late: true, starting_after: next ?? undefined });
   *   for (const { id, external_id, next_retry_at } of page.data) console.log(id, external_id, next_retry_at);
   *   next = page.next;
   * } while (next !== null);
   */
  search(query?: SubscriptionSearchQueryInput): Promise<SubscriptionSearchPage>;
  /**
   * Reads everything of one subscription: its newest 20 attempts, events, transfers and deliveries, each with `has_more`, and in
   * `internals` what its customer does not see. Only management has it.
   *
   * Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { subscription, internals, transfers } = await shop.subscriptions.detail(id);
   * console.log(subscription.status, internals.wake_at, internals.open_transfer?.signature);
   * for (const { signature, state, amount, fee_lamports } of transfers.data) console.log(signature, state, amount, fee_lamports);
   */
  detail(id: string): Promise<SubscriptionDetail>;
  /**
   * Corrects who the customer of a subscription is, such as one who paid under a mistyped email: a field that is left out stays
   * as it is, and null removes it. Access, lists and later events go by it at once.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `conflict` or `subscription_changed`.
   *
   * @example
   * await shop.subscriptions.update(id, { external_id: 'customer-42', email: 'ada@example.org' });
   */
  update(id: string, changes: SubscriptionUpdate): Promise<SubscriptionWire>;
  /**
   * Explains a subscription in sentences, for a person: its state and why it has or has no access, what happened, what happens next
   * and when, and what can be done by whom.
   *
   * Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { state, to_do } = await shop.subscriptions.explain(id);
   * console.log(state.join(' '), to_do.map(({ who, what }) => `${who}: ${what}`));
   */
  explain(id: string): Promise<Explanation>;
}
