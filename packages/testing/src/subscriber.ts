import type { Confirmation, SubscriptionWire } from '@subrail/core/schemas';
import type { ProjectBilling } from '@subrail/core';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import { sendTransaction, signTransaction } from '@subrail/localnet';

import type { TestWallet } from './test-wallet.js';

interface Checkout {
  readonly plan: string;
  readonly wallet: TestWallet;
  readonly external_id?: string;
  readonly email?: string;
}

/** The steps of wallets through the service, from the first call to the last. */
export interface Subscriber {
  /** Creates, signs and submits a checkout. */
  subscribe(checkout: Checkout): Promise<SubscriptionWire>;
  /** Builds, signs, sends and confirms an action. */
  act(action: 'cancel' | 'resume' | 'close', id: string, wallet: TestWallet): Promise<SubscriptionWire>;
}

/** The function that confirms each action. */
const CONFIRM = { cancel: 'confirmCancel', resume: 'confirmResume', close: 'confirmClose' } as const;

/** Makes the wallets of a project act as its customers' browsers would. */
export function createSubscriber({ subscriptions }: ProjectBilling, rpc: Rpc<SolanaRpcApi>): Subscriber {
  return {
    async subscribe({ wallet, ...customer }) {
      const { subscription, transaction, terms } = await subscriptions.create({
        ...customer,
        wallet: wallet.address,
      });
      const confirmation = await subscriptions.submit(subscription.id, {
        transaction: await wallet.signTransaction(transaction),
        terms_signature: await wallet.signMessage(terms.message),
      });
      return settled('submit', confirmation);
    },
    async act(action, id, wallet) {
      const { transaction } = await subscriptions[action](id);
      const signature = await sendTransaction(rpc, await signTransaction(wallet.signer, transaction));
      return settled(action, await subscriptions[CONFIRM[action]](id, { signature }));
    },
  };
}

function settled(call: string, confirmation: Confirmation): SubscriptionWire {
  if ('reason_code' in confirmation)
    throw new Error(`${call} settled nothing: ${confirmation.reason} (${confirmation.reason_code})`);
  return confirmation.subscription;
}
