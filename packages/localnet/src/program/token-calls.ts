import type { Address } from '@solana/kit';
import type { AccountMeta, RuntimeInstruction } from '../runtime/program.js';
import { struct, u64, u8 } from '../runtime/layout.js';

// The invoked token instructions, alike for both token programs (program#invoked-token-instructions).

const approveData = struct({ selector: u8, amount: u64 });
const transferCheckedData = struct({ selector: u8, amount: u64, decimals: u8 });

const readonly = (address: Address): AccountMeta => ({ address, isSigner: false, isWritable: false });
const writable = (address: Address): AccountMeta => ({ address, isSigner: false, isWritable: true });
const signer = (address: Address): AccountMeta => ({ address, isSigner: true, isWritable: false });

/** Approves `delegate` for `amount`, in place of any other delegate of the token account. */
export function approve(
  tokenProgram: Address,
  account: Address,
  delegate: Address,
  owner: Address,
  amount: bigint,
): RuntimeInstruction {
  return {
    programAddress: tokenProgram,
    accounts: [writable(account), readonly(delegate), signer(owner)],
    data: approveData.encode({ selector: 4, amount }),
  };
}

/** Removes the token account's delegate. */
export function revoke(tokenProgram: Address, account: Address, owner: Address): RuntimeInstruction {
  return {
    programAddress: tokenProgram,
    accounts: [writable(account), signer(owner)],
    data: Uint8Array.of(5),
  };
}

/** The accounts of a transfer. `hookAccounts` are passed on unchanged. */
export interface TokenTransfer {
  readonly tokenProgram: Address;
  readonly source: Address;
  readonly mint: Address;
  readonly receiver: Address;
  readonly delegate: Address;
  readonly hookAccounts: readonly AccountMeta[];
}

/** Transfers tokens as the delegate of `source`. */
export function transferChecked(
  transfer: TokenTransfer,
  amount: bigint,
  decimals: number,
): RuntimeInstruction {
  return {
    programAddress: transfer.tokenProgram,
    accounts: [
      writable(transfer.source),
      readonly(transfer.mint),
      writable(transfer.receiver),
      signer(transfer.delegate),
      ...transfer.hookAccounts,
    ],
    data: transferCheckedData.encode({ selector: 12, amount, decimals }),
  };
}
