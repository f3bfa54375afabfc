import type { CreateAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireSeat } from '../seats.js';
import { checkoutView, requireBalance } from './checkout-view.js';
import { findSubscription } from './find.js';
import { handOut } from './hand-out.js';
import { inRounds } from './in-rounds.js';

/** Builds a fresh transaction for a pending subscription; only the one of the last call can be submitted (contract, transaction). */
export async function freshTransaction(
  service: Service,
  project: Project,
  id: string,
): Promise<CreateAnswer> {
  return inRounds(async () => {
    const { subscription, plan } = await findSubscription(service, project, id);
    if (subscription.status !== 'pending') throw new ServiceError('not_awaiting_signature');
    const view = await checkoutView(service, plan, subscription.wallet);
    await requireSeat(service, project, subscription.wallet);
    requireBalance(view, plan);
    return handOut(service, { plan, project, subscription, view });
  });
}
