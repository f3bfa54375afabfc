import { BuildAnswer } from '../../contract/build.js';
import {
  WalletConfirmation,
  WalletConfirmBody,
  WalletSubmitBody,
  WalletSubmitted,
  WalletSubscriptionPage,
  WalletSubscriptionsQuery,
  WalletTransactionBody,
  type WalletSubscriptionsQueryInput,
} from '../../contract/wallet.js';
import { operation } from '../operation.js';
import { buildForWallet } from './build.js';
import { confirmForWallet } from './confirm.js';
import { listOfWallet } from './list.js';
import { submitForWallet } from './submit.js';

export const walletOperations = {
  /**
   * Lists what a wallet is or was subscribed to, newest first, at most 20 on a page.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * import { createClient } from '@subrail/core/client';
   *
   * const wallets = createClient({ url: 'https://billing.example.com' }).wallets;
   * for await (const { id, name, actions } of wallets.subscriptions(wallet)) console.log(id, name, actions);
   */
  subscriptions: operation<
    (wallet: string, query?: WalletSubscriptionsQueryInput) => Promise<WalletSubscriptionPage>
  >()({
    method: 'GET',
    path: '/wallet/v1/{wallet}/subscriptions',
    input: WalletSubscriptionsQuery.prefault({}),
    output: WalletSubscriptionPage,
    summary: 'Lists what a wallet is or was subscribed to, of every project, newest first.',
    run: ({ service, wallet, input }) => listOfWallet(service, wallet, input),
  }),
  /**
   * Builds the transaction that cancels, resumes or closes a subscription, for the wallet to sign. Stores
   * nothing.
   *
   * Refuses with `invalid_request`, `subscription_not_found`, `subscription_cancelled`, `change_in_flight`,
   * `subscription_not_cancelled`, `subscription_ended`, `already_subscribed`, `close_too_early`,
   * `plan_removed`, `plan_replaced`, `subscription_not_on_chain` or `network_unavailable`.
   *
   * @example
   * const { transaction } = await client.wallets.transaction(wallet, id, { action: 'cancel' });
   */
  transaction: operation<(wallet: string, id: string, body: WalletTransactionBody) => Promise<BuildAnswer>>()(
    {
      method: 'POST',
      path: '/wallet/v1/{wallet}/subscriptions/{id}/transaction',
      input: WalletTransactionBody,
      output: BuildAnswer,
      status: 201,
      notFound: 'subscription_not_found',
      errors: [
        'subscription_cancelled',
        'change_in_flight',
        'subscription_not_cancelled',
        'subscription_ended',
        'already_subscribed',
        'close_too_early',
        'plan_removed',
        'plan_replaced',
        'subscription_not_on_chain',
        'network_unavailable',
      ],
      summary:
        'Builds the transaction that cancels, resumes or closes a subscription, for the wallet to sign.',
      run: ({ service, wallet, id, input }) => buildForWallet(service, wallet, id, input),
    },
  ),
  /**
   * Sends the transaction that the wallet signed, for wallets that do not send. Repeating it sends the same
   * transaction.
   *
   * Refuses with `invalid_request`, `subscription_not_found`, `not_our_transaction`, `transaction_refused` or
   * `network_unavailable`.
   *
   * @example
   * const signed = (await request.json()) as { transaction: string };
   * const { signature } = await client.wallets.submit(wallet, id, signed);
   */
  submit: operation<(wallet: string, id: string, body: WalletSubmitBody) => Promise<WalletSubmitted>>()({
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
  /**
   * Waits until the chain shows what the wallet did, up to 90 seconds, and records it. `reason_code` of the
   * answer is null when the action is done.
   *
   * Refuses with `invalid_request`, `subscription_not_found`, `subscription_not_active`,
   * `change_in_flight`, `subscription_not_cancelled`, `subscription_ended`, `subscription_not_on_chain`,
   * `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { reason } = await client.wallets.confirm(wallet, id, { action: 'cancel', signature });
   * console.log(reason ?? 'cancelled');
   */
  confirm: operation<(wallet: string, id: string, body: WalletConfirmBody) => Promise<WalletConfirmation>>()({
    method: 'POST',
    path: '/wallet/v1/{wallet}/subscriptions/{id}/confirm',
    input: WalletConfirmBody,
    output: WalletConfirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_active',
      'change_in_flight',
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
};
