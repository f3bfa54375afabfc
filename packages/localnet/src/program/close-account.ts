import type { Address } from '@solana/kit';
import type { InvokeContext } from '../runtime/program.js';
import { SYSTEM_PROGRAM } from '../runtime/addresses.js';

/**
 * Closes an account of the program: all its lamports go to `receiver`, and its length becomes zero and its owner the
 * system program at once, so that the same transaction can create it again (program#account-creation-and-closing).
 */
export function closeProgramAccount(context: InvokeContext, address: Address, receiver: Address): void {
  const closed = context.read(address);
  const receiving = context.read(receiver);
  context.write(receiver, { ...receiving, lamports: receiving.lamports + closed.lamports });
  context.write(address, {
    lamports: 0n,
    data: new Uint8Array(0),
    owner: SYSTEM_PROGRAM,
    executable: false,
  });
}
