import type { Plan, Project, Subscription } from '../records/index.js';
import type { Service } from '../service.js';
import { createCommitBuilder } from '../commits/commit-builder.js';
import { SubscriptionChanges } from '../commits/subscription-changes.js';

/** How often one is tried again that its customer moves on at the same time. */
const TRIES = 5;

/** A checkout that landed, with what it belongs to. */
interface Landed {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
}

/**
 * When one checkout of a wallet lands, every other open checkout of that wallet for that plan expires with it (checkout#other-checkouts-of-the-wallet); one
 * whose own transaction is under way, as soon as that is known not to have landed. Each is written by itself, after the
 * landing: anybody may open checkouts for any wallet, and they must not hold up a payment. One that is left over when the
 * process dies cannot be submitted any more, and expires in its own time.
 */
export async function expireOtherCheckouts(service: Service, { project, plan, subscription }: Landed): Promise<void> {
  const all = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
  for (const other of all) {
    if (other.id !== subscription.id && other.status === 'pending')
      await expire(service, { project, plan, subscription: other });
  }
}

async function expire(service: Service, { project, plan, subscription }: Landed): Promise<void> {
  let other: Subscription | null = subscription;
  for (let tries = 0; tries < TRIES && other?.status === 'pending'; tries++) {
    const transfer = await service.store.findOpenTransfer(other.id);
    const row = new SubscriptionChanges(service, { project, plan, subscription: other, transfer });
    const kind = transfer === null ? 'checkout_expired' : 'checkout_overtaken';
    row.apply({ kind }, service.clock.now());
    if ((await service.store.commit(await row.commits(createCommitBuilder(service)))) === 'committed') return;
    other = await service.store.findSubscription(project.id, subscription.id);
  }
}
