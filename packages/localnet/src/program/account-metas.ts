import type { Address } from '@solana/kit';
import type { AccountMeta } from '../runtime/program.js';

// Account metas of the instructions that the program invokes.

export const readonly = (address: Address): AccountMeta => ({ address, isSigner: false, isWritable: false });
export const writable = (address: Address): AccountMeta => ({ address, isSigner: false, isWritable: true });
export const readonlySigner = (address: Address): AccountMeta => ({
  address,
  isSigner: true,
  isWritable: false,
});
export const writableSigner = (address: Address): AccountMeta => ({
  address,
  isSigner: true,
  isWritable: true,
});
