import type { CustomerAction, ErrorBody, ReasonCode } from '@subrail/core/schemas';

/** The code of an error that the service answers. */
type ErrorCode = ErrorBody['code'];

/**
 * The next step after a problem: `again` and `check_again` repeat what was refused, `wait` repeats it later,
 * `choose_wallet` takes another wallet or account, `log_in` is the app's, `open_portal` shows what is there
 * already, `go_back` leaves the page, and `none` is the end.
 */
export type NextStep =
  | 'again'
  | 'check_again'
  | 'wait'
  | 'choose_wallet'
  | 'log_in'
  | 'open_portal'
  | 'go_back'
  | 'none';

const SHOP = 'Nothing was charged. The shop has to correct this: go back and tell it.';
const TOKEN = 'Nothing was charged. Go back and ask the shop for another way to pay.';
const OPEN_ANEW = 'Open it again from where you came.';

/**
 * Every problem that a customer can meet: the next step, and the sentence. The first ones are the codes of
 * errors and the reasons of the contract, the last ones are found on the page itself.
 */
export const PROBLEMS = {
  // The call.
  invalid_request: ['again', 'The service did not accept this. Correct it and try again.'],
  unsupported_version: ['go_back', 'This page is out of date. Reload it.'],
  missing_api_key: ['go_back', `This page was opened without its key. ${OPEN_ANEW}`],
  invalid_session: ['go_back', `This page is no longer known. ${OPEN_ANEW}`],
  not_logged_in: ['log_in', 'You are not logged in. Log in and try again.'],
  session_expired: ['go_back', `The time of this page is over. ${OPEN_ANEW}`],
  session_complete: ['open_portal', 'This checkout is paid already.'],
  session_full: [
    'choose_wallet',
    'Too many wallets were tried here. Use one of them again, or open the page again from where you came.',
  ],
  link_not_found: ['go_back', 'This link leads nowhere. Ask whoever gave it to you for another one.'],
  link_ended: ['go_back', 'This link was ended. Ask whoever gave it to you for another one.'],
  not_found: ['go_back', 'The service has nothing at this address. Go back and try again.'],
  not_supported: ['go_back', 'This service has no checkout. Go back and tell the shop.'],
  forbidden: ['go_back', 'The service does not allow this. Go back and tell the shop.'],
  request_timeout: ['again', 'The connection is too slow. Try again.'],
  payload_too_large: ['choose_wallet', 'The wallet made the transaction too large. Use another wallet.'],
  expectation_failed: [
    'go_back',
    'Something between you and the service changed the call. Try another network.',
  ],
  headers_too_large: [
    'go_back',
    'Something between you and the service changed the call. Try another network.',
  ],
  rate_limited: ['wait', 'This was tried too often. Try again in {seconds} seconds.'],
  internal_error: ['again', 'Something went wrong at the service. Try again.'],
  unavailable: ['again', 'The service is not available right now. Try again in a few seconds.'],
  network_unavailable: ['again', 'Solana does not answer at the moment. Try again in a few seconds.'],

  // The plan, its token and its receiver.
  plan_not_found: ['go_back', 'This plan is not offered any more. Go back and choose another one.'],
  plan_not_on_chain: ['go_back', 'This plan is not on sale yet. Go back and choose another one.'],
  plan_sunset: ['go_back', 'This plan takes no new subscribers. Go back and choose another one.'],
  plan_ended: ['go_back', 'This plan has ended, or ends within minutes. Go back and choose another one.'],
  plan_removed: ['go_back', 'This plan is gone from Solana. Go back and choose another one.'],
  plan_replaced: ['go_back', SHOP],
  plan_mismatch: ['go_back', SHOP],
  seat_cap_reached: ['go_back', 'The shop has no free place for another subscriber. Go back and tell it.'],
  mint_not_on_chain: ['go_back', `The token of this plan does not exist. ${TOKEN}`],
  mint_not_transferable: ['go_back', `The token of this plan cannot be transferred. ${TOKEN}`],
  mint_transfer_hook: ['go_back', `The token of this plan cannot be charged. ${TOKEN}`],
  mint_paused: ['check_again', 'The issuer of the token has paused it, so nobody can pay with it now.'],
  receiver_account_missing: ['go_back', `The shop cannot receive this token yet. ${SHOP}`],
  receiver_account_frozen: ['go_back', `The account of the shop is frozen. ${SHOP}`],
  receiver_account_needs_memo: ['go_back', `The account of the shop refuses this payment. ${SHOP}`],
  receiver_account_confidential_only: ['go_back', `The account of the shop refuses this payment. ${SHOP}`],

  // The wallet and its money.
  insufficient_balance: ['check_again', 'The wallet has too little of the token. Top it up, then try again.'],
  insufficient_lamports: [
    'check_again',
    'The wallet has too little SOL for the costs. Add some, then try again.',
  ],
  token_account_guarded: [
    'check_again',
    "The wallet's account for the token has its CPI guard on, which refuses subscriptions. Turn it off in the wallet, then try again.",
  ],
  token_account_reassigned: [
    'choose_wallet',
    "The wallet's account for the token belongs to another wallet. Use another wallet.",
  ],
  token_account_frozen: [
    'choose_wallet',
    "The wallet's account for the token is frozen by the token's issuer. Use another wallet.",
  ],
  wallet_mismatch: ['choose_wallet', 'Another wallet signed than the one you chose. Nothing was charged.'],

  // Subscriptions that are there already.
  already_subscribed: ['open_portal', 'You are subscribed to this plan already.'],
  payment_pending: [
    'open_portal',
    'You are subscribed already, and a payment is missing. You can pay it there.',
  ],
  subscription_cancelled: [
    'open_portal',
    'You have a cancelled subscription to this plan. Resume it, or close it once it is over, then subscribe again.',
  ],
  subscription_stopped: [
    'open_portal',
    'You have a stopped subscription to this plan, which cannot be paid again. Close it, then subscribe again.',
  ],
  subscription_terms_changed: [
    'open_portal',
    'The plan changed since your subscription stopped. Close it, then subscribe again.',
  ],
  comeback_landed: [
    'open_portal',
    'An earlier payment of this wallet has arrived. Look at your subscriptions.',
  ],
  comeback_in_flight: [
    'wait',
    'An earlier payment of this wallet may still arrive. Try again in {seconds} seconds.',
  ],
  not_replaceable: [
    'open_portal',
    'The subscription from which you change is cancelled or over. Look at your subscriptions for what you can do with it.',
  ],
  nothing_to_replace: [
    'choose_wallet',
    'This wallet does not pay for the plan from which you change. Use a wallet that does, or ask the shop for another link.',
  ],
  change_in_flight: ['wait', 'A change of your plan may still arrive. Try again in {seconds} seconds.'],
  comeback_period_rolling: [
    'wait',
    'One billing period is ending and the next is beginning. Try again in {seconds} seconds.',
  ],
  pending_cap_reached: ['wait', 'Too many checkouts are open. Try again in {seconds} seconds.'],
  subscription_not_found: ['again', 'This subscription is not known here. Begin again.'],
  subscription_changed: ['again', 'The subscription changed just now. Try again.'],

  // Terms and transactions.
  not_awaiting_signature: [
    'again',
    'This checkout is over: it took too long, or it was paid in another place. Begin again to see which.',
  ],
  transaction_not_built: ['again', 'The payment has to be prepared again. Nothing was charged.'],
  not_our_transaction: [
    'again',
    'The wallet changed the transaction, or another tab prepared a newer one. Nothing was charged. Try again.',
  ],
  transaction_expired: ['again', 'The transaction was signed too late and has expired. Nothing was charged.'],
  transaction_refused: ['check_again', 'Solana would refuse this payment. Nothing was charged. Check again.'],
  transaction_failed: ['again', 'Solana refused the payment. Nothing was charged. Try again.'],
  terms_missing: ['again', 'The terms have to be signed first. Try again.'],
  invalid_terms_signature: [
    'again',
    'The wallet did not sign the terms as they are. Nothing was charged. Try again, or use another wallet.',
  ],
  terms_expired: ['again', 'The terms were signed too long ago. Nothing was charged. Sign them again.'],
  terms_used: ['again', 'These terms were used by another payment. Sign the new ones to pay again.'],
  terms_changed: ['again', 'The terms changed. Nothing was charged. Read the new ones.'],
  nothing_landed: ['again', 'Solana does not show it yet. It may still arrive, so look again in a moment.'],

  // Outcomes of a subscription.
  subscription_mismatch: ['again', 'Something else arrived on Solana than was agreed. Begin again.'],
  subscription_remade: ['open_portal', 'The payment arrived, and the subscription was closed since.'],
  dev_not_running: ['again', 'The subscription arrived cancelled or not paid in full. Begin again.'],
  earlier_subscription_running: [
    'open_portal',
    'Your earlier subscription runs again, and the payment counts for it.',
  ],
  subscription_not_active: ['none', 'This subscription is not running, so there is nothing to cancel.'],
  subscription_not_cancelled: [
    'none',
    'This subscription is not cancelled, so it cannot be resumed or closed.',
  ],
  subscription_ended: [
    'none',
    'The paid time is over, so it cannot be resumed. Close it, then subscribe again.',
  ],
  close_too_early: ['none', 'The subscription is not over yet. Close it once it is.'],
  subscription_not_on_chain: [
    'none',
    'The subscription is gone from Solana already. This will show within a day.',
  ],
  nothing_to_confirm: ['again', 'Nothing was sent. Try again.'],
  cancellation_not_landed: ['again', 'Solana does not show the cancellation yet. Look again in a moment.'],
  resume_not_landed: ['again', 'Solana does not show it as resumed yet. Look again in a moment.'],
  close_not_landed: ['again', 'Solana does not show it as closed yet. Look again in a moment.'],
  cancelled_subscription_remade: ['none', 'The subscription was closed and made again. It stays cancelled.'],
  resume_unverified: [
    'none',
    'It cannot be told whether this is the subscription that was cancelled. It stays cancelled.',
  ],

  // The payment of a missed period.
  subscription_not_late: ['none', 'No payment is missing.'],
  subscription_paused: ['none', 'The shop has paused this subscription. Nothing is charged meanwhile.'],
  retry_cannot_succeed: [
    'none',
    'The wallet no longer allows this charge. Subscribe again once the subscription has stopped.',
  ],
  retries_spent: ['none', 'All tries for this payment are used.'],
  retry_deadline_passed: ['none', 'It is too late to pay this period.'],
  retry_too_soon: ['wait', 'The last try was a moment ago. Try again in {seconds} seconds.'],
  pull_running: ['wait', 'A payment is running now. Look again in {seconds} seconds.'],

  // Found on the page.
  no_answer: ['again', 'The service cannot be reached. Check your connection and try again.'],
  submit_unanswered: [
    'again',
    'The signed payment was sent, and no answer came. It may have arrived. Go on with the same payment: you are never charged twice.',
  ],
  invalid_email: ['again', 'Write the email like name@example.com, or leave it empty.'],
  unknown_code: ['again', 'The service refused this. Try again.'],
  page_failed: ['again', 'Something went wrong on this page. Try again.'],
  other_tab: ['again', 'This is open in another tab of your browser. Finish it there, or close that tab.'],
  wallet_only_sends: ['choose_wallet', 'It sends what it signs, so the service cannot add its signature.'],
  wallet_signs_no_messages: ['choose_wallet', 'It cannot sign a text, so it cannot sign the terms.'],
  wallet_signs_no_transactions: ['choose_wallet', 'It cannot sign transactions of Solana.'],
  wallet_signs_nothing: ['choose_wallet', 'It does not connect to pages.'],
  wallet_refused: ['again', '{wallet} did not allow it. Nothing was charged. Try again.'],
  wallet_failed: [
    'again',
    '{wallet} could not do it. Nothing was charged. Try again, or use another wallet.',
  ],
  wallet_app_missing: ['choose_wallet', 'No wallet app was found. Install one, or use another wallet.'],
  wallet_not_connected: ['again', '{wallet} did not connect. Unlock it, and try again.'],
  wallet_locked: ['again', '{wallet} gave no account. Unlock it, and connect it again.'],
  wallet_no_account: [
    'again',
    '{wallet} has no account on {network}. Switch its network, and connect it again.',
  ],
  wallet_other_account: [
    'again',
    '{wallet} gave another account than the one that pays for this subscription, {account}. Choose that one in the wallet.',
  ],
  account_changed: ['none', 'The wallet switched to another account. Look whether it is the right one.'],
  charge_missed: ['check_again', 'The payment did not go through. Top up the wallet, and try again.'],
  retry_running: ['check_again', 'The payment was ordered and is not settled yet. Look again in a minute.'],
} as const satisfies Readonly<Record<string, readonly [next: NextStep, sentence: string]>>;

