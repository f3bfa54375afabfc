import { toAmountText, toWireDate } from '../../contract/scalars.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requireOncePublishedPlan } from '../../operations/require.js';
import type {
  ChargeView,
  DuePlace,
  DueSubscriptions,
  SubscriptionWithPlan,
  UnreadableRecord,
} from '../../ports/index.js';
import { Unavailable } from '../../ports/unavailable.js';
import { plusDays, type Plan, type Project } from '../../records/index.js';
import { type NextFailure, whyNextFails } from '../../rules/decide.js';
import { displayAmount } from '../../rules/money.js';
import { type KnownTokens, tokenName } from '../../rules/token-name.js';
import { upcomingTry } from '../../rules/upcoming.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { setAside } from '../read-rows.js';
import { duePlaceId, duePlaceOf } from '../reports/due-place.js';
import { reasonText } from './explanation/reason-texts.js';
import { remediesOfNext } from './explanation/remedies.js';
import type { CannotPayQuery } from './inputs.js';
import type { CannotPayPage, CannotPayWire } from './schemas.js';
import { subscriberWire } from './subscriber.js';

/** How many subscriptions are read from the chain at once. */
const STEP = 100;

/** The steps of a page. */
const STEPS = 5;

/** A charge or retry that comes next. */
interface NextCharge {
  readonly kind: 'charge' | 'retry';
  readonly place: DuePlace;
  readonly plan: Plan;
}

/** A charge that would fail as the chain is now. */
interface FailingCharge extends NextCharge, SubscriptionWithPlan {
  readonly view: ChargeView;
  readonly failure: NextFailure;
}

/** Lists those whose next charge would fail as the chain is now, soonest first (payments#who-cannot-pay). */
export async function listCannotPay(
  service: Service,
  project: Project,
  { plan: slug, days, limit, starting_after }: CannotPayQuery,
): Promise<CannotPayPage> {
  const plan = slug === undefined ? null : await requireOncePublishedPlan(service, project, slug);
  const until = days === undefined ? null : plusDays(service.clock.now(), days);
  const tokens = await readKnownTokens(service);
  const data: CannotPayWire[] = [];
  const unreadable: UnreadableRecord[] = [];
  let next = starting_after === undefined ? null : duePlaceOf(starting_after);
  for (let step = 0; step < STEPS; step++) {
    const rows = await service.store.listByNextTry(project.id, next, STEP);
    const due = rows.due.flatMap((row) => dueCharges(row, plan));
    const inTime = due.filter(({ place }) => until === null || place.at < until);
    const failing = await readFailing(service, project, inTime, unreadable);
    const shown = failing.slice(0, limit - data.length);
    data.push(...shown.map((one) => cannotPayWire(one, tokens, service.chain.charger)));
    unreadable.push(...rows.unreadable);
    next = rows.next === null || (until !== null && rows.next.at >= until) ? null : rows.next;
    if (shown.length < failing.length) next = shown.at(-1)?.place ?? null;
    if (next === null || data.length === limit) break;
  }
  return {
    data,
    has_more: next !== null,
    next: next === null ? null : duePlaceId(next),
    unreadable: setAside(service, unreadable, 'A subscription was left out of those who cannot pay'),
  };
}

/** The charge that comes next for a subscription to this plan, or to any; none before an end. */
function dueCharges(
  { subscription, plan: own }: DueSubscriptions['due'][number],
  plan: Plan | null,
): readonly NextCharge[] {
  const upcoming = upcomingTry(subscription, own);
  if (upcoming === null || upcoming.kind === 'end' || (plan !== null && own.id !== plan.id)) return [];
  return [{ kind: upcoming.kind, place: { at: upcoming.dueAt, id: subscription.id }, plan: own }];
}

/** Reads the whole records and the chain for some charges, and returns those that would fail. */
async function readFailing(
  { store, chain }: Service,
  project: Project,
  due: readonly NextCharge[],
  unreadable: UnreadableRecord[],
): Promise<readonly FailingCharge[]> {
  const read = await Promise.all(
    due.map(async (one) => {
      const subscription = await store.findSubscription(project.id, one.place.id).catch((error: unknown) => {
        // A store that cannot serve now says nothing about a row.
        if (error instanceof Unavailable) throw error;
        unreadable.push({ id: one.place.id, error });
        return null;
      });
      return subscription === null ? [] : [{ ...one, subscription }];
    }),
  );
  const charges = read.flat();
  if (charges.length === 0) return [];
  const targets = charges.map(({ plan, subscription }) => chargeTarget(plan, subscription.wallet));
  const answers = await chain.readCharges(targets, 'confirmed');
  return charges.flatMap((charge, index): FailingCharge[] => {
    const view = requireAnswer(answers[index] ?? { ok: false, unavailable: { kind: 'transport' } });
    const { subscription, plan, place } = charge;
    const failure = whyNextFails(subscription, plan, view, chain.charger, place.at);
    return failure === null ? [] : [{ ...charge, view, failure }];
  });
}

function cannotPayWire(
  { kind, place, subscription, plan, view, failure }: FailingCharge,
  tokens: KnownTokens,
  charger: string,
): CannotPayWire {
  const { source, authority } = view;
  const { outcome, reason, amount } = failure;
  const { unit } = tokenName(plan, tokens);
  const balance = source?.balance ?? 0n;
  const missing = balance < amount ? amount - balance : 0n;
  const price = `${displayAmount(amount, plan.decimals)} ${unit ?? 'tokens'}`;
  return {
    ...subscriberWire({ subscription, plan }),
    kind,
    due_at: toWireDate(place.at),
    outcome,
    reason,
    why: reasonText(reason),
    amount: toAmountText(amount),
    amount_display: displayAmount(amount, plan.decimals),
    balance: toAmountText(balance),
    approved: toAmountText(source?.delegate === authority.address ? source.delegatedAmount : 0n),
    missing: toAmountText(missing),
    missing_display: displayAmount(missing, plan.decimals),
    symbol: unit,
    mint: plan.mint,
    decimals: plan.decimals,
    to_do: remediesOfNext(failure, { price, charger, dueAt: place.at }),
  };
}
