import type { WalletAction, WalletSubscription } from '@subrail/core/schemas';

/** The page is in English, so dates are as well: as the browser's person writes English, where it says so. */
const LANGUAGE = navigator.languages.find((language) => language.startsWith('en')) ?? 'en-GB';
const DATE = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'long', timeStyle: 'short' });

/** A date as a person reads it, in the time zone of the browser. */
export function dateText(date: string): string {
  return DATE.format(new Date(date));
}

/** A long address or signature as a person compares it: its two ends. */
export function shortened(text: string): string {
  return `${text.slice(0, 4)}…${text.slice(-4)}`;
}

/** An amount with its token. */
export function amountText(amount: string, { symbol }: WalletSubscription): string {
  return `${amount} ${symbol ?? 'tokens'}`;
}

/** The price and the period, such as `5 USDC every 30 days`. */
export function priceText(subscription: WalletSubscription): string {
  const { period_hours: hours, amount_display: amount } = subscription;
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${amountText(amount, subscription)} every ${count === 1 ? unit : `${count} ${unit}s`}`;
}

/** The name of a status, and whether something is wrong. */
export const STATUSES: Readonly<
  Record<WalletSubscription['status'], readonly [name: string, tone: 'good' | 'warn' | 'quiet']>
> = {
  active: ['Active', 'good'],
  unpaid: ['Payment missing', 'warn'],
  stopped: ['Stopped', 'warn'],
  cancelled: ['Cancelled', 'quiet'],
  ended: ['Ended', 'quiet'],
  pending: ['Not paid yet', 'quiet'],
  failed: ['Failed', 'quiet'],
  expired: ['Expired', 'quiet'],
  superseded: ['Replaced', 'quiet'],
};

/** The next step of a subscription, in a sentence or two. */
export function nextSentence(subscription: WalletSubscription): string {
  const { status, actions, next_charge_at: next, ends_at: end, plan_ends_at: planEnd } = subscription;
  const canClose = actions.includes('close');
  switch (status) {
    case 'active':
      if (next !== null)
        return `Next charge: ${amountText(subscription.amount_display, subscription)} on ${dateText(next)}.`;
      return planEnd === null
        ? 'No charge is planned at the moment.'
        : `Nothing more is charged. The plan ends on ${dateText(planEnd)}.`;
    case 'unpaid':
      return 'The last payment did not go through. It may be tried again until you cancel.';
    case 'stopped':
      return canClose
        ? 'Nothing is charged any more. You can close it, and get its deposit back.'
        : 'Payments did not go through, and nothing is charged any more. Cancel it to close it later.';
    case 'cancelled':
      return end === null
        ? 'Nothing more is charged.'
        : `Nothing more is charged. It ends on ${dateText(end)}${
            actions.includes('resume') ? ', and until then you can resume it' : ''
          }. After that you can close it, and get its deposit back.`;
    case 'ended':
      return canClose
        ? 'Nothing more is charged. You can close it, and get its deposit back.'
        : 'It is over and closed. Nothing more is charged.';
    case 'pending':
    case 'failed':
    case 'expired':
    case 'superseded':
      return 'Nothing is charged for it.';
  }
}

/** The payments so far. */
export function paidSentence(subscription: WalletSubscription): string {
  const { count, amount_display: amount } = subscription.payments;
  if (count === 0) return 'No payment so far.';
  return `${count} ${count === 1 ? 'payment' : 'payments'}, ${amountText(amount, subscription)} in all.`;
}

/** The name of each action, and the sentences during and after it. */
export const ACTIONS: Readonly<
  Record<WalletAction, { readonly button: string; readonly done: string; readonly kept: string }>
> = {
  cancel: {
    button: 'Cancel',
    done: 'Cancelled. Solana has it, and nothing more is charged.',
    kept: 'Nothing was changed: the subscription is not cancelled.',
  },
  resume: {
    button: 'Resume',
    done: 'Resumed. It goes on as before you cancelled.',
    kept: 'Nothing was changed: the subscription stays cancelled.',
  },
  close: {
    button: 'Close and get the deposit back',
    done: 'Closed. Its deposit was returned to whoever paid it.',
    kept: 'Nothing was changed: the subscription is not closed.',
  },
};

/** The sentence when a transaction was sent, or may have been, and its outcome is unknown. */
export const UNSETTLED =
  'Solana does not show it yet, and it may still take effect. Reload this page in a minute before you try again.';
