import {
  type AccountMeta,
  type Address,
  type Instruction,
  type ReadonlyUint8Array,
  AccountRole,
} from '@solana/kit';
import { EVENT_AUTHORITY, SUBSCRIPTIONS_PROGRAM } from './addresses.js';

/** An account that an instruction reads. */
export const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });

/** An account that an instruction changes. */
export const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });

/** A signer whose account stays as it is. */
export const signer = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY_SIGNER });

/** A signer whose account changes, because it pays rent or receives it. */
export const writableSigner = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.WRITABLE_SIGNER,
});

/** The accounts of an event, the last ones before any optional account. */
export const EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(EVENT_AUTHORITY),
  readonly(SUBSCRIPTIONS_PROGRAM),
];

export function programInstruction(accounts: readonly AccountMeta[], data: ReadonlyUint8Array): Instruction {
  return { programAddress: SUBSCRIPTIONS_PROGRAM, accounts, data };
}