/** The code of a problem: of an error, of a reason, or one that the page itself found. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The codes of problems that no answer has. */
export type LocalCode = Exclude<ProblemCode, ErrorCode | ReasonCode>;

/** The codes of problems that say something else of a change than of a payment. */
type ChangeCode = Extract<
  ProblemCode,
  | 'wallet_refused'
  | 'wallet_failed'
  | 'not_our_transaction'
  | 'transaction_refused'
  | 'transaction_failed'
  | 'transaction_expired'
  | 'subscription_cancelled'
  | 'subscription_not_cancelled'
>;

const NOT_TAKEN = 'Solana did not take the transaction.';

/** The sentences of a page in one language. A text has its names in braces, such as `{wallet}`. */
export interface Language {
  /** Such as `en`: for numbers, dates, and the attribute `lang`. */
  readonly locale: string;
  /** The sentence for each problem. */
  readonly problems: Readonly<Record<ProblemCode, string>>;
  /** The words on the button of each next step. */
  readonly steps: Readonly<Record<NextStep, string>>;
  /** The sentence after each action of the portal. */
  readonly done: Readonly<Record<Exclude<CustomerAction, 'subscribe' | 'change'>, string>>;
  /** The sentences for problems of a change, for which nothing is paid. A problem without one has its own. */
  readonly changes: Readonly<Record<ChangeCode, string>>;
  /** The sentence after a change that was not made. */
  readonly kept: Readonly<Record<'cancel' | 'resume' | 'close', string>>;
  /** The sentence after a change whose outcome is not known. */
  readonly mayLand: string;
  /** The sentence while a call that got no answer is made again. */
  readonly delay: string;
  /** The words on the button that leads to the page of a project. */
  readonly backTo: (project: string) => string;
  /** The names of the networks. */
  readonly networks: Readonly<Record<'devnet' | 'mainnet-beta', string>>;
  /** The word for a token without a symbol. */
  readonly tokens: string;
  /** A period, such as `every 30 days`. */
  readonly every: (count: number, unit: 'day' | 'hour') => string;
  /** The price in dollars of today. */
  readonly about: (dollars: string) => string;
}

