import type { Address } from '@solana/kit';
import { EMPTY_ACCOUNT } from '../runtime/account-store.js';
import type { AccountMeta, InvokeContext } from '../runtime/program.js';
import { SUBSCRIPTIONS_PROGRAM, SYSTEM_PROGRAM } from '../runtime/addresses.js';
import { minimumBalance } from '../runtime/rent.js';
import { systemTransfer } from '../runtime/system-transfer.js';
import { type Struct, key, struct, u32, u64 } from '../runtime/layout.js';

// The data of the system program's instructions that are invoked (program#invoked-token-instructions).
const createAccount = struct({ selector: u32, lamports: u64, space: u64, owner: key });
const assign = struct({ selector: u32, owner: key });
const allocate = struct({ selector: u32, space: u64 });

/**
 * Creates an account at a PDA of the program with `data` (program#account-creation-and-closing). Lamports
 * that are there count towards the rent; a payer who is short fails with the system program's Custom 1.
 */
export function createProgramAccount(
  context: InvokeContext,
  address: Address,
  payer: Address,
  data: Uint8Array,
): void {
  const space = BigInt(data.length);
  const rent = minimumBalance(data.length, context.lamportsPerByte);
  const owner = SUBSCRIPTIONS_PROGRAM;
  const call = <T>(layout: Struct<T>, fields: T, ...signers: readonly Address[]): void => {
    const accounts = signers.map((signer) => ({ address: signer, isSigner: true, isWritable: true }));
    context.invoke({ programAddress: SYSTEM_PROGRAM, accounts, data: layout.encode(fields) }, [address]);
  };
  const existingLamports = context.read(address).lamports;
  if (existingLamports === 0n) {
    call(createAccount, { selector: 0, lamports: rent, space, owner }, payer, address);
  } else {
    if (existingLamports < rent) context.invoke(systemTransfer(payer, address, rent - existingLamports), []);
    call(allocate, { selector: 8, space }, address);
    call(assign, { selector: 1, owner }, address);
  }
  context.write(address, { ...context.read(address), data });
}

/** Replaces fields of an account of the program. */
export function patchAccount<T>(
  context: InvokeContext,
  { address }: AccountMeta,
  layout: Struct<T>,
  changes: Partial<T>,
): void {
  const account = context.read(address);
  context.write(address, { ...account, data: layout.patch(account.data, changes) });
}

/**
 * Closes an account of the program, whose lamports go to `receiver`. The same transaction can create it again
 * (program#account-creation-and-closing).
 */
export function closeProgramAccount(context: InvokeContext, address: Address, receiver: Address): void {
  const closed = context.read(address);
  const receiving = context.read(receiver);
  context.write(receiver, { ...receiving, lamports: receiving.lamports + closed.lamports });
  context.write(address, EMPTY_ACCOUNT);
}
