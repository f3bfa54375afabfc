import {
  PLAN_FOR_ACCESS,
  SUBSCRIPTION_FOR_ACCESS,
  type Customer,
  type HeldForAccess,
  type PendingCount,
  type Plan,
  type PlanId,
  type ProjectId,
  type StoreOperations,
  type Subscription,
  type SubscriptionId,
} from '@subrail/core/ports';
import { sql } from 'kysely';
import type { SelectedRow } from './codec/record-table.js';
import { isAfter, keysetPage } from './keyset.js';
import type { Handle, Session } from './session.js';
import { prepare } from './statement.js';
import { planTable } from './tables/projects.js';
import { subscriptionTable } from './tables/subscriptions.js';

type SubscriptionOperations = Pick<
  StoreOperations,
  | 'findSubscription'
  | 'listByWalletAndPlan'
  | 'listByCustomer'
  | 'listForAccess'
  | 'countPending'
  | 'countOtherSeats'
>;

const read = subscriptionTable.decoder();
const readOfPair = subscriptionTable.decoder('subscription_');
const readPlanOfPair = planTable.decoder('plan_');
const readPair = (row: SelectedRow): { subscription: Subscription; plan: Plan } => ({
  subscription: readOfPair(row),
  plan: readPlanOfPair(row),
});

const heldSubscription = subscriptionTable.only(SUBSCRIPTION_FOR_ACCESS);
const heldPlan = planTable.only(PLAN_FOR_ACCESS);
const readHeldSubscription = heldSubscription.decoder('subscription_');
const readHeldPlan = heldPlan.decoder('plan_');
const readHeld = (row: SelectedRow): HeldForAccess => ({
  subscription: readHeldSubscription(row),
  plan: readHeldPlan(row),
});

/** Literals, since an engine takes the partial index only where it sees the statuses in the query's text. */
const SEATED = (['active', 'unpaid', 'cancelled'] as const).map((status) => sql.lit(status));

/** Where each kind of customer is written. */
const COLUMN = { wallet: 'wallet', external_id: 'external_id', email: 'email' } as const;

export function subscriptionOperations(db: Handle): (session: Session) => SubscriptionOperations {
  const find = prepare((given: { projectId: ProjectId; id: SubscriptionId }) =>
    db
      .selectFrom('subscriptions')
      .select(subscriptionTable.selection())
      .where('id', '=', given.id)
      .where('project_id', '=', given.projectId),
  );
  const ofWalletAndPlan = prepare((given: { planId: PlanId; wallet: string }) =>
    db
      .selectFrom('subscriptions')
      .select(subscriptionTable.selection())
      .where('plan_id', '=', given.planId)
      .where('wallet', '=', given.wallet)
      .where('status', '<>', sql.lit('expired'))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );

  const withPlan = db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .orderBy('subscriptions.created_at', 'desc')
    .orderBy('subscriptions.id', 'desc');
  const pairs = withPlan
    .select(subscriptionTable.selection('subscription_'))
    .select(planTable.selection('plan_'));
  type AccessAsk = { projectId: ProjectId; value: string };
  const answerable = withPlan
    .select(heldSubscription.selection('subscription_'))
    .select(heldPlan.selection('plan_'))
    .where('subscriptions.status', '<>', sql.lit('expired'));
  const forAccess = perCustomer((column) =>
    prepare((given: AccessAsk) =>
      answerable
        .where('subscriptions.project_id', '=', given.projectId)
        .where(`subscriptions.${column}`, '=', given.value),
    ),
  );
  const forAccessToPlan = perCustomer((column) =>
    prepare((given: AccessAsk & { slug: string }) =>
      answerable
        .where('subscriptions.project_id', '=', given.projectId)
        .where(`subscriptions.${column}`, '=', given.value)
        .where('plans.slug', '=', given.slug),
    ),
  );

  const pending = perCustomer((column) =>
    prepare((given: { projectId: ProjectId; value: string }) =>
      db
        .selectFrom('subscriptions')
        .select((row) => [
          row.fn.countAll<number>().as('project'),
          row.fn.min('checkout_expires_at').as('project_oldest'),
          sql<number>`count(case when ${row.ref(column)} = ${given.value} then 1 end)`.as('customer'),
          sql<
            number | null
          >`min(case when ${row.ref(column)} = ${given.value} then checkout_expires_at end)`.as(
            'customer_oldest',
          ),
        ])
        .where('project_id', '=', given.projectId)
        .where('status', '=', sql.lit('pending')),
    ),
  );
  const otherSeats = prepare((given: { projectId: ProjectId; wallet: string; now: number }) =>
    db
      .selectFrom('subscriptions')
      .select(({ fn }) => fn.count<number>('wallet').distinct().as('seats'))
      .where('project_id', '=', given.projectId)
      .where('wallet', '<>', given.wallet)
      .where('status', 'in', SEATED)
      .where('paused_at', 'is', null)
      .where((row) =>
        row.or([row('status', '<>', sql.lit('cancelled')), row('cancellation_expires_at', '>', given.now)]),
      ),
  );

  return ({ handle }) => ({
    async findSubscription(projectId, id) {
      const row = await find.first(handle, { projectId, id });
      return row === null ? null : read(row);
    },
    async listByWalletAndPlan(planId, wallet) {
      return (await ofWalletAndPlan.all(handle, { planId, wallet })).map(read);
    },
    listByCustomer(projectId, customer, planId, ask) {
      let listed = pairs
        .where('subscriptions.project_id', '=', projectId)
        .where(`subscriptions.${COLUMN[customer.by]}`, '=', customer.value)
        .where('subscriptions.status', '<>', 'superseded');
      if (planId !== null) listed = listed.where('subscriptions.plan_id', '=', planId);
      return keysetPage(
        ask,
        async (id) => {
          const row = await listed.where('subscriptions.id', '=', id).executeTakeFirst();
          return row === undefined ? null : { id, at: readOfPair(row).createdAt };
        },
        async (after, limit) => {
          const rest =
            after === null
              ? listed
              : listed.where(isAfter('subscriptions.created_at', 'subscriptions.id', after));
          return (await rest.limit(limit).execute()).map(readPair);
        },
      );
    },
    async listForAccess(projectId, customer, slug) {
      const { by, value } = customer;
      const rows =
        slug === null
          ? await forAccess[by].all(handle, { projectId, value })
          : await forAccessToPlan[by].all(handle, { projectId, value, slug });
      return rows.map(readHeld);
    },
    async countPending(projectId, { by, value }) {
      const row = await pending[by].first(handle, { projectId, value });
      return {
        project: counted(row?.project, row?.project_oldest),
        customer: counted(row?.customer, row?.customer_oldest),
      };
    },
    async countOtherSeats(projectId, wallet, now) {
      const row = await otherSeats.first(handle, { projectId, wallet, now: now.getTime() });
      return row?.seats ?? 0;
    },
  });
}

function counted(count = 0, oldest: number | null = null): PendingCount {
  return { count, oldestExpiresAt: oldest === null ? null : new Date(oldest) };
}

/** One of something for each way of naming a customer. */
function perCustomer<T>(make: (column: (typeof COLUMN)[Customer['by']]) => T): Record<Customer['by'], T> {
  return { wallet: make('wallet'), external_id: make('external_id'), email: make('email') };
}
