import type { Address } from '@solana/kit';
import type { RuntimeInstruction } from '../runtime/program.js';
import { writable, writableSigner } from './account-metas.js';
import { SYSTEM_PROGRAM } from '../runtime/addresses.js';
import { key, struct, u32, u64 } from './layout.js';

// The instructions of the system program that this program invokes (program#invoked-token-instructions).

const createAccountData = struct<{ selector: number; lamports: bigint; space: bigint; owner: Address }>({
  selector: u32,
  lamports: u64,
  space: u64,
  owner: key,
});
const assignData = struct<{ selector: number; owner: Address }>({ selector: u32, owner: key });
const transferData = struct<{ selector: number; lamports: bigint }>({ selector: u32, lamports: u64 });
const allocateData = struct<{ selector: number; space: bigint }>({ selector: u32, space: u64 });

export function createAccount(
  payer: Address,
  address: Address,
  lamports: bigint,
  space: bigint,
  owner: Address,
): RuntimeInstruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writableSigner(payer), writableSigner(address)],
    data: createAccountData.encode({ selector: 0, lamports, space, owner }),
  };
}

export function assign(address: Address, owner: Address): RuntimeInstruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writableSigner(address)],
    data: assignData.encode({ selector: 1, owner }),
  };
}

export function transfer(payer: Address, address: Address, lamports: bigint): RuntimeInstruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writableSigner(payer), writable(address)],
    data: transferData.encode({ selector: 2, lamports }),
  };
}

export function allocate(address: Address, space: bigint): RuntimeInstruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writableSigner(address)],
    data: allocateData.encode({ selector: 8, space }),
  };
}
