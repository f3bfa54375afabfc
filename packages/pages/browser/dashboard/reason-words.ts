type Named = Readonly<Record<string, string>>;

/** Why a payment was not made, by the reason of its attempt. */
const attemptReasons = {
  insufficient_balance: 'The wallet has too little of the token.',
  token_account_reassigned: 'The token account of the wallet belongs to another wallet.',
  token_account_frozen: 'The token account of the wallet is frozen.',
  authority_closed: 'The wallet closed the account that approves charges.',
  program_1: 'The wallet holds less than is due, or approved less.',
  program_4: 'The wallet took its approval back, or it is used up.',
  program_103: 'The wallet closed its authorisation.',
  program_136: 'The wallet made a new authorisation.',
  program_508: 'The subscription was cancelled on chain, and its end has passed.',
  cancelled: 'The customer cancelled.',
  closed_elsewhere: 'The wallet closed it without the service.',
  plan_removed: 'The plan was removed.',
  plan_replaced: 'The plan was replaced on chain.',
  plan_ended: 'The plan ended.',
  receiver_not_allowed: 'The receiving account belongs to another wallet.',
  receiver_account_missing: 'The receiver has no account for the token.',
  receiver_account_frozen: 'The account of the receiver is frozen.',
  receiver_account_needs_memo: 'The account of the receiver wants a memo.',
  receiver_account_confidential_only: 'The account of the receiver takes confidential transfers only.',
  mint_paused: 'The issuer paused the token.',
  mint_transfer_hook: 'The issuer put a hook on transfers of the token.',
  puller_not_allowed: 'The plan does not list the charger.',
  program_130: 'The charger may not pull for this plan.',
  program_501: 'The plan ended while the charge was on its way.',
  program_506: 'The receiver is no destination of the plan.',
  program_516: 'The plan was deleted while the charge was on its way.',
  program_519: 'The terms of the plan changed while the charge was on its way.',
  period_already_paid: 'The period was paid already.',
  period_missed: 'Whole periods had passed.',
  terms_missing: 'No terms were signed through the service.',
  puller_missing: 'The record of the plan lacks when it was made on chain.',
  mint_gone: 'The token does not exist any more.',
  gone_unconfirmed: 'The plan or the subscription read as gone once.',
  send_unconfirmed: 'The transaction was lost on its way.',
  landing_unknown: 'No server of Solana can tell whether the transaction landed.',
  program_400: 'The program says that the period is paid.',
  'solana_-32005': 'The server of Solana is behind, or asks for fewer requests.',
  transport: 'No server of Solana answered.',
};

/** The reasons by which payments are found. */
export const ATTEMPT_REASONS: readonly string[] = Object.keys(attemptReasons);

export const reasonWords: Named = {
  ...attemptReasons,
  parked: 'It is over the limit of subscribers, so nothing is charged.',
  approval_revoked: 'The wallet took its approval back.',
  mesub: 'The service could not make the charge: look at Health.',
  out_of_retries: 'Every retry was spent.',
  retry_deadline_passed: 'The time for retries is over.',
  closed: 'The customer closed it.',
  plan_changed: 'The customer changed to another plan.',
  superseded: 'The customer came back with a newer subscription.',
  expired: 'Nobody signed the checkout in time.',
};
