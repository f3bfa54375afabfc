import type { EndReason, EventType } from '../../../contract/enums.js';
import type { Attempt, Json, SubscriptionEvent } from '../../../records/index.js';
import { dateText, priceText, type ExplanationFacts } from './facts.js';
import { endSentence, reasonText } from './reason-texts.js';

export interface Happened {
  readonly at: Date;
  readonly what: string;
}

/** The most sentences of an explanation about the past. */
export const MOST_TOLD = 20;

/** The past of a subscription, newest first: its events, and the tries without one. */
export function happened(facts: ExplanationFacts): readonly Happened[] {
  const created = { at: facts.subscription.createdAt, what: 'The checkout was created.' };
  const told = [
    ...facts.events.map((event) => ofEvent(event, facts)),
    ...ofTries(facts),
    ...ofCharges(facts),
    ...facts.refunds.map(({ landedAt, amount, signature }) => ({
      at: landedAt,
      what: `${priceText(amount, facts)} were given back by hand (${signature}).`,
    })),
    ...facts.attempts
      .filter(({ id }) => facts.withUnreadableRefund.includes(id))
      .map(({ attemptedAt: at }) => ({
        at,
        what: 'A refund of this charge is recorded, and the service cannot read it.',
      })),
  ];
  // The sort is stable, so what happened in one instant stays in the order of its events.
  return [...told.sort((one, other) => other.at.getTime() - one.at.getTime()), created].slice(0, MOST_TOLD);
}

/** The tries without an event: blocked or skipped ones. Equal tries in a row make one sentence. */
function ofTries({ attempts, hasEarlierAttempts, subscription }: ExplanationFacts): readonly Happened[] {
  const runs: { first: Date; reason: string | null; outcome: Attempt['outcome']; count: number }[] = [];
  for (const { outcome, reason, attemptedAt } of attempts.toReversed()) {
    const run = runs.at(-1);
    if (run?.reason === reason && run.outcome === outcome) run.count += 1;
    else runs.push({ first: attemptedAt, reason, outcome, count: 1 });
  }
  const [earliest] = runs;
  return runs.toReversed().flatMap((run) => {
    const { first, reason, outcome, count } = run;
    if ((outcome !== 'blocked' && outcome !== 'skipped') || reason === null) return [];
    const what = outcome === 'blocked' ? 'A charge could not be made' : 'A charge was left out';
    // The run may have begun before the earliest attempt that was read.
    const isCut = run === earliest && hasEarlierAttempts;
    const isTheBlock = isCut && runs.length === 1 && reason === subscription.blockedReason;
    const times = count === 1 && !isCut ? '' : `, ${isCut ? 'at least ' : ''}${count} times in a row`;
    return [
      {
        at: (isTheBlock ? subscription.blockedSince : null) ?? first,
        what: `${what}: ${reasonText(reason)}${times}.`,
      },
    ];
  });
}

/**
 * The charges without an event: events are deleted after 30 days and attempts are not, and the payment of a
 * failed checkout raises none.
 */
function ofCharges(facts: ExplanationFacts): readonly Happened[] {
  const signatures = new Set<string>();
  const failures = new Map<string, number>();
  for (const { type, detail } of facts.events) {
    const read = detailReader(detail, facts);
    for (const payment of [read, read.inner('first_payment')]) signatures.add(payment.text('signature'));
    if (type !== 'subscription.payment_failed') continue;
    const key = failureKey(read.text('reason'), read.text('period_start'));
    failures.set(key, (failures.get(key) ?? 0) + 1);
  }
  return facts.attempts.flatMap(({ outcome, reason, amount, signature, attemptedAt: at, periodStart }) => {
    const what = `${priceText(amount, facts)}${periodStart === null ? '' : ` for the period from ${dateText(periodStart)}`}`;
    if (outcome === 'paid' && !signatures.has(signature ?? ''))
      return [{ at, what: `A charge was paid: ${what}.` }];
    if (outcome !== 'rejected') return [];
    // The newest failures of a period for a reason are those of its events.
    const key = failureKey(reason ?? '', periodStart?.toISOString() ?? '');
    const told = failures.get(key) ?? 0;
    failures.set(key, told - 1);
    return told > 0 ? [] : [{ at, what: `A charge of ${what} failed: ${reasonText(reason ?? '')}.` }];
  });
}

