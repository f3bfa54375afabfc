import { describe, expect, it } from 'vitest';

import { BlockedReason, EndReason, EventType, LateReason, StopReason } from '../../../contract/enums.js';
import { TIERS } from '../../../contract/tiers.js';
import type { Late, Subscription, SubscriptionId, Transfer } from '../../../records/index.js';
import {
  MADE_AT,
  aCheckout,
  anAttempt,
  anEvent,
  aPlan,
  aSubscription,
  aTransfer,
} from '../../../testing/records.js';
import { lateReason } from '../../../rules/attempt-reasons.js';
import { plus } from '../../../rules/billing-periods.js';
import type { ExplanationFacts } from './facts.js';
import { happened } from './happened.js';
import { reasonText } from './reason-texts.js';
import { remedies } from './remedies.js';
import { stateSentences } from './state-sentences.js';
import { upcoming } from './upcoming.js';
import { HOUR } from '../../../testing/units-of-time.js';

const plan = aPlan();
const now = plus(MADE_AT, HOUR);

function factsOf(
  subscription: Subscription,
  more: Partial<Omit<ExplanationFacts, 'subscription'>> = {},
): ExplanationFacts {
  return {
    subscription,
    at: { plan, tier: TIERS.business, now },
    isChange: false,
    unit: 'USDC',
    charger: 'ChargerAddress',
    attempts: [],
    hasEarlierAttempts: false,
    refunds: [],
    withUnreadableRefund: [],
    events: [],
    chargedBeside: [],
    openTransfer: null,
    ...more,
  };
}

/** The whole explanation as one text. */
function explain(subscription: Subscription, more?: Parameters<typeof factsOf>[1]): string {
  const facts = factsOf(subscription, more);
  return [
    ...stateSentences(facts),
    ...upcoming(facts).map(({ what }) => what),
    ...remedies(facts).map(({ who, what }) => `${who}: ${what}`),
  ].join(' ');
}

const LATE: Late = {
  periodStart: MADE_AT,
  graceUntil: null,
  automatic: null,
  deadline: plus(MADE_AT, 30 * 24 * HOUR),
  byHand: { count: 1, lastAt: null },
  queuedAt: null,
};

const SIGNED: Transfer = aTransfer({ kind: 'subscribe', state: 'open', signature: 'SignatureOfIt' });

