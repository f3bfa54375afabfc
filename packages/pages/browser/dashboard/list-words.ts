import type { EventType } from '@subrail/core/schemas';

/** The texts of the page Payments. */
export const paymentWords = {
  caption: 'Payments, newest first',
  hint: 'Email, id, wallet, account or signature',
  token: 'Token',
  anyToken: 'Every token',
  outcome: 'Outcome',
  anyOutcome: 'Every outcome',
  reason: 'Reason',
  anyReason: 'Every reason',
  from: 'From (UTC)',
  to: 'To and including (UTC)',
  spans: {
    today: 'Today',
    week: '7 days',
    month: '30 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    always: 'Always',
  },
  span: 'Span',
  sums: 'In this span',
  payments: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'payment' : 'payments'}`,
  periods: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'period' : 'periods'}`,
  recovered: 'Recovered',
  fees: 'Network fees',
  customer: 'Customer',
  plan: 'Plan and period',
  periodFrom: 'from',
  signature: 'Signature and fee',
  fee: (amount: string) => `fee ${amount}`,
  givenBack: (amount: string) => `${amount} given back`,
  refund: 'Record a refund',
  refundAsk: (amount: string, name: string) =>
    `You paid ${amount} back to ${name}, or a part of it, from a wallet. The chain says how much it was.`,
  refundSignature: 'Signature of that transaction',
  refunded: 'The refund is recorded.',
  empty: 'Nothing was charged yet. The first payment stands here once a customer has subscribed.',
  nothingOf: (text: string) =>
    `No payment that fits is of a customer with exactly “${text}” as email, id, wallet or account. A part of it finds nothing.`,
  nothing: 'No payment fits. Take a longer span, or take a filter away.',
  noSignature: 'No payment that fits has this signature. Look at the transaction:',
};

/** The texts of the files of a list. */
export const fileWords = {
  save: 'Save as a file',
  formats: { csv: 'CSV', ndjson: 'NDJSON' },
  saving: 'The browser saves the file now.',
  needsHttps: 'A browser saves files over https alone. The command subrail export writes them too.',
};

/** The types of events, each with what it tells. */
export const eventWords: Readonly<Record<EventType, string>> = {
  'subscription.created': 'The first payment landed.',
  'subscription.access_granted': 'The customer has access from now on.',
  'subscription.access_revoked': 'The customer has no access any more.',
  'subscription.renewal_upcoming': 'A charge comes soon, and whether the wallet could pay it.',
  'subscription.renewed': 'A later payment landed.',
  'subscription.payment_failed': 'A charge was rejected, and when the next try comes.',
  'subscription.stopped': 'No more retries: the subscription stopped.',
  'subscription.cancelled': 'The customer cancelled.',
  'subscription.resumed': 'The customer took the cancellation back.',
  'subscription.ended': 'The subscription is over.',
  'subscription.expired': 'A checkout was never signed.',
  'subscription.paused': 'It is over the limit of subscribers, and charged no more.',
  'subscription.unpaused': 'It is charged again.',
};