function failureKey(reason: string, periodStart: string): string {
  return `${reason} ${periodStart}`;
}

function ofEvent(event: SubscriptionEvent, facts: ExplanationFacts): Happened {
  const read = detailReader(event.detail, facts);
  const { subscription, events, isChange } = facts;
  const isLast = events.find(({ type }) => type === event.type) === event;
  const endReason = isLast ? subscription.endReason : null;
  return { at: event.createdAt, what: SENTENCES[event.type](read, { endReason, isChange }) };
}

/** Reads the detail of an event: its texts, dates and amounts, each in words. */
interface Detail {
  text(name: string): string;
  amount(): string;
  date(name: string): string;
  has(name: string): boolean;
  inner(name: string): Detail;
}

function detailReader(detail: Json, facts: ExplanationFacts): Detail {
  const fields = (typeof detail === 'object' && detail !== null ? detail : {}) as Readonly<
    Record<string, Json>
  >;
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    text,
    has: (name) => fields[name] !== null && fields[name] !== undefined,
    date: (name) => dateText(new Date(text(name))),
    amount: () => priceText(BigInt(text('amount')), facts),
    inner: (name) => detailReader(fields[name] ?? null, facts),
  };
}

/** What the sentence of an event needs beside its detail. The reason is that of the last end. */
interface Beside extends Pick<ExplanationFacts, 'isChange'> {
  readonly endReason: EndReason | null;
}

const SENTENCES: Readonly<Record<EventType, (detail: Detail, beside: Beside) => string>> = {
  'subscription.created': (detail, { isChange }) => {
    const payment = detail.inner('first_payment');
    const previous = detail.text('previous_id');
    const as = isChange
      ? `, as a change of plan from ${previous}`
      : ', as a comeback of the stopped subscription';
    return `The first payment landed: ${payment.amount()} until ${payment.date('period_end')}${previous === '' ? '' : as}.`;
  },
  'subscription.access_granted': () => 'Access began.',
  'subscription.access_revoked': () => 'Access ended.',
  'subscription.renewal_upcoming': (detail) =>
    `The renewal of ${detail.date('due_at')} was announced${
      detail.has('renewal_issue')
        ? detail.text('renewal_issue') === 'balance'
          ? '; the wallet held too little for it'
          : '; the wallet could not be charged without a new approval'
        : ''
    }.`,
  'subscription.renewed': (detail) =>
    `A charge was paid: ${detail.amount()} until ${detail.date('period_end')}.`,
  'subscription.payment_failed': (detail) =>
    `A charge of ${detail.amount()} failed: ${reasonText(detail.text('reason'))}. ${
      detail.has('next_retry_at')
        ? `The next retry was set to ${detail.date('next_retry_at')}.`
        : 'No automatic retry followed.'
    }`,
  'subscription.stopped': (detail) =>
    detail.has('reason') ? `It stopped: ${reasonText(detail.text('reason'))}.` : 'It stopped.',
  'subscription.cancelled': () => 'The customer cancelled it.',
  'subscription.resumed': () => 'The customer resumed it.',
  // The account of a cancelled one may be closed later, which changes the reason of the subscription.
  'subscription.ended': (detail, { endReason }) =>
    detail.has('end_reason')
      ? endSentence('cancelled')
      : endReason === null
        ? 'It ended.'
        : endSentence(endReason),
  'subscription.expired': () => 'The checkout expired.',
  'subscription.paused': () => 'It was parked, over the limit of subscribers.',
  'subscription.unpaused': () => 'It returned from being parked.',
};