// management#subscription-explained
describe('an explanation', () => {
  it.each<[string, Subscription, string]>([
    ['a checkout without a transaction', aCheckout({ built: null }), 'the customer has not signed it yet'],
    ['one that expired', aSubscription({ status: 'expired' }), 'nobody signed it in time'],
    ['one that failed', aSubscription({ status: 'failed' }), 'what landed on chain is not what was reserved'],
    [
      'one that was superseded',
      aSubscription({ status: 'superseded' }),
      'a newer subscription took its place',
    ],
    ['one without terms', aSubscription({ termsSigned: false }), 'no terms were signed through the service'],
    [
      'a late one with a manual retry',
      aSubscription({ status: 'unpaid', late: { ...LATE, queuedAt: now } }),
      'A manual retry is waiting or running.',
    ],
  ])('of %s says so', (_, subscription, sentence) => {
    expect(explain(subscription)).toContain(sentence);
  });

  it('of a checkout on its way names the transaction, and asks for no signature', () => {
    const text = explain(aCheckout(), { openTransfer: SIGNED });
    expect(text).toContain('its transaction is on its way');
    expect(text).toContain('SignatureOfIt');
    expect(text).not.toContain('Sign the checkout');
  });

  it('of a late one on Free says why it has no access, and until when a retry counts', () => {
    const late = aSubscription({ status: 'unpaid', lateReason: 'insufficient_balance', late: LATE });
    const text = explain(late, { at: { plan, tier: TIERS.free, now } });
    expect(text).toContain('on this tier a late payment leaves none');
    expect(text).toContain('It stops, unless a manual retry has paid by then.');
    expect(text).toContain('customer: Put at least 10 USDC into the wallet before 2026-01-31 00:00 UTC.');
  });

  // retries#manual-retries-on-free
  it('of a late one on Free whose retries are spent promises none, and says when it stops', () => {
    const spent: Late = { ...LATE, byHand: { count: 3, lastAt: MADE_AT } };
    const late = aSubscription({ status: 'unpaid', lateReason: 'insufficient_balance', late: spent });
    const text = explain(late, { at: { plan, tier: TIERS.free, now } });
    expect(text).toContain(
      'Its 3 manual retries failed, so nothing more is charged, and it waits for its deadline.',
    );
    expect(upcoming(factsOf(late))).toEqual([{ at: LATE.deadline, what: 'It stops.' }]);
    expect(text).not.toMatch(/A manual retry|unless|Put at least/);
    expect(text).toContain('customer: Subscribe again once it has stopped');
  });

  // retries#manual-retries-on-free, retries#retry-deadline-on-free
  it.each<[string, Partial<Late>, RegExp, RegExp, (Date | null)?]>([
    [
      'whose deadline has passed',
      { deadline: now },
      /No manual retry fits in before its deadline any more, so nothing more is charged.*It stops\. .*once it has stopped/,
      /A manual retry|unless|Put at least/,
    ],
    [
      'whose next retry must wait past the deadline',
      { deadline: plus(now, HOUR / 12), byHand: { count: 1, lastAt: now } },
      /No manual retry fits in before its deadline any more, so nothing more is charged/,
      /A manual retry|unless|Put at least/,
    ],
    [
      'whose last retry is queued while the deadline passes',
      { deadline: now, queuedAt: plus(now, -1) },
      /A manual retry is waiting or running\. .*It stops, unless a manual retry has paid by then\. .*Put at least/,
      /fits in|once it has stopped/,
    ],
    [
      'whose deadline passed while it was parked',
      { deadline: null, byHand: { count: 3, lastAt: MADE_AT } },
      /Its deadline passed unnoticed, and the next period is charged when it begins\..*Put at least/,
      /A manual retry|waits for|once it has stopped/,
    ],
    [
      'that is parked when the deadline passes',
      { deadline: now },
      /^It has been parked since/,
      /manual retry|so nothing more|It stops/,
      now,
    ],
  ])('of a late one on Free %s promises what can come', (_, changed, told, untold, pausedAt) => {
    const late = aSubscription({
      status: 'unpaid',
      lateReason: 'insufficient_balance',
      late: { ...LATE, ...changed },
      pausedAt: pausedAt ?? null,
    });
    const text = explain(late, { at: { plan, tier: TIERS.free, now } });
    expect(text).toMatch(told);
    expect(text).not.toMatch(untold);
  });

  // retries#last-two-minutes-of-a-plan
  it('of a late one offers no manual retry in the last two minutes of its plan', () => {
    const automatic = { spent: 0, allowed: 3, waitMs: HOUR, nextAt: plus(now, HOUR) };
    const late = aSubscription({ status: 'unpaid', late: { ...LATE, automatic, deadline: null } });
    expect(explain(late)).toContain('A manual retry charges at once.');
    const ending = { ...plan, endsAt: plus(now, HOUR / 30) };
    expect(explain(late, { at: { plan: ending, tier: TIERS.business, now } })).not.toContain(
      'A manual retry',
    );
  });

  it.each(BlockedReason.options)(
    'of one that is blocked by %s says what is wrong, and who mends it',
    (reason) => {
      const blocked = aSubscription({ blockedReason: reason, blockedSince: now, nextTryAt: plus(now, HOUR) });
      const text = explain(blocked);
      expect(text).toContain(reasonText(reason).replace(` (${reason})`, ''));
      expect(text).toMatch(/(plan_owner|token_issuer|operator): /);
      expect(text.includes('Charging goes on by itself after that.')).toBe(reason !== 'mint_gone');
      expect(text).toContain('The charge is tried again.');
    },
  );

  const UNTIL = 'It has access until 2026-01-01 06:00 UTC';
  const BLOCK = { blockedReason: 'mint_paused', blockedSince: now } as const;

  // blocks#block-while-unpaid
  it.each<[string, number | null, number | null, string]>([
    ['the block outlasts the grace', 2, 5, 'a block leaves access'],
    ['only the block leaves access', null, 5, 'a block leaves access'],
    ['the grace outlasts the block', 5, 2, 'a late payment leaves access'],
    ['only the grace leaves access', 5, null, 'a late payment leaves access'],
  ])('of a late one that is blocked has the reason of its access: %s', (_, grace, block, why) => {
    const late = aSubscription({
      ...BLOCK,
      status: 'unpaid',
      paidPeriodEnd: MADE_AT,
      late: { ...LATE, graceUntil: grace === null ? null : plus(now, grace * HOUR) },
      blockedAccessUntil: block === null ? null : plus(now, block * HOUR),
    });
    expect(explain(late)).toContain(`${UNTIL}: ${why} that long.`);
  });

  it.each<[string, number, number | null, string]>([
    ['the block outlasts the paid period', 2, 5, `${UNTIL}: a block leaves access that long.`],
    ['the paid period outlasts the block', 5, 2, `${UNTIL}: it is paid until then.`],
    ['the block leaves none', 5, null, `${UNTIL}: it is paid until then.`],
  ])('of a blocked one has the reason of its access: %s', (_, paid, block, sentence) => {
    const blocked = aSubscription({
      ...BLOCK,
      paidPeriodEnd: plus(now, paid * HOUR),
      blockedAccessUntil: block === null ? null : plus(now, block * HOUR),
    });
    expect(explain(blocked)).toContain(sentence);
  });

  it('of a block on the side of the service has the reason of the last try', () => {
    const blocked = aSubscription({ blockedReason: 'mesub', blockedSince: now });
    const attempts = [anAttempt({ outcome: 'blocked', reason: 'transport' })];
    expect(explain(blocked, { attempts })).toContain(
      'The last try: no server of the chain answered in full and in time, or what was sent never landed (transport).',
    );
  });

  it.each([
    ['token_account_frozen', "token_issuer: Thaw the wallet's account for the token"],
    ['token_account_reassigned', 'customer: Have the token account given back to the wallet'],
    ['program_1', 'customer: Approve the charges again in the wallet'],
    ['program_4', 'customer: Approve the charges again in the wallet'],
  ])('of one that is late by %s says who mends it, and that a retry is refused before', (reason, remedy) => {
    const late = aSubscription({ status: 'unpaid', lateReason: lateReason(reason), late: LATE });
    const text = explain(late, { attempts: [anAttempt({ outcome: 'rejected', reason })] });
    expect(text).toContain(remedy);
    expect(text).toContain(
      'A manual retry charges at once. It is refused for as long as the chain shows the cause.',
    );
    expect(text).not.toContain(`: ${reason}`);
  });

  it.each(StopReason.options)(
    'of one that stopped by %s says why, and how the customer returns',
    (stopReason) => {
      expect(explain(aSubscription({ status: 'stopped', stopReason }))).toMatch(
        /^It stopped, because .*customer: (Subscribe again with the same wallet|Close the old subscription)/,
      );
    },
  );

  it.each(EndReason.options)('of one that ended by %s says why', (endReason) => {
    expect(explain(aSubscription({ status: 'ended', endReason }))).toMatch(/^It ended, because \w/);
  });

  const NEW = 'sub_new' as SubscriptionId;

  // plan-changes#one-change-at-a-time
  it.each<[string, Subscription]>([
    ['one that is paid', aSubscription({ replacedById: NEW })],
    [
      'a late one',
      aSubscription({ status: 'unpaid', lateReason: 'insufficient_balance', late: LATE, replacedById: NEW }),
    ],
  ])('of %s says that a change of plan may land, and promises nothing before', (_, subscription) => {
    const text = explain(subscription);
    expect(text).toContain('A change of plan to sub_new may still land, and nothing is charged before');
    expect(text).toContain('It ends when the change of plan lands. Otherwise it goes on');
    expect(text).not.toMatch(/The next period is charged|It stops|Put at least|manual retry charges/);
  });

  // plan-changes#landed-change
  it('of one that was replaced leads to the new one, and asks for no other', () => {
    const replaced = aSubscription({ status: 'ended', endReason: 'plan_changed', replacedById: NEW });
    const text = explain(replaced);
    expect(text).toContain('because the customer changed to another plan. In its place is sub_new.');
    expect(text).not.toContain('Subscribe again');
  });

  it.each(LateReason.options)('of one that is late by %s says what the customer can do', (lateReason) => {
    const late = aSubscription({ status: 'unpaid', lateReason, late: LATE });
    expect(explain(late)).toMatch(/is late: the (?:wallet|approval) .*customer: (Put|Approve|Subscribe)/);
  });
});

