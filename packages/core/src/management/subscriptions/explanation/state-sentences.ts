import type { Late, Subscription } from '../../../records/index.js';
import { entitlement, type Entitlement } from '../../../rules/access.js';
import type { At } from '../../../rules/at.js';
import { isGivenUp, manualRetriesSpent } from '../../../rules/retry-policy.js';
import { isHeld } from '../../../rules/running.js';
import { dateText, type ExplanationFacts } from './facts.js';
import { BLOCKED, endSentence, LATE, STOPPED } from './reason-texts.js';

/** The state and access of a subscription, and subscriptions charged beside it, in sentences. */
export function stateSentences(facts: ExplanationFacts): readonly string[] {
  const { subscription } = facts;
  const beside = facts.chargedBeside.map(({ id }) => id);
  return [
    ...sentencesOfStatus(facts),
    ...(isHeld(subscription)
      ? [
          `A change of plan to ${subscription.replacedById} may still land, and nothing is charged before its outcome is known.`,
        ]
      : []),
    ...(beside.length === 0
      ? []
      : [`The customer pays for this plan with another wallet too, in ${beside.join(' and ')}.`]),
  ];
}

function sentencesOfStatus(facts: ExplanationFacts): readonly string[] {
  const { subscription, at } = facts;
  const entitled = entitlement(subscription, at);
  const { cancellation } = subscription;
  switch (entitled.status) {
    case 'pending':
      return [pendingSentence(facts), 'It has no access, because nothing was paid yet.'];
    case 'active':
      return activeSentences(facts, entitled);
    case 'unpaid':
      return unpaidSentences(facts, entitled);
    case 'cancelled':
      return [
        `The customer cancelled it${cancellation === null ? '' : ` at ${dateText(cancellation.confirmedAt)}`}, so nothing more is charged.`,
        cancellation?.behind === true
          ? 'It has no access: a payment was late then, and access ended with the cancellation.'
          : accessSentence(entitled, 'what was paid for lasts until then'),
      ];
    case 'stopped':
      return [
        `It stopped, because ${subscription.stopReason === null ? 'charging it was given up' : STOPPED[subscription.stopReason]}.`,
        'It has no access, and nothing more is charged.',
      ];
    case 'ended':
      return [
        endSentence(entitled.endReason),
        subscription.replacedById === null
          ? 'It has no access, and nothing more is charged.'
          : `In its place is ${subscription.replacedById}. It has no access of its own, and nothing more is charged.`,
      ];
    case 'failed':
      return ['The checkout failed: what landed on chain is not what was reserved.', 'It has no access.'];
    case 'expired':
      return ['The checkout expired, because nobody signed it in time.', 'It has no access.'];
    case 'superseded':
      return ['The wallet came back: a newer subscription took its place.', 'It has no access of its own.'];
  }
}

function pendingSentence({ subscription, openTransfer }: ExplanationFacts): string {
  if (openTransfer !== null) return 'The customer signed the checkout, and its transaction is on its way.';
  return subscription.built === null
    ? 'The checkout was created, and the customer has not signed it yet.'
    : 'The checkout has a transaction for the wallet to sign, and waits for its signature.';
}

function activeSentences({ subscription, at }: ExplanationFacts, entitled: Entitlement): readonly string[] {
  const { paidPeriodEnd, pausedAt, blockedReason, blockedSince, termsSigned } = subscription;
  const paid = paidPeriodEnd === null ? 'It is active.' : `It is paid until ${dateText(paidPeriodEnd)}.`;
  if (pausedAt !== null)
    return [parkedSentence(pausedAt), paid, accessSentence(entitled, 'it is paid until then')];
  if (blockedReason !== null && blockedSince !== null) {
    return [
      paid,
      `Since ${dateText(blockedSince)} its charge cannot be made: ${BLOCKED[blockedReason].what}. This is not the customer's doing.`,
      accessSentence(
        entitled,
        blockOutlasts(subscription, paidPeriodEnd) ? OF_A_BLOCK : 'it is paid until then',
      ),
    ];
  }
  if (!termsSigned) {
    return [
      paid,
      'Nothing more is charged, because no terms were signed through the service.',
      accessSentence(entitled, 'it is paid until then'),
    ];
  }
  if (paidPeriodEnd !== null && at.now >= paidPeriodEnd && entitled.access) {
    return [paid, 'The charge of the next period is due, and it keeps access until the outcome is known.'];
  }
  return entitled.access
    ? [paid, 'It has access until then, and after it when the next charge is paid.']
    : [paid, NO_ACCESS_NOW];
}

function unpaidSentences({ subscription, at }: ExplanationFacts, entitled: Entitlement): readonly string[] {
  const { late, lateReason, pausedAt, blockedReason, blockedSince } = subscription;
  const why = lateReason === null ? 'its charge was refused' : LATE[lateReason];
  return [
    ...(pausedAt === null ? [] : [parkedSentence(pausedAt)]),
    `The payment of the period that began at ${late === null ? 'an earlier date' : dateText(late.periodStart)} is late: ${why}.`,
    ...(blockedReason === null || blockedSince === null
      ? []
      : [`Since ${dateText(blockedSince)} no retry can be made: ${BLOCKED[blockedReason].what}.`]),
    ...(late === null || (pausedAt !== null && late.automatic === null) ? [] : [retriesSentence(late, at)]),
    entitled.access
      ? accessSentence(
          entitled,
          blockOutlasts(subscription, late?.graceUntil ?? null)
            ? OF_A_BLOCK
            : 'a late payment leaves access that long',
        )
      : at.tier.automaticRetries
        ? 'It has no access: the grace of a late payment is over.'
        : 'It has no access: on this tier a late payment leaves none.',
  ];
}

function retriesSentence(late: Late, at: At): string {
  if (late.queuedAt !== null) return 'A manual retry is waiting or running.';
  if (late.automatic !== null) {
    const { spent, allowed } = late.automatic;
    if (spent === 0) return `None of its ${allowed} automatic retries was made yet.`;
    return `${spent} of its ${allowed} automatic retries failed.`;
  }
  const { count } = late.byHand;
  if (late.deadline === null)
    return 'Its deadline passed unnoticed, and the next period is charged when it begins.';
  if (manualRetriesSpent(late))
    return `Its ${count} manual retries failed, so nothing more is charged, and it waits for its deadline.`;
  if (isGivenUp(late, at))
    return `No manual retry fits in before its deadline any more, so nothing more is charged; there were ${count} of this period.`;
  return `It waits for a manual retry until ${dateText(late.deadline)}; there were ${count} of this period.`;
}

function parkedSentence(pausedAt: Date): string {
  return `It has been parked since ${dateText(pausedAt)}, because the project has more subscribers than it may: nothing is charged meanwhile.`;
}

const OF_A_BLOCK = 'a block leaves access that long';

/** Whether access during a block lasts beyond a date. */
function blockOutlasts({ blockedAccessUntil }: Subscription, until: Date | null): boolean {
  return blockedAccessUntil !== null && (until === null || blockedAccessUntil > until);
}

const NO_ACCESS_NOW = 'It has no access any more.';

function accessSentence({ access, accessUntil }: Entitlement, why: string): string {
  if (!access) return NO_ACCESS_NOW;
  return accessUntil === null ? 'It has access.' : `It has access until ${dateText(accessUntil)}: ${why}.`;
}
