import type { Address } from '@solana/kit';
import type { InvokeContext } from '../runtime/program.js';
import { SYSTEM_PROGRAM } from '../runtime/addresses.js';

/**
 * Closes an account of the program: all its lamports go to `receiver`, and the address is empty and the system program's
 * at once, so that it can be created again in the same transaction (program#shared-account-checks).
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