describe('what happened', () => {
  it('tells equal tries in a row once, and leaves out those that an event tells', () => {
    const tried = (hour: number, reason: string) =>
      anAttempt({ outcome: 'blocked', reason, attemptedAt: plus(MADE_AT, hour * HOUR) });
    const paid = anAttempt({ attemptedAt: plus(MADE_AT, 5 * HOUR) });
    const failed = anAttempt({ outcome: 'rejected', reason: 'insufficient_balance', attemptedAt: now });
    const detail = { amount: '1', period_end: MADE_AT.toISOString() };
    const events = [
      anEvent({
        type: 'subscription.payment_failed',
        // Another host's clock was ahead when it wrote the event before.
        createdAt: plus(failed.attemptedAt, 3_000),
        detail: { ...detail, reason: failed.reason, period_start: MADE_AT.toISOString() },
      }),
      anEvent({ type: 'subscription.renewed', detail: { ...detail, signature: paid.signature } }),
    ];
    const attempts = [
      ...[failed, paid],
      tried(4, 'transport'),
      tried(3, 'mint_paused'),
      tried(2, 'mint_paused'),
    ];
    const told = happened(factsOf(aSubscription(), { attempts, events })).map(({ what }) => what);
    expect(told.filter((what) => what.includes('could not be made'))).toEqual([
      'A charge could not be made: no server of the chain answered in full and in time, or what was sent never landed (transport).',
      "A charge could not be made: the token's issuer paused all transfers (mint_paused), 2 times in a row.",
    ]);
    expect(told).toHaveLength(5);
  });

  it('tells tries of one reason apart that a charge parts', () => {
    const blocked = (hour: number) =>
      anAttempt({ outcome: 'blocked', reason: 'mint_paused', attemptedAt: plus(MADE_AT, hour * HOUR) });
    const paid = anAttempt({ attemptedAt: plus(MADE_AT, 2 * HOUR) });
    const attempts = [blocked(4), blocked(3), paid, blocked(1)];
    const told = happened(factsOf(aSubscription(), { attempts }));
    const paused = "A charge could not be made: the token's issuer paused all transfers (mint_paused)";
    expect(
      told.map(({ at, what }) => [at, what]).filter(([, what]) => String(what).startsWith(paused)),
    ).toEqual([
      [plus(MADE_AT, 3 * HOUR), `${paused}, 2 times in a row.`],
      [plus(MADE_AT, HOUR), `${paused}.`],
    ]);
  });

  it('tells of charges whose events were deleted', () => {
    const attempts = [
      anAttempt({ outcome: 'rejected', reason: 'insufficient_balance', attemptedAt: now, periodStart: now }),
      anAttempt(),
    ];
    expect(happened(factsOf(aSubscription(), { attempts })).map(({ what }) => what)).toEqual([
      'A charge of 10 USDC for the period from 2026-01-01 01:00 UTC failed: the wallet held less than is due (insufficient_balance).',
      'A charge was paid: 10 USDC for the period from 2026-01-01 00:00 UTC.',
      'The checkout was created.',
    ]);
  });

  // plan-changes#landed-change, coming-back#superseded-by-a-comeback
  it.each([
    ['a change of plan from sub_old', true],
    ['a comeback of the stopped subscription', false],
  ])('tells of a first payment as %s', (as, isChange) => {
    const detail = {
      first_payment: { amount: '10000000', period_end: now.toISOString() },
      previous_id: 'sub_old',
    };
    const events = [anEvent({ type: 'subscription.created', detail })];
    expect(happened(factsOf(aSubscription(), { events, isChange }))[0]?.what).toBe(
      `The first payment landed: 10 USDC until 2026-01-01 01:00 UTC, as ${as}.`,
    );
  });

  it('tells why it ended, and of an end that was taken back only that it was', () => {
    const type = 'subscription.ended';
    const ends = [anEvent({ type }), anEvent({ type })];
    const told = (endReason: EndReason | null, events: ExplanationFacts['events']) =>
      happened(factsOf(aSubscription({ status: 'ended', endReason }), { events })).map(({ what }) => what);
    expect(told('plan_ended', ends).slice(0, 2)).toEqual([
      'It ended, because the plan reached its end.',
      'It ended.',
    ]);
    const closedLater = [anEvent({ type, detail: { end_reason: 'cancelled' } })];
    expect(told('closed', closedLater)[0]).toBe('It ended, because the customer cancelled it.');
  });

  it.each(EventType.options)('tells of %s also without the details that it knows', (type) => {
    const events = [anEvent({ type, detail: { later_field: 1 } })];
    expect(happened(factsOf(aSubscription(), { events }))[0]?.what).toMatch(/^[AIT]\w* .*\.$/);
  });
});
