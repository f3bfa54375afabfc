/**
 * What can go wrong on the service's own side:
 * - `charger_low`: the charger's SOL pays for fewer charges than the setting `warnBelowCharges` asks for;
 * - `charger_empty`: the charger's SOL does not pay for one more charge, so nothing is charged;
 * - `signer_failing`: the charger's signer failed, so nothing is charged;
 * - `chain_unavailable`: no RPC server has answered for half a minute;
 * - `chain_wrong`: the RPC servers are on another chain than the records, so nothing is charged;
 * - `server_failing`: one RPC server does not answer, and others are asked instead;
 * - `server_clock`: the clock of one RPC server is wrong, and others are asked instead;
 * - `host_clock`: every RPC server's clock differs from this machine's by the same;
 * - `plan_without_charger`: a plan on chain does not list the charger as a puller, so nothing is charged for it;
 * - `plan_incomplete`: the record of a plan lacks what a charge needs;
 * - `charges_blocked`: charges are blocked for a reason on the service's side, which the subject names;
 * - `transactions_lost`: transactions that were sent never land;
 * - `store_unavailable`: the store does not serve the worker;
 * - `pass_failing`: a pass of the worker ended with an error;
 * - `pass_standing`: a pass of the worker does not run;
 * - `subscriptions_failing`: the worker cannot read, work on or write some subscriptions;
 * - `sealing_key_wrong`: no sealing key opens a stored secret, so no webhook can be signed;
 * - `sealing_keys_differ`: what this process signs could not be signed by another one, whose sealing keys are others;
 * - `endpoint_failing`: the deliveries to an endpoint fail;
 * - `endpoint_cannot_sign`: no secret of an endpoint opens with the sealing keys, so nothing is sent to it;
 * - `endpoint_turned_off`: the service turned an endpoint off, because it answered 410 or failed for three days;
 * - `events_held`: the snapshots of some events cannot be made, so they are neither listed nor sent.
 */
export type AlertKind =
  | 'charger_low'
  | 'charger_empty'
  | 'signer_failing'
  | 'chain_unavailable'
  | 'chain_wrong'
  | 'server_failing'
  | 'server_clock'
  | 'host_clock'
  | 'plan_without_charger'
  | 'plan_incomplete'
  | 'charges_blocked'
  | 'transactions_lost'
  | 'store_unavailable'
  | 'pass_failing'
  | 'pass_standing'
  | 'subscriptions_failing'
  | 'sealing_key_wrong'
  | 'sealing_keys_differ'
  | 'endpoint_failing'
  | 'endpoint_cannot_sign'
  | 'endpoint_turned_off'
  | 'events_held';

/** An alert that lasts. */
export interface Alert {
  /** The kind, and after a colon the subject when there is one. Of two alerts at the same time no two have the same. */
  readonly key: string;
  readonly kind: AlertKind;
  /** Its subject: a plan's or an endpoint's id, the number of an RPC server, a reason, a pass; null when the kind says it all. */
  readonly subject: string | null;
  /** `error`: something is not charged or not sent. `warning`: that will come about, unless someone acts. */
  readonly severity: 'warning' | 'error';
  /**
   * A sentence for the operator that says what is wrong and what to do, the same for every alert of the kind. Of an alert that
   * ended it says that it did, and where there are several reasons, why.
   */
  readonly message: string;
  /** The figures when it began. No secret is among them. */
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** Since when it lasts, by the service's clock, which differs from this machine's while a chain's time is moved. */
  readonly since: Date;
}

/** The begin or the end of an alert. */
export interface AlertNotification extends Alert {
  readonly change: 'began' | 'ended';
  /** When it began or ended, by the service's clock. */
  readonly at: Date;
}

/**
 * Tells the operator of alerts, such as by a message to whoever is on call.
 *
 * @example
 * const alertNotifier: AlertNotifier = {
 *   async notify({ change, key, message }) {
 *     await fetch('https://pager.example/alerts', { method: 'POST', body: JSON.stringify({ change, key, message }) });
 *   },
 * };
 */
export interface AlertNotifier {
  /**
   * Called once when an alert begins and once when it ends, one call after the other. Each process reports what it
   * sees. A call that rejects is logged and not repeated; one that takes longer than 30 seconds is no longer waited
   * for. Neither holds up the worker.
   */
  notify(notification: AlertNotification): Promise<void>;
}
