import { expireOthers } from '../../engine/expire-others.js';
import { createRecorder } from '../../engine/recorder.js';
import { Row, chargeAsk, fateAsk } from '../../engine/row.js';
import { settleCheckout } from '../../engine/settle-checkout.js';
import type { Plan, Project, Subscription, Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { findSubscription } from './find.js';

/** How often the chain is asked while a submit waits. */
const POLL_MS = 1_000;

/** A checkout when the waiting for it is over. */
export interface AwaitedCheckout {
  readonly subscription: Subscription;
  readonly transfer: Transfer;
}

/**
 * Waits until the chain has decided a subscribing transaction or the deadline has come, and settles it. The worker may
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
    const { subscription } = await findSubscription(service, project, sent.subscriptionId);
    const transfer = await service.store.findTransferBySignature(subscription.id, sent.signature);
    if (transfer === null) throw new Error(`Transfer ${sent.id} is not on record.`);
    if (transfer.state !== 'open') return { subscription, transfer };
    if (await settleOnce(service, project, plan, subscription, transfer)) continue;
    if (service.clock.now() >= deadline) return { subscription, transfer };
    await service.clock.sleep(POLL_MS);
  }
}

/** Looks once, and writes what is known. False when the chain has not decided yet. */
async function settleOnce(
  service: Service,
  project: Project,
  plan: Plan,
  subscription: Subscription,
  transfer: Transfer,
): Promise<boolean> {
  const [fate] = await service.chain.resolve([fateAsk(transfer)]);
  if (fate === undefined || fate.kind === 'waiting' || fate.kind === 'untold') return false;
  const ask = chargeAsk(plan, subscription.wallet);
  const [view] = fate.kind === 'landed' ? await service.chain.readCharges([ask], 'confirmed') : [];
  if (fate.kind === 'landed' && view?.ok !== true) return false;
  const row = new Row(service, { subscription, plan, project, transfer });
  settleCheckout(row, transfer, fate, view ?? null, service.clock.now());
  const recorder = createRecorder(service);
  const commits = [await row.commit(recorder), ...(await expireOthers(service, recorder, row))];
  await service.store.commit(commits);
  return true;
}
