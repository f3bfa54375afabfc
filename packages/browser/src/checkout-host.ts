import type { AttemptWire, CustomerSession, SubscriptionWire } from '@subrail/core/schemas';
import type { CheckoutShown, CheckoutState, PlanOption } from './checkout-state.js';
import type { flowsOf } from './flows.js';
import type { machineOf } from './machine.js';
import type { Opened, Setting } from './options.js';

/** The things that the parts of a checkout share. */
export interface CheckoutHost {
  readonly setting: Setting;
  readonly flows: ReturnType<typeof flowsOf>;
  readonly state: CheckoutState;
  show: ReturnType<typeof machineOf<CheckoutShown>>['show'];
  /** Begins anew. */
  load(): void;
  /** Reads the session again, once: it was completed elsewhere. False when that was done before. */
  reload(): boolean;
}

/** Ends a checkout that was paid, and reads its charge for the receipt. */
export function complete(
  { flows, show }: CheckoutHost,
  { session, transport }: Pick<Opened, 'session' | 'transport'>,
  subscription: SubscriptionWire,
) {
  const next = session.success_url === null ? null : new URL(session.success_url);
  if (session.id !== null) next?.searchParams.set('checkout', session.id);
  const paid = (payment: AttemptWire | null) => () =>
    ({
      name: 'complete',
      session,
      plan: session.plans.find(({ slug }) => slug === subscription.plan) ?? null,
      subscription,
      payment,
      continueTo: next?.href ?? null,
    }) as const;
  show(paid(null));
  flows.run(
    async (live) => {
      const { data } = await live(transport.attempts(subscription.id, null));
      const payment = data.find(({ outcome }) => outcome === 'paid');
      if (payment !== undefined) show(paid(payment));
    },
    // The customer has paid all the same.
    () => undefined,
  );
}

/** The plans of a session, each with whether its customer pays for it. */
export function plansOf(session: CustomerSession): readonly PlanOption[] {
  return session.plans.map((plan) => ({ ...plan, isMine: runningIn(session, plan.slug) !== undefined }));
}

/** The subscription to a plan for which the customer of a session pays already; undefined without one. */
export function runningIn({ subscriptions }: CustomerSession, slug: string) {
  return subscriptions.find(
    ({ plan, status }) => plan === slug && (status === 'active' || status === 'unpaid'),
  );
}
