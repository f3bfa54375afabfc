import type { Address } from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from './runtime/addresses.js';
import { addressBytes } from './runtime/base58.js';
import { findProgramAddress } from './runtime/derive-address.js';
import type { Ledger } from './runtime/ledger.js';
import { FEE_PAYER } from './runtime/native-runtime.js';
import type { AccountMeta, RuntimeInstruction } from './runtime/program.js';
import {
  mintLayout,
  readMint,
  readTokenAccount,
  tokenAccountLayout,
  type TokenAccountUpdate,
} from './runtime/token-layout.js';

/** Names an associated token account: its owner, mint and token program. */
export interface TokenAccountPlace {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

const U64_MAX = 0xffff_ffff_ffff_ffffn;
const CREATE_IDEMPOTENT = 1;

/**
 * Creates an associated token account unless it exists, and replaces some of its fields.
 * @returns the addresses that changed, the account's own first
 * @throws {RangeError} when the account cannot be created, or supply or lamports would not fit 64 bits
 */
export function putTokenAccount(
  ledger: Ledger,
  place: TokenAccountPlace,
  update: TokenAccountUpdate,
): [Address, ...Address[]] {
  const { store } = ledger;
  const seeds = [place.owner, place.tokenProgram, place.mint].map(addressBytes);
  const { address } = findProgramAddress(ASSOCIATED_TOKEN_PROGRAM, seeds);
  // The real program creates it, so that a Token-2022 account has the extensions its mint demands.
  const error = ledger.runPrivileged([createIdempotent(address, place)]);
  const account = store.read(address);
  const token = readTokenAccount(account);
  if (error !== null || token === null) {
    throw new RangeError(
      `No token account of mint ${place.mint} can be created under ${place.tokenProgram}: ${error === null ? 'the result is not a token account' : JSON.stringify(error)}.`,
    );
  }
  const added = update.amount === undefined ? 0n : update.amount - token.amount;
  // Wrapped SOL is backed by the account's own lamports, every other token by its mint's supply.
  const lamports = account.lamports + (token.nativeReserve === null ? 0n : added);
  if (lamports > U64_MAX)
    throw new RangeError(`The lamports of ${address} would become ${lamports}, more than 64 bits hold.`);
  if (token.nativeReserve === null && added !== 0n) addSupply(ledger, place.mint, added);
  store.write(address, { ...account, lamports, data: tokenAccountLayout.patch(account.data, update) });
  return [address, place.mint];
}

function addSupply({ store }: Ledger, address: Address, added: bigint): void {
  const mint = store.read(address);
  const supply = (readMint(mint)?.supply ?? 0n) + added;
  if (supply < 0n || supply > U64_MAX)
    throw new RangeError(
      `The supply of ${address} would become ${supply}, which is outside 0 to ${U64_MAX}.`,
    );
  store.write(address, { ...mint, data: mintLayout.patch(mint.data, { supply }) });
}

function createIdempotent(
  address: Address,
  { owner, mint, tokenProgram }: TokenAccountPlace,
): RuntimeInstruction {
  const readonly = (of: Address): AccountMeta => ({ address: of, isSigner: false, isWritable: false });
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: FEE_PAYER, isSigner: true, isWritable: true },
      { address, isSigner: false, isWritable: true },
      ...[owner, mint, SYSTEM_PROGRAM, tokenProgram].map(readonly),
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}
