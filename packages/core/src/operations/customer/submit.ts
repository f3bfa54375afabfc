import type { Confirmation } from '../../contract/confirmation.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubmitBody } from '../../contract/requests.js';
import type { Service } from '../../service.js';
import { acceptSubmit, confirmSubmit } from '../checkout/submit.js';
import { type CustomerCaller, readHistory } from './caller.js';
import { requireUnfinished } from './create.js';
import { requireReachable } from './require-reachable.js';

/**
 * Submits a first payment. The subscription becomes the session's own before the accepted payment is stored,
 * so that a reload finds it, whatever becomes of this process. A reserved subscription whose payment
 * another caller made is not the caller's (checkout-sessions#reserved-and-submitted).
 */
export async function submitOfCustomer(
  service: Service,
  caller: CustomerCaller,
  id: string,
  body: SubmitBody,
): Promise<Confirmation> {
  const { session, project } = caller;
  const reach = () => requireReachable(service, caller, id, { firstPayment: true });
  const { subscription, isOwn } = await reach();
  const accepted = await acceptSubmit(service, project, id, body, async () => {
    if (session === null) return;
    requireUnfinished(await readHistory(service, caller));
    await service.store.submitForSession(session.id, subscription.id, service.clock.now());
  });
  // This submit, or the same one in a second tab, may have made it the session's own.
  if (!isOwn && !(await reach()).isOwn) throw new ServiceError('subscription_not_found');
  return confirmSubmit(service, accepted);
}
