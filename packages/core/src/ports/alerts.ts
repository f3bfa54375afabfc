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
 * - `plan_without_charger`: a plan does not list the charger as a puller, so nothing is charged for it;
 * - `plan_incomplete`: the record of a plan lacks what a charge needs;
 * - `charges_blocked`: charges are blocked for a reason on the service's side, which the subject names;
 * - `transactions_lost`: transactions that were sent never land;
 * - `store_unavailable`: the store does not serve the worker;
 * - `pass_failing`: a pass of the worker ended with an error;
 * - `pass_standing`: a pass of the worker does not run;
 * - `subscriptions_failing`: the worker cannot read, work on or write some subscriptions;
 * - `sealing_key_wrong`: no sealing key opens a stored secret, so no webhook can be signed;
 * - `sealing_keys_differ`: another process has other sealing keys, so it could not sign what this one signs;
 * - `endpoint_failing`: the deliveries to an endpoint fail;
 * - `endpoint_cannot_sign`: no secret of an endpoint opens with the sealing keys, so nothing is sent to it;
 * - `endpoint_turned_off`: the service turned off an endpoint that answered 410 or failed for three days;
 * - `mail_server_failing`: the mail server does not answer, refuses the log-in, or takes no more mails for
 *   now;
 * - `mails_given_up`: mails were not accepted for a day, and are not tried again;
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
  | 'mail_server_failing'
  | 'mails_given_up'
  | 'events_held';

/** An alert that lasts. */
export interface Alert {
  /** The kind, and after a colon the subject when there is one. No two alerts at one time share a key. */
  readonly key: string;
  readonly kind: AlertKind;
  /** The id of a plan or an endpoint, the number of an RPC server, a reason, a pass; null without one. */
  readonly subject: string | null;
  /** `error`: something is not charged or not sent. `warning`: that follows unless the operator acts. */
  readonly severity: 'warning' | 'error';
  /**
   * A sentence for the operator, the same for every alert of the kind: what is wrong and what to do. For an
   * ended alert: that it ended, and why where there are several reasons.
   */
  readonly message: string;
  /** The figures at the beginning, without secrets. */
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** The beginning by the service's clock, which differs from the machine's while chain time is moved. */
  readonly since: Date;
}

/** The beginning or the end of an alert. */
export interface AlertNotification extends Alert {
  readonly change: 'began' | 'ended';
  /** When it began or ended, by the service's clock. */
  readonly at: Date;
}

/**
 * Tells the operator of alerts, such as by a message to the person on call.
 *
 * @example
 * const alertNotifier: AlertNotifier = {
 *   async notify({ change, key, message }) {
 *     const body = JSON.stringify({ change, key, message });
 *     await fetch('https://pager.example/alerts', { method: 'POST', body });
 *   },
 * };
 */
export interface AlertNotifier {
  /**
   * Called once when an alert begins and once when it ends, one call after the other. Each process reports
   * the alerts it sees. A call that rejects is logged and not repeated. After 30 seconds a call is no longer
   * waited for. Neither holds up the worker.
   */
  notify(notification: AlertNotification): Promise<void>;
}
