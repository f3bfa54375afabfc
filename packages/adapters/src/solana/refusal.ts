import {
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  type TransactionError,
  getSolanaErrorFromTransactionError,
  isSolanaError,
} from '@solana/kit';
import type { ChainRefusal } from '@subrail/core/ports';
import { paymentIn } from './payment-in.js';
import { nameOfCustomError } from './program/errors.js';
import type { Message } from './wire.js';

/**
 * Classifies an error of the runtime (program#failure-classification). A `Custom` code counts as the program's only under the index of
 * the instruction that moves the money: the same number under another instruction is another program's word.
 */
export function refusalOf(error: TransactionError, message: Message): ChainRefusal {
  const known = getSolanaErrorFromTransactionError(error);
  if (isSolanaError(known, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) {
    const { code, index } = known.context;
    if (index === paymentIn(message)?.index) return { kind: 'program', code };
  }
  return { kind: 'chain', code: known.context.__code };
}

/** One phrase for a person: the code and the name its program gives it. */
export function describeRefusal(refusal: ChainRefusal): string {
  if (refusal.kind === 'chain') return `Solana error ${refusal.code}`;
  const name = nameOfCustomError(refusal.code);
  return name === null ? `program error ${refusal.code}` : `program error ${refusal.code} (${name})`;
}
