import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionWire } from '../../contract/subscription.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { Late, Project } from '../../records/index.js';
import { decide } from '../../rules/decide.js';
import { chargeable, plus } from '../../rules/billing-periods.js';
import { RETRIES_BY_HAND } from '../../rules/retry-policy.js';
import { subscriptionWire } from '../../wire/subscription.js';
import type { Service } from '../../service.js';
import { findSubscription } from '../find-subscription.js';
import type { Held } from '../actions/issue-action.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { readChargeView } from '../read-charge-view.js';

/** retries#manual-retries-on-dev-and-business: how far apart retries by hand are, on Free and after the first elsewhere, where each wait is twice the one before. */
const FREE_WAIT_MS = 10 * 60_000;
const FIRST_WAIT_MS = 20 * 60_000;

/**
 * Queues the charge of a missed period for the worker to run now (contract, retry; the refusals in retries#refusals-of-a-manual-retry's order). Asked again
 * while it waits or runs, it answers the same and queues nothing.
 */
export async function retrySubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionWire> {
  return retryOnConflict(service.clock, async () =>
    queued(service, { project, ...(await findSubscription(service, project, id)) }),
  );
}

/** The subscription with its charge queued, by this call or by one before; `lost` when it was moved on meanwhile. */
async function queued(service: Service, held: Held): Promise<SubscriptionWire | 'lost'> {
  const { project, plan, subscription } = held;
  const tier = service.settings.tiers[project.tier];
  const now = service.clock.now();
  const { late } = subscription;
  if (subscription.status !== 'unpaid' || late === null) throw new ServiceError('subscription_not_late');
  if (subscription.pausedAt !== null) throw new ServiceError('subscription_paused');
  if (!chargeable(now, plan)) throw new ServiceError('plan_ended');
  if (late.deadline !== null && now >= late.deadline) throw new ServiceError('retry_deadline_passed');
  const free = late.automatic === null;
  if (free && late.byHand.count >= RETRIES_BY_HAND) throw new ServiceError('retries_spent');
  const transfer = await service.store.findOpenTransfer(subscription.id);
  if (transfer !== null) throw new ServiceError(free ? 'pull_running' : 'subscription_changed');
  if (late.queuedAt === null) {
    requireWaited(late, now);
    await requirePayable(service, held);
    const row = new SubscriptionChanges(service, { ...held, transfer });
    row.apply({ kind: 'retry_queued' }, now);
    const committed = await service.store.commit(await row.commits(createCommitBuilder(service)));
    if (committed === 'lost') return 'lost';
    return subscriptionWire(row.subscription, plan, tier, now);
  }
  return subscriptionWire(subscription, plan, tier, now);
}

function requireWaited({ automatic, byHand }: Late, now: Date): void {
  if (byHand.lastAt === null) return;
  const wait = automatic === null ? FREE_WAIT_MS : FIRST_WAIT_MS * 2 ** (byHand.count - 1);
  const left = plus(byHand.lastAt, wait).getTime() - now.getTime();
  if (left <= 0) return;
  const seconds = Math.ceil(left / 1000);
  throw new ServiceError('retry_too_soon', {
    message: `The wait since the last try is not over. Try again in ${seconds} seconds.`,
    retryAfter: seconds,
  });
}

/** Refuses a retry that cannot succeed as the chain reads now. */
async function requirePayable(service: Service, { plan, subscription }: Held): Promise<void> {
  const view = await readChargeView(service, plan, subscription.wallet);
  const decision = decide(subscription, plan, view, service.chain.charger, false);
  if (decision.kind !== 'charge' || decision.finding.kind !== 'rejected') return;
  const { reason } = decision.finding;
  const short = reason === 'insufficient_balance' || reason === 'authority_closed';
  throw new ServiceError(short ? 'insufficient_balance' : 'retry_cannot_succeed');
}
