import type { MailLanguage } from './language.js';

/** The mails in English. */
export const ENGLISH: MailLanguage = {
  locale: 'en',
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
    ...['September', 'October', 'November', 'December'],
  ],
  day: (day, month, year) => `${day} ${month} ${year}`,
  marks: { decimal: '.', group: ',' },
  tokens: 'tokens',
  every: (count, unit) => `every ${count === 1 ? unit : `${count} ${unit}s`}`,

  subject: {
    receipt: ({ project, plan, amount }) => `Receipt from ${project} for ${plan}: ${amount}`,
    renewal_ahead: ({ project, plan, due }) => `${plan} at ${project} renews on ${due}`,
    cannot_pay: ({ project, plan }) => `Your wallet cannot pay for ${plan} at ${project} yet`,
    payment_failed: ({ project, plan }) => `Your payment for ${plan} at ${project} failed`,
    last_try: ({ project, plan, due }) => `Without a payment, ${plan} at ${project} stops on ${due}`,
    stopped: ({ project, plan }) => `Your subscription to ${plan} at ${project} has stopped`,
    cancelled: ({ project, plan }) => `Your subscription to ${plan} at ${project} is cancelled`,
    ended: ({ project, plan }) => `Your subscription to ${plan} at ${project} has ended`,
    plan_ends: ({ project, plan, due }) => `${plan} at ${project} ends on ${due}`,
  },
  heading: {
    receipt: 'Your payment has arrived',
    renewal_ahead: 'Your subscription renews soon',
    cannot_pay: 'Your wallet cannot pay yet',
    payment_failed: 'Your payment did not go through',
    last_try: 'Your subscription is about to stop',
    stopped: 'Your subscription has stopped',
    cancelled: 'Your subscription is cancelled',
    ended: 'Your subscription has ended',
    plan_ends: 'Your plan ends soon',
  },
  actions: {
    pay: 'Pay now',
    receipt: 'See your receipt',
    subscribe: 'Subscribe again',
    resume: 'Resume',
    show: 'See your subscription',
  },
  footer: [
    ({ project, plan }) =>
      `You get this mail because ${project} has this address for your subscription to ${plan}.`,
    () => 'Its link opens your subscription for whoever has it, so keep this mail to yourself.',
  ],

  test: 'This is a test: nothing was paid, the receipt is a sample, and the link opens no subscription.',

  causes: {
    balance: ({ wallet, missing }) =>
      missing === null
        ? `Your wallet ${wallet} holds too little for it.`
        : `Your wallet ${wallet} lacks ${missing} of it.`,
    balance_or_approval: ({ wallet }) => `Your wallet ${wallet} holds less than that, or has approved less.`,
    approval: ({ wallet }) => `Your wallet ${wallet} has taken back its approval of the charges.`,
    authority: ({ wallet }) =>
      `Your wallet ${wallet} has withdrawn its permission for these charges for good.`,
    frozen: ({ wallet }) => `The issuer of the token has frozen the account of your wallet ${wallet}.`,
    reassigned: ({ wallet }) => `The token account of your wallet ${wallet} now belongs to another wallet.`,
    too_late: ({ plan, amount }) => `The payment of ${amount} for ${plan} did not come in time.`,
    other: ({ code }) =>
      code === null ? 'The reason is not known.' : `The reason on record is the code ${code}.`,
  },
  remedies: {
    balance_or_approval: ({ amount }) =>
      `Make sure that the wallet holds ${amount}. If it does, its approval is too small: subscribe again once this subscription has stopped, and the wallet approves the charges anew.`,
    approval: () =>
      'Subscribe again once this subscription has stopped: the wallet then approves the charges anew.',
    authority: () =>
      'Once this subscription has stopped, close it, which returns its deposit, and subscribe again.',
    frozen: () =>
      'Only the issuer can lift that. Ask there, or subscribe again with another wallet once this subscription has stopped.',
    reassigned: () => 'Subscribe again with another wallet once this subscription has stopped.',
  },
  access: ({ access }) => `Your access lasts until ${access}.`,
  noAccess: 'Your access has ended, and comes back with the payment.',
  nothingToDo: 'Otherwise there is nothing to do.',

  rows: {
    number: 'Receipt',
    plan: 'Plan',
    period: 'Period',
    amount: 'Amount',
    wallet: 'Wallet',
    transaction: 'Transaction',
    next: 'Next charge',
  },
  span: (from, to) => `${from} to ${to}`,
  none: 'none',

  paid: ({ project, plan, amount }) =>
    `Thank you: your payment of ${amount} to ${project} for ${plan} has arrived.`,
  nextCharge: ({ due }) => `The next charge follows on ${due}, and there is nothing to do until then.`,
  noNextCharge: 'No charge follows, and there is nothing to do.',

  renews: ({ plan, wallet, amount, due }) =>
    `Your subscription to ${plan} renews on ${due}. The charge of ${amount} is made from your wallet ${wallet}.`,
  keepAmount: () =>
    'There is nothing to do while the wallet holds that much. If you would rather stop, cancel before that date: nothing is charged then, and your access lasts until the date.',

  willCharge: ({ plan, amount, due }) => `The next charge for ${plan} is ${amount} on ${due}.`,
  addBefore: ({ missing, amount }) =>
    missing === null
      ? `Make sure that the wallet holds ${amount} before then, and the charge is made as usual.`
      : `Add ${missing} to the wallet before then, and the charge is made as usual.`,
  willFail: () => 'As things stand, the charge fails, and your access can end from that date on.',

  failed: ({ plan, amount }) => `The charge of ${amount} for ${plan} failed.`,
  unpaid: ({ plan, amount }) => `Your payment of ${amount} for ${plan} is missing.`,
  addAndPay: ({ missing, amount }) =>
    missing === null
      ? `Make sure that the wallet holds ${amount}, then pay now. There is nothing to sign.`
      : `Add ${missing} to the wallet, then pay now. There is nothing to sign.`,
  nextTry: ({ due, tries }) => {
    if (tries === null) return `The next try is on ${due}.`;
    return tries === 1
      ? `The next try is on ${due}. If it fails, the subscription stops.`
      : `The next try is on ${due}. If all of the ${tries} tries that are left fail, the subscription stops.`;
  },
  lastTry: ({ due }) => `The last try is on ${due}. If it fails, the subscription stops.`,
  payBy: ({ due }) => `Nothing is charged on its own: without a payment by ${due}, the subscription is over.`,
  noNextTry: 'No further try follows on its own.',
  noTryLeft: ({ due }) =>
    `No try is left. The subscription is over on ${due}, and you can subscribe again then. Your access has ended.`,

  stopped: 'Nothing more is charged, and your access has ended.',
  takesNobody: ({ plan }) => `${plan} takes no new subscriptions, so there is nothing to do.`,
  comeBack: {
    money: ({ amount }) => `To go on, see that your wallet holds ${amount}, and subscribe again.`,
    approval: ({ amount }) =>
      `To go on, subscribe again with ${amount} in the wallet, which then approves the charges anew.`,
    authority: () => 'To go on, close this subscription, which returns its deposit, and subscribe again.',
    wallet: () => 'To go on, subscribe again with another wallet.',
  },

  cancelled: ({ plan }) => `Your subscription to ${plan} is cancelled, and nothing more is charged.`,
  lostAtOnce: 'Your access has ended, because the running period was not paid.',
  resumeBefore: ({ due }) =>
    `If you change your mind, resume it before ${due}, and it goes on as before. Otherwise it ends then, and there is nothing to do.`,
  notResumed:
    'It cannot be resumed. To come back, close it once it has ended, which returns its deposit, and subscribe again.',

  ends: {
    cancelled: ({ plan }) =>
      `Your cancellation of ${plan} has taken effect. Your access has ended, and nothing more is charged.`,
    plan_ended: ({ plan }) =>
      `The plan ${plan} has ended. Your access has ended with it, and nothing more is charged.`,
    plan_gone: ({ project, plan }) =>
      `The plan ${plan} of ${project} is gone. Your access has ended with it, and nothing more is charged.`,
  },
  closeThenSubscribe:
    'To come back, close the old subscription, which returns its deposit, and subscribe again.',
  subscribeAgain: 'To come back, subscribe again.',
  closeForDeposit: 'You can close the subscription now, which returns its deposit.',

  planEnds: ({ project, plan, due }) =>
    `The plan ${plan} of ${project} ends on ${due}, and no charge follows.`,
  closeAfterEnd:
    'There is nothing to do. Once the plan has ended, you can close the subscription, which returns its deposit.',
};
