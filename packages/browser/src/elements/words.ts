import type { AttemptWire, SubscriptionStatus, SubscriptionWire } from '@subrail/core/schemas';
import type { Language, NextStep } from '../sentences.js';
import { type ReceiptWords, ENGLISH_RECEIPT_WORDS } from './receipt-words.js';
import { ENGLISH_WALLET_WORDS, type WalletWords } from './wallet-words.js';

/** An action of a customer that has a button. */
type ActionName = 'cancel' | 'resume' | 'close' | 'retry' | 'subscribe';

/** The words of the elements, besides the sentences of the engine. */
export interface Words {
  readonly testNetwork: string;
  readonly localNetwork: string;
  readonly paidBy: (service: string, network: string) => string;
  readonly back: string;

  // Checkout.
  readonly opening: string;
  readonly subscribeTo: (plan: string) => string;
  readonly changeTo: (plan: string) => string;
  readonly changePlan: string;
  readonly endsNow: string;
  readonly endsPaidUntil: (plan: string, day: string) => string;
  readonly preparing: string;
  readonly plans: string;
  readonly otherPlans: string;
  /** The mark of a plan that the customer pays for already. */
  readonly mine: string;
  readonly chooseWallet: string;
  readonly noWallet: string;
  readonly noWalletDesk: string;
  readonly noWalletPhone: string;
  readonly getWallet: (wallet: string) => string;
  readonly openIn: (wallet: string) => string;
  readonly onPhone: string;
  readonly scan: string;
  readonly qrName: string;
  readonly copy: string;
  readonly copied: string;
  readonly inApps: string;
  readonly noneYet: string;
  readonly connectTo: (wallet: string) => string;
  readonly approveConnection: (wallet: string) => string;
  readonly review: string;
  readonly wallet: string;
  readonly account: string;
  readonly change: string;
  readonly email: string;
  readonly emailHint: string;
  readonly terms: string;
  /** Says that the terms are in English; null in English. */
  readonly termsLanguage: string | null;
  readonly now: string;
  readonly fee: (sol: string) => string;
  readonly deposit: (sol: string) => string;
  readonly then: string;
  readonly untilCancelled: (price: string) => string;
  readonly asksTwice: string;
  readonly pay: (price: string) => string;
  readonly payChange: (price: string) => string;
  readonly changed: string;
  readonly before: (value: string) => string;
  readonly nothing: string;
  readonly steps: readonly [terms: string, payment: string, chain: string];
  readonly progress: string;
  readonly preparingPayment: string;
  readonly signTerms: (wallet: string) => string;
  readonly signTermsHint: string;
  readonly signPayment: (wallet: string) => string;
  readonly signPaymentHint: string;
  readonly notSigned: string;
  readonly submitting: string;
  readonly submittingHint: string;
  readonly complete: (plan: string | null) => string;
  readonly continueTo: (project: string) => string;
  readonly goingTo: (project: string) => string;
  /** The heading of a page that shows a problem alone, by what can be done. */
  readonly failed: Readonly<Record<NextStep, string>>;
  readonly missing: (amount: string, needed: string) => string;
  readonly sendTo: (network: string) => string;
  readonly copyAddress: string;
  readonly addressCopied: string;
  readonly details: string;

  // Portal.
  readonly subscriptions: string;
  readonly looking: string;
  readonly none: string;
  readonly status: Readonly<Record<SubscriptionStatus, string>>;
  readonly paused: string;
  readonly ended: string;
  readonly planChanged: string;
  /** What comes before a comeback, where an account has to be closed. */
  readonly closeFirst: string;
  readonly late: Readonly<Record<NonNullable<SubscriptionWire['late_reason']>, string>>;
  /** What follows once no try to pay a missed period is left. */
  readonly noTryLeft: string;
  readonly stopped: Readonly<Record<NonNullable<SubscriptionWire['stop_reason']>, string>>;
  readonly blockedCharges: string;
  readonly nothingCharged: string;
  readonly nextCharge: string;
  readonly nextRetry: string;
  readonly stops: string;
  readonly paidUntil: string;
  readonly accessUntil: string;
  readonly closableFrom: string;
  readonly paysWith: string;
  readonly topUp: string;
  readonly actions: Readonly<Record<ActionName, string>>;
  readonly payNow: (amount: string) => string;
  readonly actionOf: (action: string, plan: string) => string;
  readonly cancelling: (plan: string) => string;
  readonly keptUntil: string;
  readonly cancel: string;
  readonly keep: string;
  readonly payments: string;
  readonly paymentsSum: (count: number, amount: string | null) => string;
  readonly readingPayments: string;
  readonly older: string;
  readonly receipt: string;
  readonly onSolana: string;
  readonly receiptOf: (date: string) => string;
  readonly showReceiptOf: (date: string) => string;
  readonly receiptPage: ReceiptWords;
  readonly outcomes: Readonly<Record<AttemptWire['outcome'], string>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly otherReason: string;
  readonly connectPayer: (wallet: string) => string;
  readonly acting: Readonly<
    Record<'connecting' | 'preparing' | 'signing' | 'sending' | 'confirming', string>
  >;
  readonly refresh: string;
  readonly ofWallet: WalletWords;
}

