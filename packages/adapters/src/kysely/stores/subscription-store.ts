import {
  PLAN_ACCESS_FIELDS,
  SUBSCRIPTION_ACCESS_FIELDS,
  type Customer,
  type ManagementStore,
  type PageRequest,
  type AccessInput,
  type PendingCount,
  type Plan,
  type PlanId,
  type ProjectId,
  type SubscriptionStore,
  type Subscription,
  type SubscriptionId,
  type WalletStore,
} from '@subrail/core/ports';
import { sql, type RawBuilder } from 'kysely';
import type { SelectedRow } from '../tables/record-table.js';
import { isAfter, keysetPage } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { claims } from './claim-due.js';
import { commits } from './commit.js';
import { seatReads } from './seat-reads.js';
import { planTable } from '../tables/projects.js';
import { subscriptionTable } from '../tables/subscriptions.js';

const read = subscriptionTable.decoder();
const readJoinedSubscription = subscriptionTable.decoder('subscription_');
const readJoinedPlan = planTable.decoder('plan_');
const readWithPlan = (row: SelectedRow): { subscription: Subscription; plan: Plan } => ({
  subscription: readJoinedSubscription(row),
  plan: readJoinedPlan(row),
});

const accessSubscription = subscriptionTable.only(SUBSCRIPTION_ACCESS_FIELDS);
const accessPlan = planTable.only(PLAN_ACCESS_FIELDS);
const readAccessSubscription = accessSubscription.decoder('subscription_');
const readAccessPlan = accessPlan.decoder('plan_');
const readAccessInput = (row: SelectedRow): AccessInput => ({
  subscription: readAccessSubscription(row),
  plan: readAccessPlan(row),
});

/** The column that holds each kind of customer reference. */
const COLUMN = { wallet: 'wallet', external_id: 'external_id', email: 'email' } as const;

type OfWallets = Pick<WalletStore, 'findWalletSubscription' | 'listByWallet'>;
type Reads = OfWallets &
  Pick<
    SubscriptionStore,
    'findSubscription' | 'listByWalletAndPlan' | 'listByCustomer' | 'listForAccess' | 'countPending'
  >;
type Subscriptions = SubscriptionStore & OfWallets & Pick<ManagementStore, 'listLate'>;

/** Subscriptions: reads, commits and claims. */
export function subscriptionStore(db: Handle): (session: Session) => Subscriptions {
  const [readsOf, seatReadsOf, commitsOf, claimsOf] = [reads(db), seatReads(db), commits(db), claims(db)];
  return (session) => ({
    ...readsOf(session),
    ...seatReadsOf(session.handle),
    ...commitsOf(session),
    ...claimsOf(session),
  });
}