/**
 * The sentences in English. Another language is an object of the same type.
 *
 * @example
 * import { createCheckout, ENGLISH, type Language } from '@subrail/browser';
 *
 * const shorter: Language = { ...ENGLISH, steps: { ...ENGLISH.steps, again: 'Retry' } };
 * createCheckout({ session: 'chs_abc', language: shorter });
 */
export const ENGLISH: Language = {
  locale: 'en',
  problems: Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, [, sentence]]) => [code, sentence]),
  ) as Language['problems'],
  steps: {
    again: 'Try again',
    check_again: 'Check again',
    wait: 'Try again',
    choose_wallet: 'Use another wallet',
    log_in: 'Log in',
    open_portal: 'Show my subscriptions',
    go_back: 'Go back',
    none: 'Close',
  },
  done: {
    cancel: 'Cancelled. Solana confirmed it, and nothing more is charged.',
    resume: 'Resumed. It goes on as before you cancelled.',
    close: 'Closed. Its deposit was returned.',
    retry: 'Paid. The subscription goes on.',
  },
  changes: {
    wallet_refused: '{wallet} did not allow it.',
    wallet_failed: '{wallet} could not do it.',
    not_our_transaction: 'The wallet changed the transaction.',
    transaction_refused: NOT_TAKEN,
    transaction_failed: NOT_TAKEN,
    transaction_expired: NOT_TAKEN,
    subscription_cancelled: 'It is cancelled on Solana already. This will show within a day.',
    subscription_not_cancelled: 'It is not cancelled on Solana. This will show within a day.',
  },
  kept: {
    cancel: 'Nothing was changed: the subscription is not cancelled.',
    resume: 'Nothing was changed: the subscription stays cancelled.',
    close: 'Nothing was changed: the subscription is not closed.',
  },
  mayLand:
    'Solana does not show it yet, and it may still take effect. Look again in a minute before you try again.',
  delay: 'The service does not answer yet. This page asks it again.',
  backTo: (project) => `Back to ${project}`,
  networks: { devnet: 'Solana devnet', 'mainnet-beta': 'Solana mainnet' },
  tokens: 'tokens',
  every: (count, unit) => `every ${count === 1 ? unit : `${count} ${unit}s`}`,
  about: (dollars) => `about ${dollars} today`,
};
