import { createMemoryStore } from '@subrail/adapters/memory';
import type { Billing, FetchHandler, ProjectBilling } from '@subrail/core';
import type { PlanWire, SubscriptionWire } from '@subrail/core/schemas';
import type { Plan, ProjectId, Subscription } from '@subrail/core/ports';
import { aCommit, anAddress, aPlan, ManualClock, RecordingSender } from '@subrail/core/testing';

import { endOf, notBefore, type Duration } from '../duration.js';
import { createBillingWithDefaults } from '../service/billing-with-defaults.js';
import { tokenPorts } from '../token-facts.js';
import { noChain } from './no-chain.js';
import { PERIOD_HOURS, recordedSubscription, RETRIES, type RecordedState } from './recorded-states.js';

/** The options of `createRecordedBilling`. */
export interface RecordedBillingOptions {
  /** The state of each customer's subscription to the default plan, by your own id of the customer. */
  readonly customers?: Readonly<Record<string, RecordedState>>;
  /** The time of the service; 2026-01-01T00:00:00Z by default. */
  readonly now?: Date;
}

/** A recorded plan: 30 days, with three daily retries; `pro` at 5,000,000n, which is 5 tokens, by default. */
type RecordedPlan = Partial<
  Pick<Plan, 'slug' | 'name' | 'description' | 'website' | 'logoUrl' | 'amount' | 'status'>
>;

/** The customer of a recorded subscription, and its differences from the state. */
interface RecordedCustomer {
  readonly external_id?: string;
  readonly email?: string;
  /** The address of the wallet; an address of its own by default. */
  readonly wallet?: string;
  /** The slug of the plan; `pro` by default. */
  readonly plan?: string;
  /** Fields of the record that replace those of the state. */
  readonly fields?: Partial<Subscription>;
}

/**
 * The service over records alone: subscriptions are in the states that the test names, and nothing is on a
 * chain. It is for access checks and screens, which only read. What needs a chain is refused, and the worker
 * has nothing to run on.
 */
export interface RecordedBilling {
  readonly billing: Billing;
  readonly project: ProjectBilling;
  readonly projectId: string;
  /** A key of the project, for calls to the handler. */
  readonly apiKey: string;
  /** Serves the HTTP contract: `billing.handler`. */
  readonly handler: FetchHandler;
  now(): Date;
  /** Moves time forward. Reads follow, and no record changes: a grace runs out, a checkout stays pending. */
  advance(duration: Duration): void;
  /** Moves time forward to a date, as `advance` does. */
  advanceTo(date: Date): void;
  /** Adds a published plan. */
  plan(plan: RecordedPlan & { readonly slug: string }): Promise<PlanWire>;
  /**
   * Adds a subscription in a state and returns it. Its dates lie around `now`: an active one is in the middle
   * of its period, an unpaid one missed its charge 12 hours ago, a stopped one missed it five days ago. Its
   * attempts are there, its events are not.
   */
  subscription(state: RecordedState, customer?: RecordedCustomer): Promise<SubscriptionWire>;
}

/**
 * Creates the service over records alone, with the plan `pro` and a subscription for each customer that is
 * named.
 *
 * @example
 * const { project } = await createRecordedBilling({ customers: { 'customer-42': 'unpaid' } });
 * const { access } = await project.access.check({ external_id: 'customer-42', plan: 'pro' }); // true: grace
 */
export async function createRecordedBilling({
  customers = {},
  now: startAt = new Date('2026-01-01T00:00:00.000Z'),
}: RecordedBillingOptions = {}): Promise<RecordedBilling> {
  const clock = new ManualClock(startAt);
  const store = createMemoryStore();
  const mint = anAddress('Mint');
  const { billing } = createBillingWithDefaults({
    store,
    clock,
    chain: noChain(),
    sender: new RecordingSender(),
    ...tokenPorts(mint),
  });
  const { id } = await billing.projects.create({ name: 'Test' });
  const projectId = id as ProjectId;
  const project = billing.project(projectId);
  const { key: apiKey } = await project.keys.create();

  const plan: RecordedBilling['plan'] = async (fields) => {
    const record = aPlan({
      projectId,
      mint,
      name: fields.slug,
      amount: 5_000_000n,
      periodHours: PERIOD_HOURS,
      retryPolicy: RETRIES,
      ...fields,
    });
    await store.insertPlan(record);
    return project.plans.retrieve(record.slug);
  };

  const subscription: RecordedBilling['subscription'] = async (
    state,
    { external_id, email, wallet, plan: slug = 'pro', fields } = {},
  ) => {
    const planRecord = await store.findPlanBySlug(projectId, slug);
    if (planRecord === null)
      throw new Error(`There is no plan ${slug}. Add it with plan({ slug: '${slug}' }).`);
    const { subscription: record, attempts } = recordedSubscription(state, planRecord, clock.now(), {
      ...(external_id === undefined ? {} : { externalId: external_id }),
      ...(email === undefined ? {} : { email }),
      ...(wallet === undefined ? {} : { wallet }),
      ...fields,
    });
    if ((await store.commit([aCommit(record, { attempts: [...attempts] })])) === 'lost')
      throw new Error(
        `The wallet ${record.wallet} already has a running subscription or a pending checkout of the plan ${slug}, and can have only one.`,
      );
    return project.subscriptions.retrieve(record.id);
  };

  await plan({ slug: 'pro', name: 'Pro' });
  for (const [external_id, state] of Object.entries(customers)) await subscription(state, { external_id });

  const moveTo = (at: number) => clock.advance(at - clock.now().getTime());

  return {
    billing,
    project,
    projectId,
    apiKey,
    plan,
    subscription,
    handler: billing.handler,
    now: () => clock.now(),
    advance: (duration) => moveTo(endOf(duration, clock.now())),
    advanceTo: (date) => moveTo(notBefore(clock.now(), date)),
  };
}
