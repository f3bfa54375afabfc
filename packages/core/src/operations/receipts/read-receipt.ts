import type { ReceiptWire } from '../../contract/receipt.js';
import type { Payment } from '../../ports/index.js';
import type { AttemptId, Project, Refund } from '../../records/index.js';
import { tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { receiptWire } from '../../wire/receipt.js';
import { readKnownTokens } from '../plans/known-tokens.js';

/** Reads the receipt of a payment of the project; null for what did not pay. */
export async function readReceipt(
  service: Service,
  project: Project,
  payment: Payment,
): Promise<ReceiptWire | null> {
  return receiptWire(payment, {
    project,
    seller: await service.store.findSeller(project.id),
    refunds: await refundsOf(service, payment.attempt.id),
    token: tokenName(payment.plan, await readKnownTokens(service)),
    network: service.chain.network,
  });
}

/** The refunds of an attempt. One that cannot be read fails it: how much was given back is not known. */
export async function refundsOf({ store }: Service, attempt: AttemptId): Promise<readonly Refund[]> {
  const { refunds, unreadable } = await store.listRefunds([attempt]);
  if (unreadable[0] !== undefined) throw unreadable[0].error;
  return refunds;
}
