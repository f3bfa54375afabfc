import type { SubscriptionCustomer } from '../../commits/new-subscription.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { CreateBody } from '../../contract/requests.js';
import type { Project, Session, Subscription } from '../../records/index.js';
import { namedCustomer } from '../../rules/customer.js';
import { ownAccount } from '../../rules/incarnation.js';
import { isCharged } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { readChargeView } from '../read-chain.js';
import { requireNotHeld, requireSubscription } from '../require.js';
import type { CheckoutKind } from './checkout-kind.js';

/** The subscription that a create replaces; null for one that replaces none. */
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

/**
 * The customer of a create: that of what it replaces, if it does. In a session without a named customer a
 * change has none until its wallet signed (plan-changes#customer-of-a-change).
 */
export function customerOf(
  { wallet, external_id: externalId = null, email = null }: CreateBody,
  replaced: Subscription | null,
  session: Pick<Session, 'id' | 'linkId'> | null,
): SubscriptionCustomer {
  const reservedBy = { reservedFor: session?.id ?? null, reservedByLink: session?.linkId ?? null };
  const named =
    replaced !== null && session === null
      ? namedCustomer(replaced)
      : { externalId, email, customerTyped: session !== null };
  return { wallet, ...named, ...reservedBy, previousId: replaced?.id ?? null };
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

/** The refusal while a charge of the subscription that is to be replaced may land, or is not settled. */
export function chargeMayLand(): ServiceError {
  return new ServiceError('subscription_changed', {
    message: 'A charge of the subscription that is to be replaced may still land. Try again in a moment.',
  });
}
