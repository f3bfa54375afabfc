import { ServiceError } from '../../contract/errors.js';
import type { ReceiptWire } from '../../contract/receipt.js';
import { readReceipt } from '../../operations/receipts/read-receipt.js';
import type { AttemptId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';

/** The receipt of a payment. Throws `not_found` for what did not pay, as for none. */
export async function receiptOfPayment(service: Service, project: Project, id: string): Promise<ReceiptWire> {
  const payment = await service.store.findPayment(project.id, id as AttemptId);
  const receipt = payment && (await readReceipt(service, project, payment));
  if (receipt === null) throw new ServiceError('not_found');
  return receipt;
}
