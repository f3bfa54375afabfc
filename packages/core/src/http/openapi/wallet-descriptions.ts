import type * as z from 'zod';

import {
  WalletConfirmation,
  WalletSubmitted,
  WalletSubscription,
  WalletSubscriptionPage,
} from '../../contract/wallet.js';

/** The descriptions of the fields of what the routes of wallets answer. */
export const WALLET_DESCRIPTIONS: readonly (readonly [z.ZodObject, Readonly<Record<string, string>>])[] = [
  [
    WalletSubscription,
    {
      id: 'Its id, sub_ and 24 letters or digits.',
      name: 'The plan and the project, as the signed terms name them; null without such terms.',
      status: 'Its state. New values may appear.',
      actions: 'What the wallet can do to it now, as far as the chain was last read.',
      address: 'The address of its account on chain.',
      plan_address: "The address of the plan's account on chain.",
      paid_to: 'The wallet that is paid.',
      symbol: "The token's symbol as the signed terms name it; null when they give only its address.",
      amount: "The price of a period, in the token's smallest unit.",
      began_at: 'When the first payment landed.',
      paid_until: 'End of the period last paid for.',
      next_charge_at: 'The next charge; null when no charge is planned.',
      ends_at: 'When its cancellation takes effect, while that is ahead; else null.',
      plan_ends_at: "The plan's end date; null without one.",
      payments: 'What was paid so far.',
    },
  ],
  [
    WalletSubscription.shape.payments,
    {
      amount: "The sum of all payments, in the token's smallest unit.",
      amount_display: 'The sum of all payments, in whole tokens.',
      latest: 'At most five payments, among its last ten transactions, newest first.',
    },
  ],
  [
    WalletSubscription.shape.payments.shape.latest.element,
    {
      signature: 'The transaction that paid, in base58.',
      amount: "The amount paid, in the token's smallest unit.",
      amount_display: 'The amount paid, in whole tokens.',
      paid_at: 'When it was sent.',
    },
  ],
  [WalletSubscriptionPage, { data: 'The subscriptions of this page, newest first.' }],
  [WalletSubmitted, { signature: 'The signature of the transaction that was sent, in base58.' }],
  [
    WalletConfirmation,
    {
      subscription: 'The subscription now.',
      reason: 'Why nothing was settled, a sentence for a person; null when the action is done.',
      reason_code: 'Stable: branch on it, and keep a default branch. Null when the action is done.',
    },
  ],
];
