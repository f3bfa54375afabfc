import { BuildAnswer } from '../../contract/build.js';
import {
  WalletConfirmation,
  WalletConfirmBody,
  WalletSubmitBody,
  WalletSubmitted,
  WalletSubscriptionPage,
  WalletSubscriptionsQuery,
  WalletTransactionBody,
} from '../../contract/wallet.js';
import { operation } from '../operation.js';
import { buildForWallet } from './build.js';
import { confirmForWallet } from './confirm.js';
import { listOfWallet } from './list.js';
import { submitForWallet } from './submit.js';

/** What the cancel page calls. Anybody may: only the wallet's signature changes anything. */
export const walletOperations = [
  operation({
    name: 'wallets.subscriptions',
    scope: 'wallet',
    method: 'GET',
    path: '/wallet/v1/{wallet}/subscriptions',
    input: WalletSubscriptionsQuery,
    output: WalletSubscriptionPage,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Lists what a wallet is or was subscribed to, of every project, newest first.',
    run: ({ service, wallet, input }) => listOfWallet(service, wallet, input),
  }),
  operation({
    name: 'wallets.transaction',
    scope: 'wallet',
    method: 'POST',
    path: '/wallet/v1/{wallet}/subscriptions/{id}/transaction',
    input: WalletTransactionBody,
    output: BuildAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_cancelled',
      'subscription_not_cancelled',
      'subscription_ended',
      'already_subscribed',
      'close_too_early',
      'plan_removed',
      'plan_replaced',
      'subscription_not_on_chain',
      'network_unavailable',
    ],
    summary: 'Builds the transaction that cancels, resumes or closes a subscription, for the wallet to sign.',
    run: ({ service, wallet, id, input }) => buildForWallet(service, wallet, id, input),
  }),
  operation({
    name: 'wallets.submit',
    scope: 'wallet',
    method: 'POST',
    path: '/wallet/v1/{wallet}/subscriptions/{id}/submit',
    input: WalletSubmitBody,
    output: WalletSubmitted,
    status: 201,
    notFound: 'subscription_not_found',
    errors: ['not_our_transaction', 'transaction_refused', 'network_unavailable'],
    summary: 'Sends the transaction that the wallet signed.',
    run: ({ service, wallet, id, input }) => submitForWallet(service, wallet, id, input),
  }),
  operation({
    name: 'wallets.confirm',
    scope: 'wallet',
    method: 'POST',
    path: '/wallet/v1/{wallet}/subscriptions/{id}/confirm',
    input: WalletConfirmBody,
    output: WalletConfirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_active',
      'subscription_not_cancelled',
      'subscription_ended',
      'subscription_not_on_chain',
      'nothing_to_confirm',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Waits until the chain shows what the wallet did, and records it.',
    run: ({ service, wallet, id, input }) => confirmForWallet(service, wallet, id, input),
  }),
] as const;