/** A language of the elements: that of the engine with the words around its sentences. */
export interface ElementLanguage extends Language {
  readonly words: Words;
}

/** The words in English. */
export const ENGLISH_WORDS: Words = {
  testNetwork: 'Test network',
  localNetwork: 'a local Solana',
  paidBy: (service, network) => `${service}, on ${network}`,
  back: 'Back',

  opening: 'Opening the checkout…',
  subscribeTo: (plan) => `Subscribe to ${plan}`,
  changeTo: (plan) => `Change to ${plan}`,
  changePlan: 'Change the plan',
  endsNow: 'Ends now',
  endsPaidUntil: (plan, day) => `${plan}, which is paid until ${day}: nothing of it is given back`,
  preparing: 'Preparing your subscription…',
  plans: 'Choose a plan',
  otherPlans: 'Other plans',
  mine: 'You have it',
  chooseWallet: 'Choose your wallet',
  noWallet: 'No wallet was found',
  noWalletDesk: 'You need a Solana wallet. Add one to this browser and come back, or use your phone.',
  noWalletPhone: 'You need a Solana wallet. Open this page in the app of yours.',
  getWallet: (wallet) => `Get ${wallet}`,
  openIn: (wallet) => `Open in ${wallet}`,
  onPhone: 'Use your phone',
  scan: 'Scan this with your phone to open this page there.',
  qrName: 'A QR code with the address of this page',
  copy: 'Copy the address of this page',
  copied: 'Copied. Keep it to yourself: anyone who has it sees this page.',
  inApps: 'Open this page in a wallet app',
  noneYet: 'No wallet app yet?',
  connectTo: (wallet) => `Connecting to ${wallet}`,
  approveConnection: (wallet) =>
    `Approve the connection in ${wallet}. It lets this page see your address, and nothing more.`,
  review: 'Check and pay',
  wallet: 'Wallet',
  account: 'Account',
  change: 'Change',
  email: 'Email (optional)',
  emailHint: 'For notices about this subscription.',
  terms: 'The terms that your wallet signs',
  termsLanguage: null,
  now: 'You pay now',
  fee: (sol) => `The fee of Solana is ${sol}.`,
  deposit: (sol) => `${sol} is a deposit, which comes back when you close the subscription.`,
  then: 'After that',
  untilCancelled: (price) => `${price}, until you cancel`,
  asksTwice: 'Your wallet asks twice: first to sign the terms, then for the payment.',
  pay: (price) => `Subscribe and pay ${price}`,
  payChange: (price) => `Change and pay ${price}`,
  changed: 'This changed',
  before: (value) => `before: ${value}`,
  nothing: 'nothing',
  steps: ['Agree', 'Pay', 'Confirm'],
  progress: 'Progress',
  preparingPayment: 'Preparing your payment…',
  signTerms: (wallet) => `Sign the terms in ${wallet}`,
  signTermsHint: 'They say in full what you have just read. Signing them moves no money.',
  signPayment: (wallet) => `Approve the payment in ${wallet}`,
  signPaymentHint:
    'This pays the first period and starts your subscription. Your wallet asks nothing after that.',
  notSigned: 'Not signed yet',
  submitting: 'Your payment is on its way',
  submittingHint: 'Solana confirms it within seconds. You may close this page: the payment goes on.',
  complete: (plan) => (plan === null ? 'You are subscribed' : `You are subscribed to ${plan}`),
  continueTo: (project) => `Continue to ${project}`,
  goingTo: (project) => `Taking you back to ${project}…`,
  failed: {
    again: 'This did not work',
    check_again: 'One thing is missing',
    wait: 'One moment, please',
    choose_wallet: 'This wallet cannot pay',
    log_in: 'Log in to go on',
    open_portal: 'Nothing to pay here',
    go_back: 'Not available',
    none: 'Nothing to do here',
  },
  missing: (amount, needed) => `Add ${amount}: the wallet has to hold ${needed}.`,
  sendTo: (network) => `The address of the wallet on ${network}`,
  copyAddress: 'Copy the address',
  addressCopied: 'Copied.',
  details: 'Details',

  subscriptions: 'Your subscriptions',
  looking: 'Looking for your subscriptions…',
  none: 'You have no subscription here yet.',
  status: {
    pending: 'Not paid yet',
    active: 'Active',
    unpaid: 'Payment missing',
    cancelled: 'Cancelled',
    stopped: 'Stopped',
    ended: 'Ended',
    failed: 'Failed',
    expired: 'Expired',
    superseded: 'Replaced',
  },
  paused: 'The shop has paused this subscription. Nothing is charged meanwhile.',
  ended: 'This subscription is over. Nothing more is charged.',
  planChanged: 'You changed to another plan. Nothing more is charged for this one.',
  closeFirst: 'Close it before you subscribe again with this wallet.',
  late: {
    insufficient_balance: 'The last payment failed: the wallet had too little. Top it up, then pay now.',
    approval_revoked:
      'The last payment failed: the wallet took back its approval. Subscribe again once the subscription has stopped.',
    authority_closed:
      'The last payment failed: the wallet no longer allows this charge. Once the subscription has stopped, close it, then subscribe again.',
  },
  noTryLeft:
    'No further try to pay the last period is left. Subscribe again once the subscription has stopped.',
  stopped: {
    out_of_retries: 'Every try to charge the last period failed, so nothing more is charged.',
    retry_deadline_passed: 'The last period was not paid in time, so nothing more is charged.',
    authority_closed: 'The wallet no longer allows the charges, so nothing more is charged.',
  },
  blockedCharges: 'The shop cannot receive payments at the moment. There is nothing that you have to do.',
  nothingCharged: 'Nothing more is charged.',
  nextCharge: 'Next payment',
  nextRetry: 'Next try',
  stops: 'Stops',
  paidUntil: 'Paid until',
  accessUntil: 'Access until',
  closableFrom: 'Deposit back from',
  paysWith: 'Paid from',
  topUp: 'Top up the wallet',
  actions: {
    cancel: 'Cancel',
    resume: 'Resume',
    close: 'Close and get the deposit back',
    retry: 'Pay now',
    subscribe: 'Subscribe again',
  },
  payNow: (amount) => `Pay ${amount} now`,
  actionOf: (action, plan) => `${action}: ${plan}`,
  cancelling: (plan) => `Cancel ${plan}?`,
  keptUntil: 'You keep what you paid for until',
  cancel: 'Cancel the subscription',
  keep: 'Keep it',
  payments: 'Payments',
  paymentsSum: (count, amount) =>
    count === 0
      ? 'No payment yet.'
      : `${count} ${count === 1 ? 'payment' : 'payments'}${amount === null ? '' : `, ${amount} in all`}.`,
  readingPayments: 'Reading the payments…',
  older: 'Show older ones',
  receipt: 'Receipt',
  onSolana: 'On Solana’s explorer',
  receiptOf: (date) => `Receipt of ${date}, on Solana`,
  showReceiptOf: (date) => `Receipt of ${date}`,
  receiptPage: ENGLISH_RECEIPT_WORDS,
  outcomes: { paid: 'Paid', skipped: 'Not charged', rejected: 'Failed', blocked: 'Held back' },
  reasons: {
    insufficient_balance: 'The wallet had too little of the token.',
    token_account_frozen: 'The issuer of the token froze the account.',
    token_account_reassigned: 'The account of the token belongs to another wallet.',
    authority_closed: 'The wallet no longer allows this charge.',
    program_1: 'The wallet had too little of the token, or approved too little.',
    program_4: 'The wallet took back its approval.',
    program_103: 'The wallet no longer allows this charge.',
    program_136: 'The wallet no longer allows this charge.',
    cancelled: 'It was cancelled.',
    closed_elsewhere: 'It was closed.',
    plan_ended: 'The plan ended.',
    plan_removed: 'The plan is gone.',
    period_already_paid: 'The period was paid already.',
    mint_paused: 'The issuer paused the token.',
  },
  otherReason: 'It could not be charged.',
  connectPayer: (wallet) => `Choose the wallet that pays for it, ${wallet}. It signs the change.`,
  acting: {
    connecting: 'Approve the connection in your wallet.',
    preparing: 'Preparing it…',
    signing: 'Approve it in your wallet.',
    sending: 'Sending it to Solana…',
    confirming: 'Solana confirms it within seconds, rarely in more than a minute.',
  },
  refresh: 'Refresh',
  ofWallet: ENGLISH_WALLET_WORDS,
};
