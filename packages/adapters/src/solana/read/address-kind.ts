import { type Address, isOffCurveAddress } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import type { AddressKind } from '@subrail/core/ports';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../program/addresses.js';
import type { Account } from '../rpc/accounts.js';

/** Addresses of Solana itself, with an account or not: words filled up with `1`s, whose keys nobody knows. */
const RESERVED = /1{16}$/;

/** Classifies an address by the account there, which is null when there is none. */
export function addressKind(address: Address, account: Account | null): AddressKind {
  const owner = account?.owner ?? SYSTEM_PROGRAM;
  // The system program owns wallets, a loader owns programs, and the other native programs their own kinds.
  if (RESERVED.test(address) || (RESERVED.test(owner) && owner !== SYSTEM_PROGRAM)) return 'program';
  if (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM_ADDRESS) return 'token';
  return isOffCurveAddress(address) ? 'off_curve' : 'wallet';
}
