import {
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  type TransactionError,
  getSolanaErrorFromTransactionError,
  isSolanaError,
} from '@solana/kit';
import type { ChainRefusal } from '@subrail/core/ports';
import { findPayments } from './find-payments.js';
import type { Message } from './wire.js';

/**
 * Classifies an error of the runtime (program#failure-classification). A `Custom` code is the program's only
 * under a transfer instruction.
 */
export function refusalOf(error: TransactionError, message: Message): ChainRefusal {
  const known = getSolanaErrorFromTransactionError(error);
  if (isSolanaError(known, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    const { code, index } = known.context;
    if (findPayments(message).some((payment) => payment.index === index)) return { kind: 'program', code };
  }
  return { kind: 'chain', code: known.context.__code };
}

/**
 * The refusal of one payment, or `undone` when another payment of the transaction failed
 * (attempts#shared-transaction). An error outside every transfer refuses each payment.
 */
export function refusalOfPayment(
  error: TransactionError,
  message: Message,
  paymentIndex: number,
): ChainRefusal | 'undone' {
  const failed = findPayments(message).findIndex(({ index }) => index === failedInstruction(error));
  return failed === -1 || failed === paymentIndex ? refusalOf(error, message) : 'undone';
}

/** The index of the instruction that failed; null when the error is of the transaction as a whole. */
function failedInstruction(error: TransactionError): number | null {
  if (typeof error !== 'object' || !('InstructionError' in error)) return null;
  const [index] = error.InstructionError as readonly [bigint | number, unknown];
  return Number(index);
}
