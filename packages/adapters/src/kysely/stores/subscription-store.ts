import {
  PLAN_ACCESS_FIELDS,
  SUBSCRIPTION_ACCESS_FIELDS,
  type Customer,
  type ManagementStore,
  type PageRequest,
  type PendingCount,
  type PlanId,
  type ProjectId,
  type SubscriptionStore,
  type SubscriptionId,
  type WalletStore,
} from '@subrail/core/ports';
import { sql, type RawBuilder } from 'kysely';
import type { RecordReading, SelectedRow } from '../tables/record-table.js';
import { newestPage } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { claims } from './claim-due.js';
import { commits } from './commit.js';
import { seatReads } from './seat-reads.js';
import { planTable } from '../tables/projects.js';
import { subscriptionTable } from '../tables/subscriptions.js';

const read = subscriptionTable.decoder();
const readWithPlan = withPlan(subscriptionTable, planTable);

const accessSubscription = subscriptionTable.only(SUBSCRIPTION_ACCESS_FIELDS);
const accessPlan = planTable.only(PLAN_ACCESS_FIELDS);
const readAccessInput = withPlan(accessSubscription, accessPlan);

/** Named like its column. */
type CustomerColumn = Customer['by'];
type OwnerColumn = CustomerColumn | 'reserved_for';

type OfWallets = Pick<WalletStore, 'findWalletSubscription' | 'listByWallet'>;
type Reads = OfWallets &
  Pick<
    SubscriptionStore,
    'findSubscription' | 'listByWalletAndPlan' | 'listByCustomer' | 'listForAccess' | 'countPending'
  >;
type Subscriptions = SubscriptionStore & OfWallets & Pick<ManagementStore, 'listLate'>;

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
  const subscriptions = db.selectFrom('subscriptions').select(subscriptionTable.selection());
  const findSubscription = prepare(
    (values: { projectId: ProjectId; id: SubscriptionId }) =>
      subscriptions.where('id', '=', values.id).where('project_id', '=', values.projectId),
    read,
  );
  const findWalletSubscription = prepare(
    (values: { wallet: string; id: SubscriptionId }) =>
      subscriptions.where('id', '=', values.id).where('wallet', '=', values.wallet),
    read,
  );
  const listByWalletAndPlan = prepare(
    (values: { planId: PlanId; wallet: string }) =>
      subscriptions
        .where('plan_id', '=', values.planId)
        .where('wallet', '=', values.wallet)
        .where('status', '<>', sql.lit('expired'))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc'),
    read,
  );

  const joined = db.selectFrom('subscriptions').innerJoin('plans', 'plans.id', 'subscriptions.plan_id');
  const wholeRecords = joined
    .select(subscriptionTable.selection('subscription_'))
    .select(planTable.selection('plan_'))
    .where('subscriptions.status', '<>', 'superseded');
  type OfCustomer = { projectId: ProjectId; value: string };
  const accessRecords = (column: CustomerColumn, { projectId, value }: OfCustomer) =>
    joined
      .select(accessSubscription.selection('subscription_'))
      .select(accessPlan.selection('plan_'))
      .where('subscriptions.status', '<>', sql.lit('expired'))
      .where('subscriptions.project_id', '=', projectId)
      .where(`subscriptions.${column}`, '=', value)
      .orderBy('subscriptions.created_at', 'desc')
      .orderBy('subscriptions.id', 'desc');
  const listForAccess = perCustomer((column) =>
    prepare((values: OfCustomer) => accessRecords(column, values), readAccessInput),
  );
  const listForAccessToPlan = perCustomer((column) =>
    prepare(
      (values: OfCustomer & { slug: string }) =>
        accessRecords(column, values).where('plans.slug', '=', values.slug),
      readAccessInput,
    ),
  );

  const countOf = (column: OwnerColumn) =>
    prepare((values: OfCustomer) =>
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
    );
  const countPending = { ...perCustomer(countOf), session: countOf('reserved_for') };

  const columns = { at: 'subscriptions.created_at', id: 'subscriptions.id' };
  const pageOf = (handle: Handle, listed: typeof wholeRecords, page: PageRequest<SubscriptionId>) =>
    newestPage(handle, listed, columns, readWithPlan, page);

  return ({ handle }) => ({
    findSubscription: (projectId, id) => findSubscription.first(handle, { projectId, id }),
    listByWalletAndPlan: (planId, wallet) => listByWalletAndPlan.all(handle, { planId, wallet }),
    findWalletSubscription: (wallet, id) => findWalletSubscription.first(handle, { wallet, id }),
    listByWallet(wallet, page) {
      const listed = wholeRecords
        .where('subscriptions.wallet', '=', wallet)
        .where('subscriptions.confirmed_at', 'is not', null);
      return pageOf(handle, listed, page);
    },
    listByCustomer(projectId, customer, planId, page) {
      const ofCustomer = wholeRecords
        .where('subscriptions.project_id', '=', projectId)
        .where(`subscriptions.${customer.by}`, '=', customer.value);
      const listed = planId === null ? ofCustomer : ofCustomer.where('subscriptions.plan_id', '=', planId);
      return pageOf(handle, listed, page);
    },
    listForAccess: (projectId, { by, value }, slug) =>
      slug === null
        ? listForAccess[by].all(handle, { projectId, value })
        : listForAccessToPlan[by].all(handle, { projectId, value, slug }),
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

/** The columns that name the owner of a pending checkout, of which the first that is not null counts. */
const OWNERS: readonly OwnerColumn[] = ['reserved_for', 'external_id', 'email', 'wallet'];

/** The condition of a pending checkout of an owner. */
function own(column: OwnerColumn, value: string): RawBuilder<unknown> {
  const preferred = OWNERS.slice(0, OWNERS.indexOf(column));
  const conditions = preferred.map((other) => sql`${sql.ref(other)} is null`);
  return sql.join([sql`${sql.ref(column)} = ${value}`, ...conditions], sql` and `);
}

function perCustomer<T>(make: (column: CustomerColumn) => T): Record<CustomerColumn, T> {
  return { wallet: make('wallet'), external_id: make('external_id'), email: make('email') };
}

/** Reads a subscription joined to its plan, by the prefixes `subscription_` and `plan_`. */
function withPlan<Subscription, Plan>(
  ofSubscription: RecordReading<Subscription>,
  ofPlan: RecordReading<Plan>,
) {
  const [readSubscription, readPlan] = [ofSubscription.decoder('subscription_'), ofPlan.decoder('plan_')];
  return (row: SelectedRow) => ({ subscription: readSubscription(row), plan: readPlan(row) });
}
