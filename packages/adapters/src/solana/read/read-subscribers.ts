import type { Address, Base58EncodedBytes } from '@solana/kit';
import type { ChainResult, SubscriberView } from '@subrail/core/ports';
import { PLAN_OF_SUBSCRIPTION_AT, decodeSubscription } from '../program/accounts.js';
import { SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { accountOf } from '../rpc/accounts.js';
import type { CallRpc } from '../rpc/failover.js';
import { field, list } from '../rpc/response-fields.js';
import { subscriptionView } from './views.js';

/** Lists the subscriptions to a plan that are not cancelled. Servers may refuse this costly call. */
export function readSubscribers(
  plan: Address,
  { call }: { readonly call: CallRpc },
): Promise<ChainResult<readonly SubscriberView[]>> {
  const ofPlan = {
    memcmp: {
      offset: PLAN_OF_SUBSCRIPTION_AT,
      bytes: plan as string as Base58EncodedBytes,
      encoding: 'base58' as const,
    },
  };
  return call({
    send: (rpc, signal) =>
      rpc
        .getProgramAccounts(SUBSCRIPTIONS_PROGRAM, {
          commitment: 'finalized',
          encoding: 'base64',
          filters: [ofPlan],
        })
        .send({ abortSignal: signal }),
    read: (response) =>
      list(response, 'accounts').flatMap((entry) => {
        const subscription = decodeSubscription(accountOf(field(entry, 'account')).data);
        return subscription?.expiresAt === 0n
          ? [{ ...subscriptionView(subscription), wallet: subscription.delegator }]
          : [];
      }),
  });
}
