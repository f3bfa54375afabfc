import type { Address } from '@solana/kit';
import { addressBytes } from './base58.js';
import type { AccountMeta, RuntimeInstruction } from './program.js';

/** Instructions packed as a transaction, whose signatures and blockhash are zeros. */
export interface NativeMessage {
  readonly wire: Uint8Array;
  /** The message's accounts by index; the first is the fee payer. */
  readonly addresses: readonly Address[];
}

/**
 * Packs instructions into a legacy transaction. A privilege in one instruction holds in all, as in every
 * message.
 */
export function packNativeMessage(
  feePayer: Address,
  instructions: readonly RuntimeInstruction[],
): NativeMessage {
  const privileges = new Map<Address, Privileges>([[feePayer, { isSigner: true, isWritable: true }]]);
  for (const { programAddress, accounts } of instructions) {
    for (const { address, isSigner, isWritable } of accounts) {
      const known = privileges.get(address);
      privileges.set(address, {
        isSigner: isSigner || known?.isSigner === true,
        isWritable: isWritable || known?.isWritable === true,
      });
    }
    if (!privileges.has(programAddress)) privileges.set(programAddress, NO_PRIVILEGES);
  }
  const ordered = [...privileges].sort(([, a], [, b]) => rank(a) - rank(b));
  const addresses = ordered.map(([address]) => address);
  const signers = ordered.filter(([, { isSigner }]) => isSigner);
  const readonlySigners = signers.filter(([, { isWritable }]) => !isWritable).length;
  const readonlyOthers = ordered.filter(([, { isSigner, isWritable }]) => !isSigner && !isWritable).length;
  const indexOf = new Map(addresses.map((address, index) => [address, index]));
  const index = (address: Address): number => indexOf.get(address) ?? 0;

  const wire = [
    ...compactU16(signers.length),
    ...Array<number>(signers.length * 64).fill(0),
    ...[signers.length, readonlySigners, readonlyOthers],
    ...compactU16(addresses.length),
  ];
  for (const address of addresses) wire.push(...addressBytes(address));
  wire.push(...Array<number>(32).fill(0), ...compactU16(instructions.length));
  for (const { programAddress, accounts, data } of instructions) {
    wire.push(index(programAddress), ...compactU16(accounts.length));
    for (const { address } of accounts) wire.push(index(address));
    wire.push(...compactU16(data.length), ...data);
  }
  return { wire: Uint8Array.from(wire), addresses };
}

/** A length as a compact-u16: seven bits in each byte, the high bit on all but the last. */
function compactU16(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compactU16(length >> 7)];
}

type Privileges = Pick<AccountMeta, 'isSigner' | 'isWritable'>;

const NO_PRIVILEGES: Privileges = { isSigner: false, isWritable: false };

/** The order of accounts in a message: writable signers, read-only signers, then the others alike. */
function rank({ isSigner, isWritable }: Privileges): number {
  return (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
}
