import type { BuildAnswer } from '../contract/build.js';
import type { PlanInput } from '../contract/management.js';
import type { PlanList, PlanWire } from '../contract/plan.js';

/** Plans: what a subscriber pays, how often, and to whom. */
export interface PlanFunctions {
  /**
   * Creates a plan as a draft; `publish` it next. `amount` is text, in the token's smallest unit; `period_hours` is 1 to
   * 8760; `retry_wait_minutes` is at least 15. Each of `destinations` must be an address that a wallet can own; for one off
   * the curve, such as the vault of a multisig, set `allow_off_curve_destinations`.
   *
   * Refuses with `not_found`, `invalid_request`, `forbidden`, `end_date_too_soon`, `end_date_too_far`, `mint_not_on_chain`,
   * `plan_name_taken`, `slug_taken` or `network_unavailable`.
   *
   * @example
   * // 5 tokens of 6 decimals every 30 days, to the owner's wallet.
   * await shop.plans.create({
   *   slug: 'pro',
   *   name: 'Pro',
   *   owner: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
   *   mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
   *   amount: '5000000',
   *   period_hours: 720,
   * });
   */
  create(input: PlanInput): Promise<PlanWire>;
  /**
   * Builds the transaction that creates a draft on chain, in base64, for its owner's wallet to sign and send.
   *
   * Refuses with `not_found`, `plan_not_found`, `conflict`, `forbidden` or `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.plans.publish('pro');
   * // The owner's wallet signs and sends it; then:
   * await shop.plans.confirmPublish('pro');
   */
  publish(slug: string): Promise<BuildAnswer>;
  /**
   * Publishes a draft that exists on chain with the stored values. When it differs on chain, the draft becomes `failed`
   * and is refused. A plan that is published already is returned unchanged.
   *
   * Refuses with `not_found`, `plan_not_found`, `plan_not_on_chain`, `plan_mismatch` or `network_unavailable`.
   *
   * @example
   * const { status } = await shop.plans.confirmPublish('pro');
   */
  confirmPublish(slug: string): Promise<PlanWire>;
  /**
   * Lists every published plan, active or sunset, sorted by slug. Refuses with `not_found`.
   *
   * @example
   * const { plans } = await shop.plans.list();
   */
  list(): Promise<PlanList>;
  /**
   * Reads one published plan. Its `amount` is text, in the token's smallest unit. Refuses with `not_found` or
   * `plan_not_found`.
   *
   * @example
   * const { name, amount, period_hours } = await shop.plans.retrieve('pro');
   */
  retrieve(slug: string): Promise<PlanWire>;
}
