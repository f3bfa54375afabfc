import type { Confirmation } from '../../contract/confirmation.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubmitBody } from '../../contract/requests.js';
import type { Service } from '../../service.js';
import { type AcceptedSubmit, acceptSubmit, confirmSubmit, isOfCheckout } from '../checkout/submit.js';
import type { CustomerCaller } from './caller.js';
import { requireReachable } from './require-reachable.js';

/**
 * Submits a first payment. With the terms signature that the service accepted, the subscription becomes the
 * session's own before the chain is waited for, so that a reload finds it. A reserved one of which somebody
 * else made the payment answers nothing of it (checkout-sessions#reserved-and-submitted).
 */
export async function submitOfCustomer(
  service: Service,
  caller: CustomerCaller,
  id: string,
  body: SubmitBody,
): Promise<Confirmation> {
  const { session, project } = caller;
  const { subscription, isOwn } = await requireReachable(service, caller, id, { ofReserved: true });
  // A store that cannot tell whose submit it is refuses before anything is sent.
  if (session !== null) await service.store.findSignedTerms(subscription.id);
  const accepted = await acceptSubmit(service, project, id, body);
  if (session !== null) {
    if (await isBySigner(service, accepted, body))
      await service.store.submitForSession(session.id, subscription.id, service.clock.now());
    else if (!isOwn) throw new ServiceError('invalid_terms_signature');
  }
  return confirmSubmit(service, accepted);
}

/** Whether a submit has the accepted signature of the terms, which the wallet and the service alone saw. */
async function isBySigner(
  { store, chain }: Service,
  { context: { subscription }, transfer }: AcceptedSubmit,
  { terms_signature, terms_signed_message }: SubmitBody,
): Promise<boolean> {
  if (!isOfCheckout(transfer, subscription)) return false;
  const accepted = await store.findSignedTerms(subscription.id);
  if (accepted === null) return false;
  const read = await chain.readTextSignature({
    wallet: subscription.wallet,
    text: accepted.message,
    signature: terms_signature,
    signedMessage: terms_signed_message ?? null,
  });
  return read?.signature === accepted.signature;
}
