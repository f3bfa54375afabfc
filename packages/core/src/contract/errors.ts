/** One error of the contract. A code never moves to another status and is never reused (contract, Errors). */
interface ErrorFacts {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;
  /** Whether the same request sent again unchanged may succeed later. */
  readonly retryable: boolean;
  /** Seconds of `Retry-After` when the cause names no better figure. */
  readonly retryAfter?: number;
  /** The sentence used when the refusal has no more to say. */
  readonly message: string;
}

const facts = <Codes extends string>(table: Record<Codes, ErrorFacts>): Record<Codes, ErrorFacts> => table;

/** errors#stable-error-codes, the one table of error codes: routes, management functions and OpenAPI read it. */
export const ERRORS = facts({
  invalid_request: { status: 400, retryable: false, message: 'The request is not valid.' },
  unsupported_version: { status: 400, retryable: false, message: 'This version is not served.' },
  mint_not_on_chain: { status: 400, retryable: false, message: "The plan's token does not exist on chain." },
  not_our_transaction: {
    status: 400,
    retryable: false,
    message: 'This is not the transaction built last for this subscription, signed by its wallet.',
  },
  nothing_to_confirm: {
    status: 400,
    retryable: false,
    message: 'No transaction was built for this since the subscription last changed.',
  },
  end_date_too_soon: {
    status: 400,
    retryable: false,
    message: 'The end date is too soon: a plan runs for a period and five minutes at least.',
  },
  end_date_too_far: {
    status: 400,
    retryable: false,
    message: 'The end date is too far away: it must be within 100 years.',
  },
  missing_api_key: {
    status: 401,
    retryable: false,
    message: 'No well-formed API key was sent. Send it as "Authorization: Bearer SUB_...".',
  },
  invalid_api_key: { status: 401, retryable: false, message: 'This API key is not known, or was revoked.' },
  forbidden: { status: 403, retryable: false, message: "The project's tier does not allow this." },
  terms_missing: {
    status: 403,
    retryable: false,
    message: 'No terms were handed out for this subscription.',
  },
  invalid_terms_signature: {
    status: 403,
    retryable: false,
    message: "This is not the wallet's signature of the current terms. Have it sign terms.message as it is.",
  },
  terms_expired: {
    status: 403,
    retryable: false,
    message: 'The terms expired. Ask for a fresh transaction and have its terms signed.',
  },
  terms_used: {
    status: 403,
    retryable: false,
    message: 'The terms were spent by another submit. Ask for a fresh transaction and have its terms signed.',
  },
  not_found: { status: 404, retryable: false, message: 'There is nothing here.' },
  plan_not_found: { status: 404, retryable: false, message: 'No plan of this project has that slug.' },
  subscription_not_found: {
    status: 404,
    retryable: false,
    message: 'No subscription of this project has that id.',
  },
  event_not_found: { status: 404, retryable: false, message: 'No event of this project has that id.' },
  already_subscribed: {
    status: 409,
    retryable: false,
    message: 'This wallet already has a running subscription to this plan.',
  },
  payment_pending: {
    status: 409,
    retryable: false,
    message: 'This wallet has a subscription to this plan that is late and being retried.',
  },
  subscription_cancelled: {
    status: 409,
    retryable: false,
    message: 'The subscription is cancelled already.',
  },
  subscription_stopped: {
    status: 409,
    retryable: false,
    message: 'The subscription was stopped and cannot be come back on. Close it before subscribing again.',
  },
  subscription_terms_changed: {
    status: 409,
    retryable: false,
    message: "The plan's terms changed since the subscription stopped.",
  },
  comeback_in_flight: {
    status: 409,
    retryable: true,
    retryAfter: 10,
    message: 'An earlier return of this wallet may still land. Ask again in a few seconds.',
  },
  comeback_landed: { status: 409, retryable: false, message: 'An earlier return of this wallet landed.' },
  comeback_period_rolling: {
    status: 409,
    retryable: true,
    retryAfter: 150,
    message: 'The period is about to change. Try again just after it has.',
  },
  insufficient_balance: {
    status: 409,
    retryable: false,
    message: 'The wallet holds less of the token than the period costs. Top it up and try again.',
  },
  seat_cap_reached: {
    status: 409,
    retryable: false,
    message: 'The project has no free seat for another subscriber.',
  },
  plan_not_on_chain: { status: 409, retryable: false, message: 'The plan is a draft and not on chain yet.' },
  plan_sunset: { status: 409, retryable: false, message: 'The plan takes no new subscriber.' },
  plan_ended: { status: 409, retryable: false, message: 'The plan has ended.' },
  plan_removed: { status: 409, retryable: false, message: 'The plan no longer exists on chain.' },
  plan_replaced: { status: 409, retryable: false, message: 'Another plan stands at its address on chain.' },
  plan_mismatch: {
    status: 409,
    retryable: false,
    message: 'The plan on chain is not the plan on record. Its owner must mend it.',
  },
  receiver_account_missing: {
    status: 409,
    retryable: false,
    message: "The receiving wallet has no account for the plan's token.",
  },
  wallet_mismatch: {
    status: 409,
    retryable: false,
    message: 'The transaction was signed by another wallet.',
  },
  not_awaiting_signature: {
    status: 409,
    retryable: false,
    message:
      'The subscription no longer awaits a signature. It is settled, expired or failed: read the subscription to see which.',
  },
  transaction_not_built: {
    status: 409,
    retryable: false,
    message: 'No transaction was built for this subscription. Ask for one first.',
  },
  transaction_expired: {
    status: 409,
    retryable: false,
    message: 'The transaction is past its 150 blocks. Nothing was sent; ask for a fresh one.',
  },
  transaction_refused: {
    status: 409,
    retryable: false,
    message: 'The chain would refuse this transaction. Nothing was sent; ask for a fresh one.',
  },
  terms_changed: {
    status: 409,
    retryable: false,
    message: 'The plan changed since the terms were handed out. Ask for a fresh transaction.',
  },
  subscription_changed: {
    status: 409,
    retryable: true,
    retryAfter: 1,
    message: 'Another call moved the subscription on. Look at it again and repeat the call if still needed.',
  },
  subscription_not_active: {
    status: 409,
    retryable: false,
    message: 'Only an active, unpaid or stopped subscription can be cancelled.',
  },
  subscription_not_cancelled: {
    status: 409,
    retryable: false,
    message: 'There is no cancellation of this subscription to undo or to close on.',
  },
  subscription_ended: {
    status: 409,
    retryable: false,
    message: 'The paid period is over. Close the subscription, then subscribe again.',
  },
  close_too_early: {
    status: 409,
    retryable: false,
    message: 'The end of the subscription has not passed yet.',
  },
  subscription_not_on_chain: {
    status: 409,
    retryable: false,
    message: 'The subscription no longer exists on chain.',
  },
  subscription_not_late: {
    status: 409,
    retryable: false,
    message: 'No payment of the subscription is late.',
  },
  subscription_paused: {
    status: 409,
    retryable: false,
    message: "The subscription's seat is parked over the project's subscriber limit.",
  },
  retry_cannot_succeed: {
    status: 409,
    retryable: false,
    message: 'The retry cannot succeed: the wallet no longer allows the charge.',
  },
  retries_spent: { status: 409, retryable: false, message: 'The retries of the missed period are spent.' },
  retry_deadline_passed: { status: 409, retryable: false, message: 'The time for retries has passed.' },
  retry_too_soon: {
    status: 409,
    retryable: true,
    retryAfter: 60,
    message: 'The wait since the last try is not over.',
  },
  pull_running: {
    status: 409,
    retryable: true,
    retryAfter: 10,
    message: 'A charge is running now. Wait for its outcome.',
  },
  conflict: { status: 409, retryable: false, message: 'Something else already stands there.' },
  plan_name_taken: { status: 409, retryable: false, message: 'Another plan of the project has that name.' },
  slug_taken: { status: 409, retryable: false, message: 'Another plan of the project has that slug.' },
  end_date_stale: {
    status: 409,
    retryable: false,
    message: 'The end date changed meanwhile. Look at the plan again.',
  },
  payload_too_large: { status: 413, retryable: false, message: 'The body is larger than 100 kB.' },
  rate_limited: {
    status: 429,
    retryable: true,
    retryAfter: 60,
    message: 'Too many calls. Wait and try again.',
  },
  pending_cap_reached: {
    status: 429,
    retryable: true,
    retryAfter: 60,
    message: 'Too many checkouts await a signature. Sign one of them, or wait until one expires.',
  },
  internal_error: { status: 500, retryable: true, message: 'Something went wrong on our side. Try again.' },
  unavailable: {
    status: 503,
    retryable: true,
    retryAfter: 5,
    message: 'The service cannot serve this right now. Try again in a few seconds.',
  },
  network_unavailable: {
    status: 503,
    retryable: true,
    retryAfter: 10,
    message: 'The chain does not answer. Try again in a few seconds.',
  },
});

export type ErrorCode = keyof typeof ERRORS;

/**
 * A refusal of the service, thrown by every operation and turned into the error body by the fetch handler.
 * Embedded callers catch it and branch on `code`, never on `message`.
 */
export class ServiceError extends Error {
  readonly status: ErrorFacts['status'];
  readonly retryable: boolean;
  /** Whole seconds to wait, or null when waiting changes nothing. */
  readonly retryAfter: number | null;
  /** One sentence a request did wrong each; the body's `message` is this list when validation failed. */
  readonly sentences: readonly string[] | null;

  constructor(
    readonly code: ErrorCode,
    more: { message?: string; sentences?: readonly string[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(more.message ?? more.sentences?.join(' ') ?? ERRORS[code].message, { cause: more.cause });
    this.name = 'ServiceError';
    this.status = ERRORS[code].status;
    this.retryable = ERRORS[code].retryable;
    this.retryAfter = more.retryAfter ?? ERRORS[code].retryAfter ?? null;
    this.sentences = more.sentences ?? null;
  }
}
