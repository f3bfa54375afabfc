import type { SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { CreateBody } from '../../contract/requests.js';
import type { Project, Subscription } from '../../records/index.js';
import { ownAccount } from '../../rules/incarnation.js';
import { isCharged } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { readChargeView } from '../read-chain.js';
import { requireNotHeld, requireSubscription } from '../require.js';
import type { CheckoutKind } from './checkout-kind.js';

/** The subscription that a pending one replaces, with its plan; null for one that replaces none. */
export async function findReplaced(
  service: Service,
  project: Project,
  { previousId }: Pick<Subscription, 'previousId'>,
): Promise<SubscriptionContext | null> {
  return previousId === null ? null : requireSubscription(service, project, previousId);
}

/**
 * The subscription that a create replaces, whose customer the new one has
 * (plan-changes#customer-of-a-change).
 */
export async function requireOwnReplaced(
  service: Service,
  project: Project,
  { replaces, wallet, external_id, email }: CreateBody,
): Promise<SubscriptionContext | null> {
  if (replaces == null) return null;
  const replaced = await requireSubscription(service, project, replaces);
  const { subscription } = replaced;
  if (subscription.wallet !== wallet)
    throw new ServiceError('wallet_mismatch', {
      message: 'Another wallet pays for the subscription that is to be replaced. Name that wallet.',
    });
  const sentences = [
    ...named('external_id', external_id, subscription.externalId),
    ...named('email', email, subscription.email),
  ];
  if (sentences.length > 0) throw new ServiceError('invalid_request', { sentences });
  return replaced;
}

function named(field: string, given: string | null | undefined, kept: string | null): readonly string[] {
  if (given == null || given === kept) return [];
  return [`"${field}" must be absent or that of the subscription in "replaces", whose customer stays.`];
}

/** The kind of a checkout that replaces a subscription, or none. A comeback replaces no other one. */
export function replacing(checkout: CheckoutKind, replaced: SubscriptionContext | null): CheckoutKind {
  if (replaced === null) return checkout;
  if (checkout.kind === 'comeback')
    throw new ServiceError('subscription_stopped', {
      message:
        'The wallet has a stopped subscription to this plan, to which it can come back, but not in place of another one. Come back without "replaces", then cancel the other one.',
    });
  return { kind: 'change', replaced };
}

/** Refuses a change whose old subscription cannot be replaced now (plan-changes#what-can-be-replaced). */
export async function requireReplaceable(
  service: Service,
  { subscription, plan }: SubscriptionContext,
): Promise<void> {
  if (!isCharged(subscription.status)) throw new ServiceError('not_replaceable');
  requireNotHeld(subscription);
  const view = await readChargeView(service, plan, subscription.wallet);
  const account = ownAccount(view, subscription, plan);
  if (account === null || account.expiresAt !== null) throw new ServiceError('not_replaceable');
}
