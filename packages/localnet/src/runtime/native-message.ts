import type { Address } from '@solana/kit';
import { addressBytes } from './base58.js';
import type { RuntimeInstruction } from './program.js';
import { WireWriter } from './wire-writer.js';

/** Instructions packed as a transaction for LiteSVM, which checks neither its signatures nor its blockhash. */
export interface NativeMessage {
  readonly wire: Uint8Array;
  /** The message's accounts by index; the first is LiteSVM's own fee payer. */
  readonly addresses: readonly Address[];
}

/**
 * Packs instructions into a message with a fee payer outside of the user's accounts, so that no user pays for them. An
 * address that one instruction names as signer or writable is signer or writable in all of them, as in every message.
 */
export function packNativeMessage(
  feePayer: Address,
  instructions: readonly RuntimeInstruction[],
): NativeMessage {
  const privileges = new Map<Address, Privileges>([[feePayer, { isSigner: true, isWritable: true }]]);
  for (const { programAddress, accounts } of instructions) {
    for (const { address, isSigner, isWritable } of accounts) {
      const held = privileges.get(address);
      privileges.set(address, {
        isSigner: isSigner || held?.isSigner === true,
        isWritable: isWritable || held?.isWritable === true,
      });
    }
    if (!privileges.has(programAddress)) privileges.set(programAddress, NONE);
  }
  const ordered = [...privileges].sort(([, a], [, b]) => rank(a) - rank(b));
  const addresses = ordered.map(([address]) => address);
  const signers = ordered.filter(([, held]) => held.isSigner);
  const readonlySigners = signers.filter(([, held]) => !held.isWritable).length;
  const readonlyOthers = ordered.filter(([, held]) => !held.isSigner && !held.isWritable).length;
  const indexOf = new Map(addresses.map((address, index) => [address, index]));
  const index = (address: Address): number => indexOf.get(address) ?? 0;

  const wire = new WireWriter();
  wire.length(signers.length);
  wire.zeros(signers.length * 64);
  wire.byte(signers.length);
  wire.byte(readonlySigners);
  wire.byte(readonlyOthers);
  wire.length(addresses.length);
  for (const address of addresses) wire.bytes(addressBytes(address));
  wire.zeros(32);
  wire.length(instructions.length);
  for (const { programAddress, accounts, data } of instructions) {
    wire.byte(index(programAddress));
    wire.length(accounts.length);
    for (const { address } of accounts) wire.byte(index(address));
    wire.length(data.length);
    wire.bytes(data);
  }
  return { wire: wire.written(), addresses };
}

interface Privileges {
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

const NONE: Privileges = { isSigner: false, isWritable: false };

function rank({ isSigner, isWritable }: Privileges): number {
  return (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
}
