import type { CustomerSession, SubscriptionWire } from '@subrail/core/schemas';
import type { CheckoutState } from './checkout-state.js';
import type { flowsOf } from './flows.js';
import type { machineOf } from './machine.js';
import type { Setting } from './options.js';

/** The things that the parts of a checkout share. */
export interface CheckoutHost {
  readonly setting: Setting;
  readonly flows: ReturnType<typeof flowsOf>;
  readonly state: CheckoutState;
  show: ReturnType<typeof machineOf<CheckoutState>>['show'];
  /** Reads the session again, once: it was completed elsewhere. False when that was done before. */
  reload(): boolean;
}

/** The end of a checkout. */
export function completeState(session: CustomerSession, subscription: SubscriptionWire): CheckoutState {
  const next = session.success_url === null ? null : new URL(session.success_url);
  if (session.id !== null) next?.searchParams.set('checkout', session.id);
  return {
    name: 'complete',
    session,
    plan: session.plans.find(({ slug }) => slug === subscription.plan) ?? null,
    subscription,
    continueTo: next?.href ?? null,
  };
}

/** The subscription to a plan for which the customer of a session pays already; undefined without one. */
export function runningIn({ subscriptions }: CustomerSession, slug: string) {
  return subscriptions.find(
    ({ plan, status }) => plan === slug && (status === 'active' || status === 'unpaid'),
  );
}
