import type { Address } from '@solana/kit';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js';
import { addressBytes, toAddress } from './base58.js';
import type { AccountState } from './program.js';

/** A token account of either token program. */
export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly state: 'initialized' | 'frozen';
  /** The rent reserve of a wrapped SOL account in lamports; null for any other mint. */
  readonly nativeReserve: bigint | null;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: Address | null;
}

/** A mint of either token program. */
export interface Mint {
  readonly mintAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Address | null;
}

// The offsets and sizes of program#token-account-and-mint-layouts.
const MINT_SIZE = 82;
const ACCOUNT_SIZE = 165;
const MULTISIG_SIZE = 355;
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

/** Reads an account as a token account; null when it is not an initialised one. */
export function readTokenAccount({ owner, data }: AccountState): TokenAccount | null {
  if (!hasKind(owner, data, ACCOUNT_SIZE, KIND_ACCOUNT)) return null;
  const view = viewOf(data);
  const state = data[108];
  if (state !== 1 && state !== 2) return null;
  return {
    mint: toAddress(data.subarray(0, 32)),
    owner: toAddress(data.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    delegate: optionalAddress(data, 72),
    state: state === 2 ? 'frozen' : 'initialized',
    nativeReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : null,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalAddress(data, 129),
  };
}

/** Reads an account as a mint; null when it is not an initialised one. */
export function readMint({ owner, data }: AccountState): Mint | null {
  if (!hasKind(owner, data, MINT_SIZE, KIND_MINT) || data[45] !== 1) return null;
  return {
    mintAuthority: optionalAddress(data, 0),
    supply: viewOf(data).getBigUint64(36, true),
    decimals: data[44] ?? 0,
    freezeAuthority: optionalAddress(data, 46),
  };
}

function hasKind(owner: Address, data: Uint8Array, baseSize: number, kind: number): boolean {
  if (data.length === baseSize) return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;
  if (owner !== TOKEN_2022_PROGRAM || data.length === MULTISIG_SIZE) return false;
  return data.length > KIND_OFFSET && data[KIND_OFFSET] === kind;
}

function optionalAddress(data: Uint8Array, offset: number): Address | null {
  return viewOf(data).getUint32(offset, true) === 1
    ? toAddress(data.subarray(offset + 4, offset + 36))
    : null;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

/** Fields of a token account to replace. Null removes a delegate or close authority; missing fields stay. */
export interface TokenAccountUpdate {
  readonly amount?: bigint;
  readonly delegate?: Address | null;
  readonly state?: TokenAccount['state'];
  readonly delegatedAmount?: bigint;
  readonly closeAuthority?: Address | null;
}

/** A token account's data with some fields replaced. Its extensions stay. */
export function updateTokenAccount(data: Uint8Array, update: TokenAccountUpdate): Uint8Array {
  const updated = data.slice();
  const view = viewOf(updated);
  if (update.amount !== undefined) view.setBigUint64(64, update.amount, true);
  if (update.delegate !== undefined) setOptionalAddress(updated, 72, update.delegate);
  if (update.state !== undefined) updated[108] = update.state === 'frozen' ? 2 : 1;
  if (update.delegatedAmount !== undefined) view.setBigUint64(121, update.delegatedAmount, true);
  if (update.closeAuthority !== undefined) setOptionalAddress(updated, 129, update.closeAuthority);
  return updated;
}

/** A mint's data with another supply. */
export function updateSupply(data: Uint8Array, supply: bigint): Uint8Array {
  const updated = data.slice();
  viewOf(updated).setBigUint64(36, supply, true);
  return updated;
}

function setOptionalAddress(data: Uint8Array, offset: number, address: Address | null): void {
  viewOf(data).setUint32(offset, address === null ? 0 : 1, true);
  data.set(address === null ? new Uint8Array(32) : addressBytes(address), offset + 4);
}
