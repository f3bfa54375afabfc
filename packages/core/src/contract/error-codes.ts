/** An error code of the contract. A code keeps its status for good and is never reused. */
export interface ErrorFacts {
  readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 417 | 429 | 431 | 500 | 501 | 503;
  /** Whether the same request sent again unchanged may succeed later. */
  readonly retryable: boolean;
  /** The seconds of `Retry-After`, unless the refusal states its own. */
  readonly retryAfter?: number;
  /** The message, unless the refusal states its own. */
  readonly message: string;
}

/** Facts as the table has them: most codes are not retryable. */
type DeclaredFacts = Omit<ErrorFacts, 'retryable'> & { readonly retryable?: true };

const facts = <Codes extends string>(table: Record<Codes, DeclaredFacts>) =>
  Object.fromEntries(
    Object.entries<DeclaredFacts>(table).map(([code, declared]) => [code, { retryable: false, ...declared }]),
  ) as Record<Codes, ErrorFacts>;

/** Every error code, with its status, whether the same request may succeed later, and its default message. */
export const ERRORS = facts({
  invalid_request: {
    status: 400,
    message: 'The request is not valid. Correct what the message names and send it again.',
  },
  unsupported_version: {
    status: 400,
    message: 'The header Service-Version names a version that is not served.',
  },
  mint_not_on_chain: { status: 400, message: "The plan's token does not exist on chain." },
  not_our_transaction: {
    status: 400,
    message: 'This is not the transaction built last for this subscription, signed by its wallet.',
  },
  nothing_to_confirm: {
    status: 400,
    message:
      'No transaction was built for this action since the subscription last changed. Request one, have it signed and sent, then confirm.',
  },
  end_date_too_soon: {
    status: 400,
    message: 'The end date is too soon: it must be at least one period and five minutes from now.',
  },
  end_date_too_far: {
    status: 400,
    message: 'The end date is too far away: it must be within 100 years from now.',
  },
  missing_api_key: {
    status: 401,
    message: 'No well-formed API key was sent. Send it as "Authorization: Bearer SUB_...".',
  },
  invalid_api_key: { status: 401, message: 'This API key is unknown or revoked. Send a valid one.' },
  invalid_session: {
    status: 401,
    message: 'This session is unknown or was deleted. Open the page from where you came once more.',
  },
  not_logged_in: { status: 401, message: 'Nobody is logged in. Log in and try again.' },
  session_expired: {
    status: 403,
    message: 'The session has expired. Open the page from where you came once more.',
  },
  forbidden: { status: 403, message: "The project's tier does not allow this." },
  terms_missing: {
    status: 403,
    message: 'No terms were issued for this subscription. Request a transaction first.',
  },
  invalid_terms_signature: {
    status: 403,
    message:
      "This is not the wallet's signature of the current terms. Have it sign terms.message as it is, and send what it says it signed as terms_signed_message.",
  },
  terms_expired: {
    status: 403,
    message: 'The terms expired. Request a fresh transaction and have its terms signed.',
  },
  terms_used: {
    status: 403,
    message: 'The terms were used by another submit. Request a fresh transaction and have its terms signed.',
  },
  not_found: { status: 404, message: 'Nothing was found under this name.' },
  plan_not_found: { status: 404, message: 'No plan of this project has that slug.' },
  subscription_not_found: { status: 404, message: 'No subscription of this project has that id.' },
  session_not_found: { status: 404, message: 'No checkout of this project has that id.' },
  link_not_found: { status: 404, message: 'No plan link has that id.' },
  event_not_found: { status: 404, message: 'No event of this project has that id.' },
  request_timeout: { status: 408, retryable: true, retryAfter: 1, message: 'The request came too slowly.' },
  link_ended: { status: 409, message: 'This link was ended by whoever made it.' },
  session_complete: { status: 409, message: 'This checkout is paid. Open a new one to subscribe again.' },
  session_full: {
    status: 409,
    message:
      'This session has reserved all the subscriptions that it may. Go on with a wallet that it has already, or in another session.',
  },
  already_subscribed: {
    status: 409,
    message: 'This wallet already has a running subscription to this plan.',
  },
  payment_pending: {
    status: 409,
    message: 'This wallet has a subscription to this plan that is late and being retried.',
  },
  subscription_cancelled: { status: 409, message: 'The subscription is cancelled already.' },
  subscription_stopped: {
    status: 409,
    message: 'The subscription was stopped and cannot be paid again. Close it before subscribing again.',
  },
  subscription_terms_changed: {
    status: 409,
    message: "The plan's terms changed since the subscription stopped. Close it before subscribing again.",
  },
  not_replaceable: {
    status: 409,
    message:
      'The subscription to be replaced is not running, or is cancelled. Subscribe to the plan without "replaces".',
  },
  nothing_to_replace: {
    status: 409,
    message:
      'This wallet pays for no subscription to the plan that the link replaces. Use a wallet that does, or subscribe without this link.',
  },
  change_in_flight: {
    status: 409,
    retryable: true,
    retryAfter: 10,
    message: 'A change of plan that replaces this subscription may still land. Try again in a few seconds.',
  },
  comeback_in_flight: {
    status: 409,
    retryable: true,
    retryAfter: 10,
    message: 'An earlier comeback payment of this wallet may still land. Try again in a few seconds.',
  },
  comeback_landed: {
    status: 409,
    message: 'An earlier comeback payment of this wallet landed. Read its subscriptions again.',
  },
  comeback_period_rolling: {
    status: 409,
    retryable: true,
    retryAfter: 150,
    message: 'One period is ending and the next is beginning. Try again after the time in Retry-After.',
  },
  insufficient_balance: {
    status: 409,
    message:
      'The wallet holds less of the token than the period costs. Ask the customer to top it up, then make the call again.',
  },
  seat_cap_reached: { status: 409, message: 'The project has no free seat for another subscriber.' },
  plan_not_on_chain: { status: 409, message: 'The plan is a draft and not on chain yet.' },
  plan_sunset: { status: 409, message: 'The plan takes no new subscriber.' },
  plan_ended: { status: 409, message: 'The plan has ended.' },
  plan_removed: { status: 409, message: 'The plan no longer exists on chain.' },
  plan_replaced: { status: 409, message: "Another plan exists at the plan's address on chain." },
  plan_mismatch: {
    status: 409,
    message: 'The plan on chain differs from the plan on record. Its owner must correct it.',
  },
  receiver_account_missing: {
    status: 409,
    message: "The receiving wallet has no account for the plan's token. Its owner must create one.",
  },
  receiver_account_frozen: {
    status: 409,
    message:
      "The receiver's account for the token is frozen, so nobody can pay the plan. Only the token's issuer can thaw it.",
  },
  receiver_account_needs_memo: {
    status: 409,
    message:
      "The receiver's account refuses payments without a memo, so nobody can pay the plan. Its owner can turn that off.",
  },
  receiver_account_confidential_only: {
    status: 409,
    message:
      "The receiver's account takes confidential payments only, so nobody can pay the plan. Its owner can allow public ones.",
  },
  mint_paused: {
    status: 409,
    message: "The token's issuer has paused every transfer of it. Try again once that is over.",
  },
  mint_transfer_hook: {
    status: 409,
    message: 'Every transfer of the token runs a program of its issuer, and no such token can be charged.',
  },
  mint_not_transferable: {
    status: 409,
    message: "The plan's token cannot be transferred, so nobody can pay with it.",
  },
  mint_amount_scaled: {
    status: 409,
    message: 'Wallets show amounts of this token times a factor that moves, so no price in it would stay.',
  },
  token_account_reassigned: {
    status: 409,
    message:
      "The wallet's account for the token belongs to another wallet, so it cannot pay from it. Have it given back to the wallet, then make the call again.",
  },
  token_account_frozen: {
    status: 409,
    message:
      "The wallet's account for the token is frozen, so it cannot pay. Only the token's issuer can thaw it.",
  },
  token_account_guarded: {
    status: 409,
    message:
      "The wallet's account for the token has its CPI guard on, which refuses the approval that a subscription needs. Have the customer turn it off in the wallet, then make the call again.",
  },
  insufficient_lamports: {
    status: 409,
    message:
      'The wallet has too little SOL for what signing costs. Have the customer add some, then make the call again.',
  },
  wallet_mismatch: { status: 409, message: 'The transaction was signed by another wallet.' },
  not_awaiting_signature: {
    status: 409,
    message:
      'The subscription no longer awaits a signature. It is settled, expired or failed: read the subscription to see which.',
  },
  transaction_not_built: {
    status: 409,
    message: 'No transaction was built for this subscription. Request one first.',
  },
  transaction_expired: {
    status: 409,
    message: 'The transaction expired: it is older than 150 blocks. Nothing was sent; request a fresh one.',
  },
  transaction_refused: {
    status: 409,
    message: 'The chain would refuse this transaction. Nothing was sent; request a fresh one.',
  },
  terms_changed: {
    status: 409,
    message: 'The plan changed since the terms were issued. Request a fresh transaction.',
  },
  subscription_changed: {
    status: 409,
    retryable: true,
    retryAfter: 1,
    message:
      'Another call changed the subscription. Read it again, and repeat the call if it is still needed.',
  },
  subscription_not_active: {
    status: 409,
    message: 'Only an active, unpaid or stopped subscription can be cancelled.',
  },
  subscription_not_cancelled: {
    status: 409,
    message: 'The subscription is not cancelled, so it can be neither resumed nor closed.',
  },
  subscription_ended: {
    status: 409,
    message: 'The paid period is over. Close the subscription, then subscribe again.',
  },
  close_too_early: {
    status: 409,
    message: 'The subscription has not reached its end yet. Close it after closable_from.',
  },
  subscription_not_on_chain: { status: 409, message: 'The subscription no longer exists on chain.' },
  subscription_not_late: {
    status: 409,
    message: 'No payment of the subscription is late, so there is nothing to retry.',
  },
  subscription_paused: {
    status: 409,
    message: "The subscription's seat is parked over the project's subscriber limit.",
  },
  retry_cannot_succeed: {
    status: 409,
    message: 'The retry cannot succeed: the wallet no longer allows the charge.',
  },
  retries_spent: { status: 409, message: 'All retries of the missed period are used.' },
  retry_deadline_passed: {
    status: 409,
    message: 'The deadline for retries of the missed period has passed.',
  },
  retry_too_soon: {
    status: 409,
    retryable: true,
    retryAfter: 60,
    message: 'The last attempt was too recent. Wait for the time in Retry-After.',
  },
  pull_running: {
    status: 409,
    retryable: true,
    retryAfter: 10,
    message: 'A charge is running now. Wait for its outcome.',
  },
  conflict: { status: 409, message: 'This conflicts with something that exists already.' },
  plan_name_taken: { status: 409, message: 'Another plan of the project has that name.' },
  slug_taken: { status: 409, message: 'Another plan of the project has that slug.' },
  end_date_stale: { status: 409, message: 'The end date changed in the meantime. Read the plan again.' },
  payload_too_large: { status: 413, message: 'The body is larger than 100 kB. Send a smaller one.' },
  expectation_failed: { status: 417, message: 'Send no header Expect of this value.' },
  headers_too_large: { status: 431, message: 'Send fewer headers, or shorter ones.' },
  rate_limited: {
    status: 429,
    retryable: true,
    retryAfter: 60,
    message: 'Too many calls. Wait for the time in Retry-After, then try again.',
  },
  pending_cap_reached: {
    status: 429,
    retryable: true,
    retryAfter: 60,
    message: 'Too many checkouts await a signature. Sign one of them, or wait until one expires.',
  },
  internal_error: { status: 500, retryable: true, message: 'Something went wrong on our side. Try again.' },
  not_supported: {
    status: 501,
    message: 'The store of this service does not keep what this needs. Ask whoever runs the service.',
  },
  unavailable: {
    status: 503,
    retryable: true,
    retryAfter: 5,
    message: 'The service is not available right now. Try again in a few seconds.',
  },
  network_unavailable: {
    status: 503,
    retryable: true,
    retryAfter: 10,
    message: 'The chain does not answer. Try again in a few seconds.',
  },
});

/** A code of the contract. Branch on it, and keep a default branch: new codes may appear. */
export type ErrorCode = keyof typeof ERRORS;
