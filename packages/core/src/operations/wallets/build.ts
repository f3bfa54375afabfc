import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { WalletAction, WalletTransactionBody } from '../../contract/wallet.js';
import type { BuildRequest, ChargeView } from '../../ports/index.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { closeRequest, requireClosable } from '../actions/close.js';
import { requireResumable, resumeRequest } from '../actions/resume.js';
import { requireAnswer, readChargeView } from '../read-chain.js';
import { requireNotHeld } from '../require.js';
import { requireWalletSubscription } from './list.js';

/**
 * Builds the transaction with which a wallet cancels, resumes or closes its subscription. Stores nothing,
 * because anybody may ask (cancel-page#callers-change-nothing).
 */
export async function buildForWallet(
  service: Service,
  wallet: string,
  id: string,
  { action }: WalletTransactionBody,
): Promise<BuildAnswer> {
  const context = await requireWalletSubscription(service, wallet, id);
  // What a change of plan replaces is cancelled by it.
  if (action === 'cancel') requireNotHeld(context.subscription);
  if (action === 'resume') await requireResumable(service, context);
  if (action === 'close') requireClosable(context.subscription);
  const view = await readChargeView(service, context.plan, wallet);
  return buildAnswer(requireAnswer(await service.chain.build(requestOf(action, context, view))));
}

function requestOf(action: WalletAction, context: SubscriptionContext, view: ChargeView): BuildRequest {
  switch (action) {
    case 'cancel':
      return cancelRequest(context, view);
    case 'resume':
      return resumeRequest(context, view);
    case 'close':
      return closeRequest(context, ownAccount(view, context.subscription, context.plan), view);
  }
}

/** The chain decides, whatever the record says. */
function cancelRequest({ plan, subscription }: SubscriptionContext, view: ChargeView): BuildRequest {
  const account = ownAccount(view, subscription, plan);
  if (account === null) throw new ServiceError('subscription_not_on_chain');
  if (account.expiresAt !== null) throw new ServiceError('subscription_cancelled');
  return { ...chargeTarget(plan, subscription.wallet), kind: 'cancel' };
}
