import type { Commit } from '../ports/index.js';
import type { Service } from '../service.js';
import { Row } from './row.js';
import type { Recorder } from './recorder.js';

/**
 * When one checkout of a wallet lands, every other open checkout of that wallet for that plan expires with it (D12.2):
 * the commits of those others, to be written together with the landed one. One whose own transaction is still under way is
 * left to its own look-up.
 */
export async function expireOthers(
  service: Service,
  recorder: Recorder,
  landed: Row,
): Promise<readonly Commit[]> {
  const { subscription, plan } = landed;
  if (!landed.activated) return [];
  const others = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
  const project = await service.store.findProject(subscription.projectId);
  if (project === null)
    throw new Error(`Project ${subscription.projectId} of a subscription does not exist.`);
  const commits: Commit[] = [];
  for (const other of others) {
    if (other.id === subscription.id || other.status !== 'pending') continue;
    const transfer = await service.store.findOpenTransfer(other.id);
    if (transfer !== null) continue;
    const row = new Row(service, { subscription: other, plan, project, transfer });
    row.apply({ kind: 'checkout_expired' }, service.clock.now());
    commits.push(await row.commit(recorder));
  }
  return commits;
}
