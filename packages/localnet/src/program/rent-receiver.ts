import type { Address } from '@solana/kit';
import type { AccountMeta } from '../runtime/program.js';
import { requireWritable } from './checks.js';
import { refuse } from './errors.js';

/**
 * Who gets an account's rent back: its recorded payer. When another key closes the account, the payer must be passed as
 * `receiver`: 113 when it is missing, 131 when read-only, 130 when it is not the payer (program#revoke-delegation).
 */
export function rentReceiver(
  closing: AccountMeta,
  payer: Address,
  receiver: AccountMeta | undefined,
): AccountMeta {
  if (closing.address === payer) return closing;
  if (receiver === undefined) refuse('NotEnoughAccountKeys');
  requireWritable(receiver);
  if (receiver.address !== payer) refuse('Unauthorized');
  return receiver;
}
