import { signature } from '@solana/kit';
import type { ChainResult, Receipt, ReceiptQuery } from '@subrail/core/ports';
import type { CallRpc } from '../rpc/failover.js';
import { readTokensReceived } from '../rpc/landed.js';
import { readStatuses } from '../rpc/statuses.js';

/** Reads what a transaction in a confirmed block brought to a wallet; null when no block has it. */
export async function readReceipt(
  { signature: text, wallet, mint }: ReceiptQuery,
  call: CallRpc,
): Promise<ChainResult<Receipt | null>> {
  const statuses = await readStatuses(call, [signature(text)], 0n);
  if (!statuses.ok) return statuses;
  const [status = null] = statuses.value;
  if (status?.confirmed !== true) return { ok: true, value: null };
  return readTokensReceived(call, signature(text), wallet, mint);
}
