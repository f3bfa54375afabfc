import type { BuildAnswer, CostsWire } from '../contract/build.js';
import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { UnsignedTransaction, TransactionCosts } from '../ports/index.js';

/** Contract, Build answer. */
export function buildAnswer(built: UnsignedTransaction): BuildAnswer {
  return {
    transaction: built.transaction,
    last_valid_block_height: toAmountText(built.lastValidBlockHeight),
    transaction_expires_at: toWireDate(built.expiresAt),
  };
}

/** checkout#costs-of-a-checkout. */
export function costsWire({ rent, fee, total }: TransactionCosts): CostsWire {
  return {
    rent: {
      subscription: toAmountText(rent.subscription),
      authority: rent.authority === null ? null : toAmountText(rent.authority),
      total: toAmountText(rent.total),
    },
    fee: {
      signatures: fee.signatures,
      per_signature: toAmountText(fee.perSignature),
      priority: toAmountText(fee.priority),
      total: toAmountText(fee.total),
    },
    total: toAmountText(total),
  };
}
