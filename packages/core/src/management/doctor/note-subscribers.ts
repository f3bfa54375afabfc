import type { EndReason } from '../../contract/enums.js';
import type { SubscriberView, SubscriptionView } from '../../ports/index.js';
import type { Plan, Project, Subscription } from '../../records/index.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import { isPaidLater } from './chain-checks.js';
import type { FindingWire } from './schemas.js';

const MOST_NAMED = 100;

const AT_ONCE = 200;

/**
 * Notes the subscriptions on chain that are not on record, and the paid ones that are stopped on record.
 * Anyone can make either without the service; after a restored backup, they are who paid since.
 */
export async function noteSubscribers(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<readonly FindingWire[]> {
  const notes: FindingWire[] = [];
  const unlisted: string[] = [];
  for (const plan of plans) {
    if (plan.createdOnChainAt === null || plan.status === 'closed') continue;
    const subscribers = await service.chain.readSubscribers(plan.address);
    if (!subscribers.ok) {
      unlisted.push(plan.id);
      continue;
    }
    const { missing, cameBack } = await compareWithRecords(service, project, plan, subscribers.value);
    if (missing.length > 0)
      notes.push({
        check: 'subscriptions_on_chain_are_on_record',
        rows: [plan.id, ...missing.slice(0, MOST_NAMED)],
        what: `Wallets have a subscription to the plan on chain that is not on record: ${countOf(missing)}. They were made without this service, or paid after the backup that was restored. They are not charged, and give no access.`,
        remedy:
          'After a restore, tell these customers: each wallet can cancel on chain, close once its period is over, and then subscribe again.',
      });
    if (cameBack.length > 0)
      notes.push({
        check: 'comebacks_on_chain_are_on_record',
        rows: [plan.id, ...cameBack.slice(0, MOST_NAMED)],
        what: `Stopped subscriptions to the plan have a later payment on chain than on record: ${countOf(cameBack)}. Somebody else charged for the plan, or their customers came back after the backup that was restored. They are not charged, and give no access.`,
        remedy:
          'After a restore, give these customers their access yourself until the paid period is over; then each can come back with the same wallet.',
      });
  }
  if (unlisted.length > 0)
    notes.push({
      check: 'subscriptions_on_chain_can_be_listed',
      rows: unlisted,
      what: 'No RPC server listed the subscriptions to these plans on chain, so nobody looked for those that are not on record.',
      remedy: 'After a restore, run the doctor with an RPC server that answers getProgramAccounts.',
    });
  return notes;
}

function countOf({ length }: readonly string[]): string {
  return `${length}${length > MOST_NAMED ? `, of which ${MOST_NAMED} are named` : ''}`;
}

/** The wallets whose account is not on record, and the stopped subscriptions that are paid on chain. */
async function compareWithRecords(
  service: Service,
  project: Project,
  plan: Plan,
  accounts: readonly SubscriberView[],
): Promise<{ readonly missing: readonly string[]; readonly cameBack: readonly string[] }> {
  const missing: string[] = [];
  const cameBack: string[] = [];
  for (let first = 0; first < accounts.length; first += AT_ONCE) {
    const part = accounts.slice(first, first + AT_ONCE);
    const wallets = part.map(({ wallet }) => wallet);
    // A single read has nearly all: the running subscriptions.
    const { subscriptions } = await service.store.findSeats(project.id, wallets, service.clock.now(), 0);
    const running = new Map(
      subscriptions.filter(({ planId }) => planId === plan.id).map((one) => [one.wallet, one]),
    );
    for (const account of part) {
      const runs = running.get(account.wallet);
      if (runs !== undefined && onRecord(account, [runs], plan).kind === 'known') continue;
      const record = onRecord(account, await everPaid(service, plan, account.wallet), plan);
      if (record.kind === 'missing') missing.push(account.wallet);
      if (record.kind === 'came_back') cameBack.push(record.stopped.id);
    }
  }
  return { missing, cameBack };
}

/** The wallet's subscriptions to the plan, without checkouts that nobody pays or has paid. */
async function everPaid({ store }: Service, plan: Plan, wallet: string): Promise<readonly Subscription[]> {
  const paid: Subscription[] = [];
  for (const subscription of await store.listByWalletAndPlan(plan.id, wallet))
    if (subscription.status !== 'pending' || (await store.findOpenTransfer(subscription.id)) !== null)
      paid.push(subscription);
  return paid;
}

/** After these ends the account is cancelled or gone, so an account without a cancellation is another. */
const ENDS_OF_THE_ACCOUNT: readonly (EndReason | null)[] = ['cancelled', 'closed', 'closed_elsewhere'];

type OnRecord =
  | { readonly kind: 'missing' | 'known' }
  /** A stopped subscription, for whose account a later period was paid. */
  | { readonly kind: 'came_back'; readonly stopped: Subscription };

/**
 * Whether an account that is not cancelled on chain is on record. Other subscriptions of its wallet prove
 * nothing: they may be of earlier accounts at the same address.
 * @param subscriptions the wallet's subscriptions to the plan, without unpaid pending ones
 */
function onRecord(account: SubscriptionView, subscriptions: readonly Subscription[], plan: Plan): OnRecord {
  // A pending checkout may pay for this account before its record says so; a failed one's never says so.
  if (subscriptions.some(({ status }) => status === 'pending' || status === 'failed'))
    return { kind: 'known' };
  const own = subscriptions.find(
    (subscription) =>
      subscription.status !== 'superseded' &&
      !ENDS_OF_THE_ACCOUNT.includes(subscription.endReason) &&
      ownAccount({ subscription: account }, subscription, plan) !== null,
  );
  if (own === undefined) return { kind: 'missing' };
  return own.status === 'stopped' && own.paidPeriodStart !== null && isPaidLater(account, own.paidPeriodStart)
    ? { kind: 'came_back', stopped: own }
    : { kind: 'known' };
}
