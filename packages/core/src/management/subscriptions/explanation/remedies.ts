import type { BlockedReason, LateReason } from '../../../contract/enums.js';
import { entitlement } from '../../../rules/access.js';
import { SECOND_WALLET } from '../../doctor/customer-notes.js';
import {
  blockedReason as blockedReasonOf,
  closesAuthority,
  lateReason as lateReasonOf,
} from '../../../rules/attempt-reasons.js';
import type { NextFailure } from '../../../rules/decide.js';
import { hasManualRetry, isGivenUp } from '../../../rules/retry-policy.js';
import { isHeld, isRunning } from '../../../rules/running.js';
import { dateText, priceText, type ExplanationFacts } from './facts.js';
import { BLOCKED, reasonText, type Who } from './reason-texts.js';

/** The customer's remedy for a late payment of this price. */
const MEND_LATE: Readonly<Record<LateReason, (price: string) => string>> = {
  insufficient_balance: (price) => `Put at least ${price} into the wallet`,
  approval_revoked: () => 'Approve the charges again in the wallet',
  authority_closed: () => 'Subscribe again',
};

/** The remedy for a late payment without a late reason, by the reason of its last charge. */
const MEND_REJECTED: Readonly<Record<string, Remedy>> = {
  token_account_frozen: { who: 'token_issuer', what: "Thaw the wallet's account for the token" },
  token_account_reassigned: {
    who: 'customer',
    what: 'Have the token account given back to the wallet, or cancel and subscribe again',
  },
  program_1: { who: 'customer', what: 'Approve the charges again in the wallet' },
};

const SUBSCRIBE_AGAIN = 'Subscribe again, to this plan if it still takes subscribers.';
const RESUME = 'Resume it, if the cancellation was a mistake.';

export interface Remedy {
  readonly who: Who;
  readonly what: string;
}

/** The remedies for the state of a subscription; empty when all is well, or nothing helps. */
export function remedies(facts: ExplanationFacts): readonly Remedy[] {
  const { subscription, at, charger, openTransfer } = facts;
  const entitled = entitlement(subscription, at);
  const { blockedReason, pausedAt, late } = subscription;
  const price = priceText(at.plan.amount, facts);
  const all: Remedy[] = [];
  if (pausedAt !== null && isRunning(entitled.status))
    all.push({
      who: 'operator',
      what: "Raise the project's limit of subscribers, or move it to a larger tier.",
    });
  if (isRunning(entitled.status) && blockedReason !== null) {
    const { who, what } = unblock(blockedReason, charger);
    const { isFinal } = BLOCKED[blockedReason];
    all.push({
      who,
      what: `${what}${reasonOfMesub(facts)}${isFinal === true ? '' : ' Charging goes on by itself after that.'}`,
    });
  }
  if (facts.chargedBeside.length > 0) all.push({ who: 'operator', what: SECOND_WALLET });
  switch (entitled.status) {
    case 'pending':
      if (openTransfer === null)
        all.push({
          who: 'customer',
          what: `Sign the checkout and pay ${price}${by(subscription.checkoutExpiresAt)}.`,
        });
      break;
    case 'active':
      if (!subscription.termsSigned)
        all.push({ who: 'customer', what: 'Subscribe again through the service, which signs terms.' });
      break;
    case 'unpaid':
      // What is late is neither charged nor tried by hand while a change of plan may land.
      if (pausedAt !== null || isHeld(subscription)) break;
      if (late !== null && isGivenUp(late, at)) {
        all.push({ who: 'customer', what: 'Subscribe again once it has stopped, with the same wallet.' });
        break;
      }
      all.push(...mendLate(facts, by(entitled.nextRetryAt ?? entitled.retryDeadline)));
      if (late?.queuedAt === null && hasManualRetry(late, at))
        all.push({
          who: 'operator',
          what: 'A manual retry charges at once. It is refused for as long as the chain shows the cause.',
        });
      break;
    case 'cancelled':
      all.push({
        who: 'customer',
        what: `Resume it${by(subscription.cancellation?.expiresAt ?? null)}, if the cancellation was a mistake.`,
      });
      break;
    case 'stopped':
      all.push({
        who: 'customer',
        what:
          subscription.stopReason === 'authority_closed'
            ? 'Close the old subscription, then subscribe again.'
            : `Subscribe again with the same wallet: it goes on with the old account, and pays ${price} for the period in progress.`,
      });
      break;
    case 'ended':
      if (entitled.closable)
        all.push({
          who: 'customer',
          what: 'Close the account on chain, which returns its deposit to the wallet.',
        });
      if (entitled.endReason !== 'plan_changed') all.push({ who: 'customer', what: SUBSCRIBE_AGAIN });
      break;
    case 'failed':
    case 'expired':
      all.push({ who: 'customer', what: 'Begin a new checkout.' });
      break;
    case 'superseded':
      break;
  }
  return all;
}

/** The remedies for a charge that would not pay, before it is tried. */
export function remediesOfNext(
  { outcome, reason }: NextFailure,
  { price, charger, dueAt }: { readonly price: string; readonly charger: string; readonly dueAt: Date },
): readonly Remedy[] {
  switch (outcome) {
    case 'rejected':
      return mendRejected(lateReasonOf(reason), reason, price, by(dueAt));
    case 'blocked':
      return [unblock(blockedReasonOf(reason), charger)];
    case 'skipped':
      return [{ who: 'customer', what: reason === 'cancelled' ? RESUME : SUBSCRIBE_AGAIN }];
  }
}

/** The remedy for a block. */
function unblock(reason: BlockedReason, charger: string): Remedy {
  const { who, remedy } = BLOCKED[reason];
  return { who, what: `${remedy}${reason === 'puller_not_allowed' ? ` It is ${charger}.` : ''}` };
}

/** The remedies for a late payment, with their deadline. */
function mendLate(facts: ExplanationFacts, until: string): readonly Remedy[] {
  const { subscription, attempts, at } = facts;
  const rejected = attempts.find(({ outcome }) => outcome === 'rejected')?.reason ?? '';
  return mendRejected(subscription.lateReason, rejected, priceText(at.plan.amount, facts), until);
}

/** The remedies by the late reason, and without one by the reason of the charge. */
function mendRejected(
  late: LateReason | null,
  reason: string,
  price: string,
  until: string,
): readonly Remedy[] {
  if (late !== null) return [{ who: 'customer', what: `${MEND_LATE[late](price)}${until}.` }];
  const remedy = MEND_REJECTED[reason];
  return remedy === undefined ? [] : [{ who: remedy.who, what: `${remedy.what}${until}.` }];
}

/** The reason of the last attempt, for a block on the service's own side. */
function reasonOfMesub({ subscription, attempts }: ExplanationFacts): string {
  const [last] = attempts;
  if (subscription.blockedReason !== 'mesub' || last?.outcome !== 'blocked' || last.reason === null)
    return '';
  const unconfirmed = closesAuthority(last.reason) ? ', which a read of the chain did not confirm' : '';
  return ` The last try: ${reasonText(last.reason)}${unconfirmed}.`;
}

function by(date: Date | null): string {
  return date === null ? '' : ` before ${dateText(date)}`;
}
