import { ServiceError } from '../../contract/errors.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import { refundsOf } from '../../operations/receipts/read-receipt.js';
import { requireAnswer } from '../../operations/read-chain.js';
import type { Payment } from '../../ports/index.js';
import type { AttemptId, Project } from '../../records/index.js';
import { displayAmount } from '../../rules/money.js';
import type { Service } from '../../service.js';
import type { RefundBody } from './inputs.js';
import { paymentWire } from './list.js';
import type { PaymentWire } from './schemas.js';

/** What helps when a transaction is older than the history of an RPC server. */
const WITH_HISTORY = 'set an RPC server that has the whole history';

/** Records that a charge was given back, by the transaction that proves it (payments#refunds-by-hand). */
export async function recordRefund(
  service: Service,
  project: Project,
  id: string,
  { signature }: RefundBody,
): Promise<PaymentWire> {
  const { store, chain, clock } = service;
  const payment = await store.findPayment(project.id, id as AttemptId);
  if (payment === null) throw new ServiceError('not_found');
  const { attempt, subscription, plan } = payment;
  const before = await refundsOf(service, attempt.id);
  if (before.some((one) => one.signature === signature)) return shown(service, payment);
  if (attempt.outcome !== 'paid') throw conflict('The charge did not pay, so there is nothing to give back.');
  const { wallet } = subscription;
  const receipt = requireAnswer(await chain.readReceipt({ signature, wallet, mint: plan.mint }));
  if (receipt === null)
    throw conflict(
      `The chain knows no confirmed transaction with this signature: it has not landed, or it is older than the history of the RPC server. Wait until it is confirmed, look whether the signature is the right one, or ${WITH_HISTORY}.`,
    );
  if (!receipt.succeeded)
    throw conflict('The transaction failed on chain, so it gave nothing back. Send the refund again.');
  if (receipt.received === 0n)
    throw conflict(
      `The transaction brought no token of the plan (${plan.mint}) to the wallet of the customer (${wallet}). Name the one that did.`,
    );
  if (receipt.time < attempt.attemptedAt) {
    // The attempt was recorded some time after its transaction, whose own time decides.
    const charge = attempt.signature && { signature: attempt.signature, wallet, mint: plan.mint };
    const charged = charge ? requireAnswer(await chain.readReceipt(charge)) : null;
    if (charged === null)
      throw conflict(
        `The chain does not know the transaction of the payment any more, so nothing says whether this one came after it. To tell, ${WITH_HISTORY}.`,
      );
    if (receipt.time < charged.time)
      throw conflict(
        'The transaction is older than the payment, so it gave back something else. Name one that came after the payment.',
      );
  }
  const { received, time: landedAt } = receipt;
  const result = await store.insertRefund(
    { signature, projectId: project.id, attemptId: attempt.id, landedAt, recordedAt: clock.now() },
    { charged: attempt.amount, wallet, mint: plan.mint, received },
  );
  if (result === 'nothing_charged_left')
    throw conflict('The whole payment is given back, by the refunds that are recorded with it.');
  if (result === 'nothing_received_left')
    throw conflict(
      `All ${displayAmount(received, plan.decimals)} that the transaction brought are recorded with other payments. Name the one that gave back this payment.`,
    );
  // Another caller may have recorded the same one meanwhile.
  return shown(service, payment);
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', { message });
}

async function shown(service: Service, payment: Payment): Promise<PaymentWire> {
  const refunds = await refundsOf(service, payment.attempt.id);
  return paymentWire(payment, refunds, await readKnownTokens(service));
}
