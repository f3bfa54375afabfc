import type { CheckoutState } from '../contract/session.js';
import type { Session, SessionSubscription } from '../records/index.js';

/** A subscription for which a session built something, and whether its first payment is confirmed. */
export interface SessionPurchase extends Pick<SessionSubscription, 'submittedAt'> {
  readonly confirmed: boolean;
}

/**
 * The state of a session (checkout-sessions#state-of-a-session). A payment counts for the session that
 * submitted it alone, and also when it is confirmed after the session expired.
 */
export function sessionState(
  { kind, expiresAt }: Pick<Session, 'kind' | 'expiresAt'>,
  purchases: readonly SessionPurchase[],
  now: Date,
): CheckoutState {
  if (kind === 'checkout' && purchases.some(isPaid)) return 'complete';
  return now < expiresAt ? 'open' : 'expired';
}

function isPaid({ submittedAt, confirmed }: SessionPurchase): boolean {
  return submittedAt !== null && confirmed;
}