function reads(db: Handle): (session: Session) => Reads {
  const findSubscription = prepare((values: { projectId: ProjectId; id: SubscriptionId }) =>
    db
      .selectFrom('subscriptions')
      .select(subscriptionTable.selection())
      .where('id', '=', values.id)
      .where('project_id', '=', values.projectId),
  );
  const findWalletSubscription = prepare((values: { wallet: string; id: SubscriptionId }) =>
    db
      .selectFrom('subscriptions')
      .select(subscriptionTable.selection())
      .where('id', '=', values.id)
      .where('wallet', '=', values.wallet),
  );
  const listByWalletAndPlan = prepare((values: { planId: PlanId; wallet: string }) =>
    db
      .selectFrom('subscriptions')
      .select(subscriptionTable.selection())
      .where('plan_id', '=', values.planId)
      .where('wallet', '=', values.wallet)
      .where('status', '<>', sql.lit('expired'))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );

  const joined = db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .orderBy('subscriptions.created_at', 'desc')
    .orderBy('subscriptions.id', 'desc');
  const wholeRecords = joined
    .select(subscriptionTable.selection('subscription_'))
    .select(planTable.selection('plan_'));
  type AccessLookup = { projectId: ProjectId; value: string };
  const accessRecords = joined
    .select(accessSubscription.selection('subscription_'))
    .select(accessPlan.selection('plan_'))
    .where('subscriptions.status', '<>', sql.lit('expired'));
  const listForAccess = perCustomer((column) =>
    prepare((values: AccessLookup) =>
      accessRecords
        .where('subscriptions.project_id', '=', values.projectId)
        .where(`subscriptions.${column}`, '=', values.value),
    ),
  );
  const listForAccessToPlan = perCustomer((column) =>
    prepare((values: AccessLookup & { slug: string }) =>
      accessRecords
        .where('subscriptions.project_id', '=', values.projectId)
        .where(`subscriptions.${column}`, '=', values.value)
        .where('plans.slug', '=', values.slug),
    ),
  );

  const countPending = perCustomer((column) =>
    prepare((values: { projectId: ProjectId; value: string }) =>
      db
        .selectFrom('subscriptions')
        .select((row) => [
          row.fn.countAll<number>().as('project'),
          row.fn.min('checkout_expires_at').as('project_oldest'),
          sql<number>`count(case when ${own(column, values.value)} then 1 end)`.as('customer'),
          sql<number | null>`min(case when ${own(column, values.value)} then checkout_expires_at end)`.as(
            'customer_oldest',
          ),
        ])
        .where('project_id', '=', values.projectId)
        .where('status', '=', sql.lit('pending')),
    ),
  );

  /** A page of those of a list that are not superseded. */
  function pageWithPlans(all: typeof wholeRecords, page: PageRequest<SubscriptionId>) {
    const listed = all.where('subscriptions.status', '<>', 'superseded');
    return keysetPage(
      page,
      async (id) => {
        const row = await listed.where('subscriptions.id', '=', id).executeTakeFirst();
        return row === undefined ? null : { id, at: readJoinedSubscription(row).createdAt };
      },
      async (after, limit) => {
        const rest =
          after === null
            ? listed
            : listed.where(isAfter('subscriptions.created_at', 'subscriptions.id', after));
        return (await rest.limit(limit).execute()).map(readWithPlan);
      },
    );
  }

  return ({ handle }) => ({
    async findSubscription(projectId, id) {
      const row = await findSubscription.first(handle, { projectId, id });
      return row === null ? null : read(row);
    },
    async listByWalletAndPlan(planId, wallet) {
      return (await listByWalletAndPlan.all(handle, { planId, wallet })).map(read);
    },
    async findWalletSubscription(wallet, id) {
      const row = await findWalletSubscription.first(handle, { wallet, id });
      return row === null ? null : read(row);
    },
    listByWallet(wallet, page) {
      const listed = wholeRecords
        .where('subscriptions.wallet', '=', wallet)
        .where('subscriptions.confirmed_at', 'is not', null);
      return pageWithPlans(listed, page);
    },
    listByCustomer(projectId, customer, planId, page) {
      const ofCustomer = wholeRecords
        .where('subscriptions.project_id', '=', projectId)
        .where(`subscriptions.${COLUMN[customer.by]}`, '=', customer.value);
      const listed = planId === null ? ofCustomer : ofCustomer.where('subscriptions.plan_id', '=', planId);
      return pageWithPlans(listed, page);
    },
    async listForAccess(projectId, customer, slug) {
      const { by, value } = customer;
      const rows =
        slug === null
          ? await listForAccess[by].all(handle, { projectId, value })
          : await listForAccessToPlan[by].all(handle, { projectId, value, slug });
      return rows.map(readAccessInput);
    },
    async countPending(projectId, { by, value }) {
      const row = await countPending[by].first(handle, { projectId, value });
      return {
        project: pendingCountOf(row?.project, row?.project_oldest),
        customer: pendingCountOf(row?.customer, row?.customer_oldest),
      };
    },
  });
}

function pendingCountOf(count = 0, oldest: number | null = null): PendingCount {
  return { count, oldestExpiresAt: oldest === null ? null : new Date(oldest) };
}

/** The condition of a checkout opened in a customer's own name: its external id, else its email, else its wallet alone. */
function own(column: (typeof COLUMN)[Customer['by']], value: string): RawBuilder<unknown> {
  const preferred = { external_id: [], email: ['external_id'], wallet: ['external_id', 'email'] }[column];
  const conditions = preferred.map((other) => sql`${sql.ref(other)} is null`);
  return sql.join([sql`${sql.ref(column)} = ${value}`, ...conditions], sql` and `);
}

/** Makes one value for each kind of customer reference. */
function perCustomer<T>(make: (column: (typeof COLUMN)[Customer['by']]) => T): Record<Customer['by'], T> {
  return { wallet: make('wallet'), external_id: make('external_id'), email: make('email') };
}
