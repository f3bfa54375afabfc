import type { SignedPayment, SignedTransaction } from '../ports/index.js';
import { type Transfer, newId } from '../records/index.js';
import type { Service } from '../service.js';

/**
 * An open transfer of a signed transaction, to be stored before the transaction is sent
 * (attempts#unresolved-transfer-first).
 */
export function newTransfer(
  service: Service,
  payment: Pick<Transfer, 'subscriptionId' | 'kind' | 'trigger' | 'amount' | 'periodStart'>,
  { signature, wire, lastValidBlockHeight, paymentIndex = 0 }: SignedTransaction & Partial<SignedPayment>,
  now: Date,
): Transfer {
  return {
    id: newId(service.random, 'trf'),
    ...payment,
    signature,
    paymentIndex,
    wire,
    lastValidBlockHeight,
    state: 'open',
    reasonCode: null,
    notFoundCount: 0,
    longWaitRecorded: false,
    lamports: null,
    createdAt: now,
    resolvedAt: null,
  };
}
