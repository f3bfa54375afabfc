import { atNow } from '../../commits/subscription-context.js';
import type {
  CustomerSession,
  CustomerSubscription,
  CustomerSubscriptionPage,
  CustomerSubscriptionsQuery,
} from '../../contract/customer.js';
import { toWireDate } from '../../contract/scalars.js';
import { type Plan, PUBLISHED } from '../../records/index.js';
import { customerActions } from '../../rules/customer-actions.js';
import { isInTheWayOfChange } from '../../rules/in-the-way-of-change.js';
import { takesSubscribers } from '../../rules/plan-on-chain.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { unknownCursor } from '../pages.js';
import { findPlans } from '../plans/find-plans.js';
import { planDescriber } from '../plans/read-plans.js';
import { asksEmail, type CustomerCaller, isTimeOver, readHistory, type SessionHistory } from './caller.js';
import { findReplacedPlan } from './create.js';
import { type Holding, readHoldings, visibleHoldings } from './holdings.js';
import { distinct, offeredPlans } from './offered-plans.js';

/** The number of subscriptions in the first view. */
const FIRST_VIEW = 20;

/** The project as a caller sees it. */
interface View {
  readonly history: SessionHistory;
  /** Everything that the caller reaches, and what of it the caller sees. */
  readonly holdings: readonly Holding[];
  readonly visible: readonly Holding[];
  readonly offered: readonly Plan[];
}

async function readView(service: Service, caller: CustomerCaller): Promise<View> {
  const history = await readHistory(service, caller);
  const holdings = await readHoldings(service, caller, history);
  return {
    history,
    holdings,
    visible: visibleHoldings(caller, holdings, history, service.clock.now()),
    offered: await offeredPlans(service, caller, holdings),
  };
}

/** The caller's subscriptions, newest first, with what can be done about each. */
export async function listOfCustomer(
  service: Service,
  caller: CustomerCaller,
  query: CustomerSubscriptionsQuery,
): Promise<CustomerSubscriptionPage> {
  return (await readPage(service, caller, query)).page;
}

/** The first view of a page: the project, the plans, the customer and the newest subscriptions. */
export async function describeSession(service: Service, caller: CustomerCaller): Promise<CustomerSession> {
  const { project, session, customer } = caller;
  const { settings, chain } = service;
  const { view, held, page } = await readPage(service, caller, { limit: FIRST_VIEW });
  const look = service.lacks.has('SessionStore') ? null : await service.store.findProjectLook(project.id);
  const plans = distinct([...view.offered, ...held]);
  const describe = await planDescriber(service, project, plans);
  const isOffered = (plan: Plan) =>
    PUBLISHED.includes(plan.status) && view.offered.some(({ id }) => id === plan.id);
  return {
    id: session?.id ?? null,
    kind: session?.kind ?? 'app',
    state: view.history.state,
    project: { name: project.name, accent: look?.accent ?? null, logo: look?.logo ?? null },
    service: settings.serviceName,
    network: chain.network,
    plans: plans.map((plan) => ({ ...describe(plan), offered: isOffered(plan) })),
    replaces: (await findReplacedPlan(service, caller))?.slug ?? null,
    customer: { known: customer !== null, email: customer?.email ?? null },
    ask_email: asksEmail(caller),
    success_url: session?.successUrl ?? null,
    back_url: session?.backUrl ?? null,
    locale: session?.locale ?? null,
    expires_at: session === null ? null : toWireDate(session.expiresAt),
    subscriptions: page.data,
    has_more: page.has_more,
  };
}

/** A page of what a caller sees, with everything else that was read for it. */
interface ReadPage {
  readonly view: View;
  /** The plans of the subscriptions on the page. */
  readonly held: readonly Plan[];
  readonly page: CustomerSubscriptionPage;
}

async function readPage(
  service: Service,
  caller: CustomerCaller,
  { limit, starting_after }: CustomerSubscriptionsQuery,
): Promise<ReadPage> {
  const view = await readView(service, caller);
  const { visible } = view;
  const place = visible.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && place === -1) throw unknownCursor();
  const onPage = visible.slice(place + 1, place + 1 + limit);
  const held = await findPlans(
    service,
    onPage.map(({ planId }) => planId),
  );
  const described = await Promise.all(
    onPage.flatMap((holding) => {
      const plan = held.find(({ id }) => id === holding.planId);
      return plan === undefined ? [] : [describe(service, caller, view, holding, plan)];
    }),
  );
  return {
    view,
    held,
    page: {
      data: described.filter((one) => one !== null),
      has_more: place + 1 + limit < visible.length,
    },
  };
}

/** A subscription as its customer sees it; null for one that was deleted meanwhile. */
async function describe(
  service: Service,
  caller: CustomerCaller,
  view: View,
  holding: Holding,
  plan: Plan,
): Promise<CustomerSubscription | null> {
  const subscription = await service.store.findSubscription(caller.project.id, holding.id);
  if (subscription === null) return null;
  const at = atNow(service, { project: caller.project, plan });
  const isOpen = view.history.state === 'open';
  const offered = view.offered.filter((one) => takesSubscribers(one, service.chain.charger, at.now));
  const canSubscribe =
    isOpen && offered.some(({ id }) => id === plan.id) && !wasMadeAgain(holding, view.visible);
  const others = offered.filter(
    (other) =>
      other.id !== plan.id &&
      !view.holdings.some(
        (held) =>
          held.planId === other.id && isInTheWayOfChange(held, subscription.wallet, { ...at, plan: other }),
      ),
  );
  const can = { canSubscribe, canChange: isOpen && others.length > 0 };
  const actions = isTimeOver(caller, at.now) ? [] : customerActions(subscription, at, can);
  return {
    ...subscriptionWire(subscription, at),
    actions: [...actions],
    changes_to: actions.includes('change') ? others.map(({ slug }) => slug) : [],
  };
}

/** Whether the customer paid for the plan of a subscription anew since. Holdings are newest first. */
function wasMadeAgain({ id, planId }: Holding, visible: readonly Holding[]): boolean {
  const newer = visible.slice(
    0,
    visible.findIndex((other) => other.id === id),
  );
  return newer.some((other) => other.planId === planId && other.confirmedAt !== null);
}
