import type { Address } from '@solana/kit';
import { UPGRADEABLE_LOADER } from './addresses.js';
import { addressBytes } from './base58.js';
import { findProgramAddress } from './derive-address.js';
import type { AccountState } from './program.js';
import { minimumBalance } from './rent.js';

/** The header before the ELF of a program data account: kind, slot of deployment, upgrade authority. */
export const PROGRAM_DATA_HEADER = 45;
/** The first u32 of a program's account: the loader state `Program`. */
export const PROGRAM_KIND = 2;
/** The first u32 of a program data account: the loader state `ProgramData`. */
export const PROGRAM_DATA_KIND = 3;

/**
 * The accounts by which clients find programs in TypeScript: an executable one and its program data, without
 * an upgrade authority and an ELF.
 */
export function programAccounts(
  addresses: Iterable<Address>,
  lamportsPerByte: bigint,
): Map<Address, AccountState> {
  const accounts = new Map<Address, AccountState>();
  const add = (address: Address, data: Uint8Array, executable: boolean): void => {
    const lamports = minimumBalance(data.length, lamportsPerByte);
    accounts.set(address, { lamports, data, owner: UPGRADEABLE_LOADER, executable });
  };
  for (const address of addresses) {
    const programData = findProgramAddress(UPGRADEABLE_LOADER, [addressBytes(address)]).address;
    add(address, Uint8Array.of(PROGRAM_KIND, 0, 0, 0, ...addressBytes(programData)), true);
    const header = new Uint8Array(PROGRAM_DATA_HEADER);
    header[0] = PROGRAM_DATA_KIND;
    add(programData, header, false);
  }
  return accounts;
}
