import type { Alert, AlertKind } from '../ports/index.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The sentences of a kind of alert, and when it counts. */
export interface AlertKindFacts {
  readonly severity: Alert['severity'];
  /** The sentence with which the alert begins. */
  readonly begins: string;
  /** The sentence with which the alert ends, unless the sighting of the end has another. */
  readonly ends: string;
  /** The alert begins when it is seen again this long after the first sighting and was not over between. */
  readonly waitMs: number;
  /** The alert ends when it was not seen for this long; null when a sighting ends it. */
  readonly quietMs: number | null;
}

/** The advice for an endpoint that the service turned off. */
export const TURN_ON_AGAIN =
  'Repair the receiver, enable the endpoint, and recover what it missed; or disable it by hand.';

/** The sentences with which an alert of an endpoint ends, by its reason (alerts#endpoints). */
export const ENDPOINT_ENDINGS = {
  accepts: 'The endpoint accepts deliveries again.',
  noLongerFails: 'The endpoint accepts deliveries again, or somebody turned it off and on.',
  signed: 'Deliveries to the endpoint are signed again.',
  turnedOff: 'The service turned the endpoint off, because it answered 410 or failed for three days.',
  enabled: 'The endpoint was enabled.',
  disabled: 'The endpoint was disabled by hand.',
  deleted: 'The endpoint was deleted.',
} as const;

