import { toAmountText, toWireDate } from '../../contract/scalars.js';
import type { TransferWire } from './schemas.js';
import type { Transfer } from '../../records/index.js';

/** A transfer as an operator sees it: without the signed transaction. */
export function transferWire(transfer: Transfer): TransferWire {
  return {
    id: transfer.id,
    kind: transfer.kind,
    trigger: transfer.trigger,
    signature: transfer.signature,
    state: transfer.state,
    period_start: toWireDate(transfer.periodStart),
    amount: toAmountText(transfer.amount),
    fee_lamports: transfer.lamports === null ? null : toAmountText(transfer.lamports),
    reason_code: transfer.reasonCode,
    created_at: toWireDate(transfer.createdAt),
    resolved_at: toWireDate(transfer.resolvedAt),
  };
}
