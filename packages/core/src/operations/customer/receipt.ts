import { isServiceError, ServiceError } from '../../contract/errors.js';
import type { ReceiptWire } from '../../contract/receipt.js';
import type { AttemptId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { readReceipt } from '../receipts/read-receipt.js';
import type { CustomerCaller } from './caller.js';
import { requireReachable } from './require-reachable.js';

/**
 * The receipt of a payment of the caller's. Throws `not_found` for one of another customer's, as for none
 * and for what did not pay (receipts#readers-of-a-receipt).
 */
export async function receiptOfCustomer(
  service: Service,
  caller: CustomerCaller,
  id: string,
): Promise<ReceiptWire> {
  const payment = await service.store.findPayment(caller.project.id, id as AttemptId);
  if (payment === null) throw new ServiceError('not_found');
  try {
    await requireReachable(service, caller, payment.attempt.subscriptionId, {});
  } catch (error) {
    if (isServiceError(error, 'subscription_not_found')) throw new ServiceError('not_found');
    throw error;
  }
  const receipt = await readReceipt(service, caller.project, payment);
  if (receipt === null) throw new ServiceError('not_found');
  return receipt;
}
