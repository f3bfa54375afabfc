import { atNow } from '../../../commits/subscription-context.js';
import { toWireDate } from '../../../contract/scalars.js';
import { readKnownTokens } from '../../../operations/plans/known-tokens.js';
import { requireSubscription } from '../../../operations/require.js';
import { chargedBeside } from '../../../operations/subscriptions/customer.js';
import type { Attempt, AttemptId, Project } from '../../../records/index.js';
import { entitlement } from '../../../rules/access.js';
import { tokenName } from '../../../rules/token-name.js';
import type { Service } from '../../../service.js';
import { readPages, setAside } from '../../read-rows.js';
import type { Explanation } from '../schemas.js';
import type { ExplanationFacts } from './facts.js';
import { MOST_TOLD, happened } from './happened.js';
import { remedies } from './remedies.js';
import { stateSentences } from './state-sentences.js';
import { upcoming } from './upcoming.js';

const PAGE = 500;
/** The tries of a block that lasts for a month. */
const MOST_ATTEMPTS = 5_000;

/** Explains a subscription in sentences (management#subscription-explained). */
export async function explainSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<Explanation> {
  const { store, chain } = service;
  const context = await requireSubscription(service, project, id);
  const { subscription, plan } = context;
  const { previousId } = subscription;
  const [attempts, events, openTransfer, tokens, beside, previous] = await Promise.all([
    readPages<Attempt, AttemptId>(PAGE, (page) => store.listAttempts(subscription.id, page), isEnough),
    store.listEvents(
      project.id,
      new Date(0),
      { type: null, subscriptionId: subscription.id },
      { limit: MOST_TOLD, startingAfter: null },
    ),
    store.findOpenTransfer(subscription.id),
    readKnownTokens(service),
    chargedBeside(service, plan, subscription),
    previousId === null ? null : store.findSubscription(project.id, previousId),
  ]);
  const paid = attempts.rows.filter(({ outcome }) => outcome === 'paid').slice(0, MOST_TOLD);
  const { refunds, unreadable } = service.lacks.has('ReportStore')
    ? { refunds: [], unreadable: [] }
    : await store.listRefunds(paid.map((one) => one.id));
  const facts: ExplanationFacts = {
    subscription,
    at: atNow(service, context),
    isChange: previous !== null && previous.planId !== plan.id,
    unit: tokenName(plan, tokens).unit,
    charger: chain.charger,
    attempts: attempts.rows,
    hasEarlierAttempts: attempts.hasMore,
    refunds,
    withUnreadableRefund: setAside(service, unreadable, 'A refund was left out of an explanation'),
    events: events === 'unknown_cursor' ? [] : events.data,
    chargedBeside: beside,
    openTransfer,
  };
  return {
    subscription: subscription.id,
    as_of: toWireDate(facts.at.now),
    access: entitlement(subscription, facts.at).access,
    state: stateSentences(facts),
    next: upcoming(facts).map(({ at, what }) => ({ at: toWireDate(at), what })),
    to_do: remedies(facts),
    happened: happened(facts).map(({ at, what }) => ({ at: toWireDate(at), what })),
  };
}

/** The tries of a block make one sentence, so they do not count. */
function isEnough(attempts: readonly Attempt[]): boolean {
  return (
    attempts.length >= MOST_ATTEMPTS ||
    attempts.filter(({ outcome }) => outcome === 'paid' || outcome === 'rejected').length >= MOST_TOLD
  );
}
