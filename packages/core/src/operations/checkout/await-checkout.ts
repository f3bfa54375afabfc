import { expireOtherCheckouts } from '../../settlement/expire-other-checkouts.js';
import { readLandedCheckouts } from '../../settlement/read-landed-checkouts.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import { SubscriptionChanges, signatureQuery } from '../../commits/subscription-changes.js';
import { settleCheckout } from '../../settlement/settle-checkout.js';
import type { Plan, Project, Subscription, Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';

/** How often the chain is asked while a submit waits. */
const POLL_MS = 1_000;

/** A checkout when the waiting for it is over. */
export interface AwaitedCheckout {
  readonly subscription: Subscription;
  readonly transfer: Transfer;
}

/**
 * Waits until the chain has decided a checkout's transaction or the deadline has come, and settles it. The worker may
 * settle it first: whoever commits first wins, and both then tell the same row.
 */
export async function awaitCheckout(
  service: Service,
  project: Project,
  plan: Plan,
  sent: Transfer,
  deadline: Date,
): Promise<AwaitedCheckout> {
  for (;;) {
    await settleOnce(service, project, plan, sent);
    const { subscription, transfer } = await stored(service, project, sent);
    if (transfer.state !== 'open' || service.clock.now() >= deadline) return { subscription, transfer };
    await service.clock.sleep(POLL_MS);
  }
}

/** The transfer first: once it is settled, the subscription that is read after it shows what it came to. */
async function stored(service: Service, project: Project, sent: Transfer): Promise<AwaitedCheckout> {
  const transfer = await service.store.findTransferBySignature(sent.signature);
  const subscription = await service.store.findSubscription(project.id, sent.subscriptionId);
  if (transfer === null || subscription === null) throw new Error(`Transfer ${sent.id} is not on record.`);
  return { subscription, transfer };
}

/** Looks once, and writes what is known. A commit that is lost leaves it to whoever was faster. */
async function settleOnce(service: Service, project: Project, plan: Plan, sent: Transfer): Promise<void> {
  const { subscription, transfer } = await stored(service, project, sent);
  if (transfer.state !== 'open') return;
  const [outcome] = await service.chain.resolve([signatureQuery(transfer)]);
  if (outcome === undefined || outcome.kind === 'waiting' || outcome.kind === 'unknown') return;
  const row = new SubscriptionChanges(service, { subscription, plan, project, transfer });
  const landing = outcome.kind === 'landed' ? (await readLandedCheckouts(service, [row])).get(row) : undefined;
  settleCheckout(row, transfer, outcome, landing ?? null, service.clock.now());
  const committed = await service.store.commit(await row.commits(createCommitBuilder(service)));
  if (committed === 'committed' && row.landed) await expireOtherCheckouts(service, { project, plan, subscription });
}
