import type { CheckoutState } from '../contract/session.js';
import type { Session, Subscription } from '../records/index.js';

/** A subscription that a session submitted. */
interface Purchase {
  readonly subscription: Pick<Subscription, 'confirmedAt'>;
}

/**
 * The state of a session (checkout-sessions#state-of-a-session), by what it submitted itself. A payment
 * counts also when it is confirmed after the session expired.
 */
export function sessionState(
  { kind, expiresAt }: Pick<Session, 'kind' | 'expiresAt'>,
  purchases: readonly Purchase[],
  now: Date,
): CheckoutState {
  if (kind === 'checkout' && purchases.some(({ subscription }) => subscription.confirmedAt !== null))
    return 'complete';
  return now < expiresAt ? 'open' : 'expired';
}