/** Every kind of alert (alerts#kinds). */
export const ALERT_KINDS: Readonly<Record<AlertKind, AlertKindFacts>> = {
  charger_low: {
    severity: 'warning',
    begins: "The charger's SOL pays for few more charges. Send SOL to the charger.",
    ends: "The charger's SOL pays for enough charges again.",
    waitMs: 0,
    quietMs: null,
  },
  charger_empty: {
    severity: 'error',
    begins:
      "The charger's SOL does not pay for one more charge, so nothing is charged. Send SOL to the charger.",
    ends: "The charger's SOL pays for charges again.",
    waitMs: 0,
    quietMs: null,
  },
  signer_failing: {
    severity: 'error',
    begins:
      "The charger's signer fails, so nothing is charged. Look at the key, or at the service that signs.",
    ends: "The charger's signer works again.",
    waitMs: 0,
    quietMs: null,
  },
  chain_unavailable: {
    severity: 'error',
    begins:
      'No RPC server answers, so nothing is charged and no checkout is possible. Look at the RPC servers and at the network of this machine.',
    ends: 'The RPC servers answer again.',
    waitMs: 30 * SECOND,
    quietMs: null,
  },
  chain_wrong: {
    severity: 'error',
    begins:
      'The RPC servers are on another chain than the records, so nothing is charged. Name RPC servers of the right chain, or use another database.',
    ends: 'The RPC servers are on the chain of the records.',
    waitMs: 0,
    quietMs: null,
  },
  server_failing: {
    severity: 'warning',
    begins:
      'An RPC server does not answer. Other RPC servers are asked instead. Look at the server, or replace it.',
    ends: 'The RPC server answers again.',
    waitMs: MINUTE,
    quietMs: null,
  },
  server_clock: {
    severity: 'warning',
    begins:
      "An RPC server's clock differs from this machine's by more than two minutes. Other RPC servers are asked instead. Replace the server.",
    ends: "The RPC server's clock agrees with this machine's again, so it is asked again.",
    waitMs: 0,
    quietMs: null,
  },
  host_clock: {
    severity: 'warning',
    begins:
      "Every RPC server's clock differs from this machine's by the same, more than two minutes. Set this machine's clock.",
    ends: "The RPC servers' clocks no longer all differ from this machine's.",
    // A clock that is set is wrong for some seconds, and the servers are asked again within a minute.
    waitMs: MINUTE,
    quietMs: null,
  },
  plan_without_charger: {
    severity: 'warning',
    begins:
      'A plan on chain does not list the charger as a puller, so nothing is charged for it. Ask its owner to add the charger.',
    ends: 'The plan lists the charger as a puller again.',
    waitMs: 0,
    quietMs: null,
  },
  plan_incomplete: {
    severity: 'warning',
    begins:
      'The record of a plan lacks when it was made on chain, so nothing is charged for it. Confirm the publication of the plan.',
    ends: 'The record of the plan is complete.',
    waitMs: 0,
    quietMs: 30 * MINUTE,
  },
  charges_blocked: {
    severity: 'warning',
    begins:
      "Charges are blocked for a reason on the service's side. The page of charge errors says what the reason means and what to do.",
    ends: 'No charge was blocked for this reason for half an hour.',
    waitMs: 0,
    quietMs: 30 * MINUTE,
  },
  transactions_lost: {
    severity: 'warning',
    begins:
      'Transactions that were sent never land. Look at the RPC servers, or bid a higher compute unit price.',
    ends: 'No more transactions are lost.',
    waitMs: 0,
    // A lost charge is sent again, and known to be lost again, sooner than this.
    quietMs: 30 * MINUTE,
  },
  store_unavailable: {
    severity: 'error',
    begins: 'The store does not serve the worker. What was due stays due. Look at the database.',
    ends: 'The store serves the worker again.',
    waitMs: 0,
    quietMs: null,
  },
  pass_failing: {
    severity: 'error',
    begins: 'A pass of the worker failed. What was due stays due.',
    ends: 'The pass works again.',
    waitMs: 0,
    quietMs: null,
  },
  pass_standing: {
    severity: 'error',
    begins:
      'A pass of the worker has not run for three of its intervals, or hangs. What was due stays due. If this lasts, restart the host, and report it with the log.',
    ends: 'The pass runs again.',
    waitMs: 0,
    quietMs: null,
  },
  subscriptions_failing: {
    severity: 'error',
    begins:
      'The worker fails on some subscriptions, so nothing is charged for them. The log names each with its error.',
    ends: 'The worker no longer fails on subscriptions.',
    waitMs: 0,
    quietMs: 5 * MINUTE,
  },
  sealing_key_wrong: {
    severity: 'error',
    begins:
      'The sealing key opens no stored secret, so no webhook can be signed. Start with the key that sealed them, as the sealing key or as an older one, or rotate the secret of every endpoint without an overlap.',
    ends: 'The sealing key opens the stored secrets.',
    waitMs: 0,
    quietMs: null,
  },
  sealing_keys_differ: {
    severity: 'warning',
    begins:
      'This process signs deliveries that could not be signed when they were tried before: another host on the database has other sealing keys, or this one had before its last start. Give every host the same keys.',
    ends: 'For an hour this process has sent nothing that could not be signed before.',
    waitMs: 0,
    quietMs: 60 * MINUTE,
  },
  endpoint_failing: {
    severity: 'warning',
    begins:
      'The deliveries to an endpoint fail. They are tried again for three days, and then the endpoint is turned off. Look at the receiver.',
    ends: 'This process has sent nothing for a day to an endpoint that failed.',
    waitMs: MINUTE,
    quietMs: 24 * 60 * MINUTE,
  },
  endpoint_cannot_sign: {
    severity: 'error',
    begins:
      'No secret of an endpoint opens with the sealing keys, so nothing is sent to it. Add the key that sealed them as an older one, or rotate the secret without an overlap.',
    ends: 'This process has had nothing to send for a day to an endpoint that cannot be signed for.',
    waitMs: 0,
    quietMs: 24 * 60 * MINUTE,
  },
  endpoint_turned_off: {
    severity: 'warning',
    begins: `An endpoint was turned off, because it answered 410 or failed for three days. Its events are not sent. ${TURN_ON_AGAIN}`,
    ends: 'The endpoint is not turned off any more.',
    waitMs: 0,
    quietMs: null,
  },
  mail_server_failing: {
    severity: 'error',
    begins:
      'The mail server does not answer, refuses the log-in, or takes no more mails for now, so no mail is sent. What is due is tried again for a day. Mend the settings of mail or the server: a test mail says what it answers.',
    ends: 'The mail server takes mails again.',
    waitMs: 0,
    quietMs: null,
  },
  mails_given_up: {
    severity: 'warning',
    begins:
      'Mails were not accepted for a day, so they are not tried again. Each says why in the list of mails, where it can be sent again.',
    ends: 'No mail was given up for a day.',
    waitMs: 0,
    quietMs: 24 * 60 * MINUTE,
  },
  events_held: {
    severity: 'error',
    begins:
      'The snapshots of some events cannot be made, so they and the later ones of their subscriptions are not sent. The log says why. They are tried again once a minute.',
    ends: 'The snapshots of all events are made.',
    waitMs: 0,
    quietMs: 5 * MINUTE,
  },
};
