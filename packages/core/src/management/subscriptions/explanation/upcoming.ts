import { entitlement } from '../../../rules/access.js';
import { chargeable } from '../../../rules/billing-periods.js';
import { isGivenUp } from '../../../rules/retry-policy.js';
import { isHeld, isRunning } from '../../../rules/running.js';
import { priceText, type ExplanationFacts } from './facts.js';

/** Something that will happen if nobody does anything. */
export interface Upcoming {
  /** Null for what happens as soon as it can. */
  readonly at: Date | null;
  readonly what: string;
}

/** The future of a subscription if nobody does anything, soonest first. */
export function upcoming(facts: ExplanationFacts): readonly Upcoming[] {
  const { subscription, at, openTransfer } = facts;
  const { plan, now } = at;
  const entitled = entitlement(subscription, at);
  const price = priceText(plan.amount, facts);
  const all: Upcoming[] = [];
  const add = (date: Date | null, what: string): void => {
    if (date !== null) all.push({ at: date, what });
  };

  if (openTransfer !== null)
    all.push({
      at: null,
      what: `The outcome of transaction ${openTransfer.signature} is looked up until it is known.`,
    });
  if (entitled.status === 'pending' && openTransfer === null)
    add(subscription.checkoutExpiresAt, 'The checkout expires, unless the customer signs it.');
  if (isHeld(subscription))
    all.push({
      at: null,
      what: 'It ends when the change of plan lands. Otherwise it goes on, and what is due by then is charged.',
    });
  else charges();
  if (endsBeforeCharge(entitled.accessUntil, entitled.nextChargeAt))
    add(entitled.accessUntil, 'Access ends.');
  if (entitled.status === 'cancelled')
    add(subscription.cancellation?.expiresAt ?? null, 'The cancellation takes effect on chain, and it ends.');
  if (isRunning(entitled.status) && plan.endsAt !== null && now < plan.endsAt)
    add(
      plan.endsAt,
      chargeable(now, plan)
        ? 'The plan ends, and the subscription with it.'
        : 'The plan ends, and the subscription with it; nothing is charged in its last two minutes.',
    );
  if (subscription.pausedAt !== null && isRunning(entitled.status))
    all.push({ at: null, what: 'It returns from being parked once the project has a free seat.' });
  return all.sort((one, other) => (one.at?.getTime() ?? -1) - (other.at?.getTime() ?? -1));

  function charges(): void {
    if (subscription.blockedReason !== null) add(subscription.nextTryAt, 'The charge is tried again.');
    else if (openTransfer === null) add(entitled.nextChargeAt, `The next period is charged: ${price}.`);
    if (entitled.nextRetryNumber !== null && subscription.blockedReason === null)
      add(
        entitled.nextRetryAt,
        `Automatic retry ${entitled.nextRetryNumber} of ${entitled.retriesAllowed} charges ${price}. ${
          entitled.nextRetryNumber === entitled.retriesAllowed ? 'When it fails, the subscription stops.' : ''
        }`.trim(),
      );
    const isLost = subscription.late !== null && isGivenUp(subscription.late, at);
    add(entitled.retryDeadline, isLost ? 'It stops.' : 'It stops, unless a manual retry has paid by then.');
  }
}

/** Whether access ends by its date, and not with the outcome of a charge of that instant. */
function endsBeforeCharge(accessUntil: Date | null, nextChargeAt: Date | null): boolean {
  return accessUntil !== null && (nextChargeAt === null || accessUntil < nextChargeAt);
}
