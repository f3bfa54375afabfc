import type { Address } from '@solana/kit';
import type { InvokeContext } from '../runtime/program.js';
import { SUBSCRIPTIONS_PROGRAM } from '../runtime/addresses.js';
import { minimumBalance } from '../runtime/rent.js';
import { allocate, assign, createAccount, transfer } from './system-calls.js';

/**
 * Creates an account of the program at one of its PDAs and fills it with `data` (program#account-creation-and-closing).
 * Lamports that are already there count towards the rent. When the payer is short of lamports, the system program fails
 * with Custom 1.
 */
export function createProgramAccount(
  context: InvokeContext,
  address: Address,
  payer: Address,
  data: Uint8Array,
): void {
  const space = BigInt(data.length);
  const rent = minimumBalance(data.length, context.lamportsPerByte);
  const existingLamports = context.read(address).lamports;
  if (existingLamports === 0n) {
    context.invoke(createAccount(payer, address, rent, space, SUBSCRIPTIONS_PROGRAM), [address]);
  } else {
    if (existingLamports < rent) context.invoke(transfer(payer, address, rent - existingLamports), []);
    context.invoke(allocate(address, space), [address]);
    context.invoke(assign(address, SUBSCRIPTIONS_PROGRAM), [address]);
  }
  context.write(address, { ...context.read(address), data });
}
