import {
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  type TransactionError,
  getSolanaErrorFromTransactionError,
  isSolanaError,
} from '@solana/kit';
import type { ChainRefusal } from '@subrail/core/ports';
import { findPayment } from './find-payment.js';
import { nameOfCustomError } from '../program/errors.js';
import type { Message } from './wire.js';

/**
 * Classifies an error of the runtime (program#failure-classification). A `Custom` code is the program's only when the
 * transfer instruction failed: under another instruction the same number belongs to another program.
 */
export function refusalOf(error: TransactionError, message: Message): ChainRefusal {
  const known = getSolanaErrorFromTransactionError(error);
  if (isSolanaError(known, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    const { code, index } = known.context;
    if (index === findPayment(message)?.index) return { kind: 'program', code };
  }
  return { kind: 'chain', code: known.context.__code };
}

/** Describes a refusal for a person: its code and, where known, the name that the program gives it. */
export function describeRefusal(refusal: ChainRefusal): string {
  if (refusal.kind === 'chain') return `Solana error ${refusal.code}`;
  const name = nameOfCustomError(refusal.code);
  return name === null ? `program error ${refusal.code}` : `program error ${refusal.code} (${name})`;
}
