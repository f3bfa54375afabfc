import { atNow } from '../../commits/subscription-context.js';
import type { Explanation } from '../../contract/explanation.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Project } from '../../records/index.js';
import { entitlement } from '../../rules/access.js';
import type { ExplanationFacts } from '../../rules/explanation/facts.js';
import { happened } from '../../rules/explanation/happened.js';
import { remedies } from '../../rules/explanation/remedies.js';
import { stateSentences } from '../../rules/explanation/state-sentences.js';
import { upcoming } from '../../rules/explanation/upcoming.js';
import { tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { chargedBeside } from '../customer.js';
import { readKnownTokens } from '../known-tokens.js';
import { findSubscription } from '../find-subscription.js';

/** How many attempts and events are read. More attempts than events, for those of a block repeat. */
const ATTEMPTS = 100;
const EVENTS = 20;

/** Explains a subscription in sentences: its state, what happened, what happens next, and what to do (management#subscription-explained). */
export async function explainSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<Explanation> {
  const { store, chain } = service;
  const context = await findSubscription(service, project, id);
  const { subscription, plan } = context;
  const newest = (limit: number) => ({ limit, startingAfter: null });
  const [attempts, events, openTransfer, known, beside] = await Promise.all([
    store.listAttempts(subscription.id, newest(ATTEMPTS)),
    store.listEvents(
      project.id,
      new Date(0),
      { type: null, subscriptionId: subscription.id },
      newest(EVENTS),
    ),
    store.findOpenTransfer(subscription.id),
    readKnownTokens(service),
    chargedBeside(service, plan, subscription),
  ]);
  const facts: ExplanationFacts = {
    subscription,
    at: atNow(service, context),
    unit: tokenName(plan, known).unit,
    charger: chain.charger,
    attempts: attempts === 'unknown_cursor' ? [] : attempts.data,
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
