import type { BuildAnswer, CostsWire } from '../contract/build.js';
import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { TransactionCosts, UnsignedTransaction } from '../ports/index.js';

/** A transaction for the wallet to sign, as a reader sees it. */
export function buildAnswer(built: Omit<UnsignedTransaction, 'costs'>): BuildAnswer {
  return {
    transaction: built.transaction,
    last_valid_block_height: toAmountText(built.lastValidBlockHeight),
    transaction_expires_at: toWireDate(built.expiresAt),
  };
}

/** The costs of a transaction in lamports (checkout#costs-of-a-checkout). */
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
