import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from './addresses.js';
import { struct, u32, u64 } from './layout.js';
import type { RuntimeInstruction } from './program.js';

const transfer = struct({ selector: u32, lamports: u64 });

/** The system program's instruction that moves lamports. The sender signs it. */
export function systemTransfer(from: Address, to: Address, lamports: bigint): RuntimeInstruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isSigner: false, isWritable: true },
    ],
    data: transfer.encode({ selector: 2, lamports }),
  };
}
