import type { Plan, Project } from '../../records/index.js';
import type { Finding } from '../../rules/examination/finding.js';
import type { Service } from '../../service.js';

/** How many wallets of a plan are named. */
const MOST_NAMED = 100;

/** How many wallets are looked up together. */
const AT_ONCE = 200;

/**
 * Notes the wallets that have a subscription to one of these plans on chain and none on record. Anyone can make one without the
 * service, so it is nothing that should be impossible; after a backup was restored it is who paid since.
 */
export async function noteSubscribers(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<readonly Finding[]> {
  const notes: Finding[] = [];
  const unlisted: string[] = [];
  for (const plan of plans) {
    if (plan.createdOnChainAt === null || plan.status === 'closed') continue;
    const listed = await service.chain.readSubscribers(plan.address);
    if (!listed.ok) {
      unlisted.push(plan.id);
      continue;
    }
    const missing = await notOnRecord(service, project, plan, listed.value);
    if (missing.length === 0) continue;
    const more = missing.length > MOST_NAMED ? `, of which ${MOST_NAMED} are named` : '';
    notes.push({
      check: 'subscriptions_on_chain_are_on_record',
      rows: [plan.id, ...missing.slice(0, MOST_NAMED)],
      what: `Wallets have a subscription to the plan on chain that is not on record: ${missing.length}${more}. They were made without this service, or paid after the backup that was restored. They are not charged, and give no access.`,
      remedy:
        'After a restore, tell these customers: each wallet can cancel on chain, close once its period is over, and then subscribe again.',
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

/** Those wallets of which no subscription to the plan is on record that was ever paid or may yet be. */
async function notOnRecord(
  { store, clock }: Service,
  project: Project,
  plan: Plan,
  wallets: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let first = 0; first < wallets.length; first += AT_ONCE) {
    const part = wallets.slice(first, first + AT_ONCE);
    // One read finds nearly all: those that run.
    const { subscriptions } = await store.findSeats(project.id, part, clock.now(), 0);
    const running = new Set(
      subscriptions.filter(({ planId }) => planId === plan.id).map(({ wallet }) => wallet),
    );
    for (const wallet of part) {
      if (running.has(wallet)) continue;
      if ((await store.listByWalletAndPlan(plan.id, wallet)).length === 0) missing.push(wallet);
    }
  }
  return missing;
}
