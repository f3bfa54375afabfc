import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from './addresses.js';
import type { RuntimeInstruction } from './program.js';

/** The discriminator of the system program's transfer. */
const TRANSFER = 2;

/** The system program's instruction that moves lamports. The sender signs it. */
export function systemTransfer(from: Address, to: Address, lamports: bigint): RuntimeInstruction {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, lamports, true);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isSigner: false, isWritable: true },
    ],
    data,
  };
}
