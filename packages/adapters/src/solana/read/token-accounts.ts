import {
  type Address,
  type ReadonlyUint8Array,
  getAddressDecoder,
  getBytesDecoder,
  getStructDecoder,
  getU16Decoder,
  getU32Decoder,
  getU64Decoder,
  getU8Decoder,
} from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import type { MintView } from '@subrail/core/ports';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../program/addresses.js';
import type { Account } from '../rpc/accounts.js';

const key = getAddressDecoder();
const u8 = getU8Decoder();
const u16 = getU16Decoder();
const u32 = getU32Decoder();
const u64 = getU64Decoder();
const bytes = getBytesDecoder();

/** The layout of a token account. Token-2022 has the same layout and appends its extensions. */
const tokenAccountLayout = getStructDecoder([
  ['mint', key],
  ['owner', key],
  ['amount', u64],
  ['delegateTag', u32],
  ['delegate', key],
  ['state', u8],
]);
const DELEGATED_AMOUNT_OFFSET = 121;
const STATE = { uninitialised: 0, frozen: 2 } as const;
const TOKEN_ACCOUNT_SIZE = 165;
const MINT_SIZE = 82;
const MINT_DECIMALS_OFFSET = 44;
const MINT_INITIALISED_OFFSET = 45;

/** The places of an account's kind and extensions under Token-2022: after the base layout of 165 bytes. */
const KIND_OFFSET = 165;
const EXTENSIONS_OFFSET = 166;
const KIND = { mint: 1, account: 2 } as const;

/** The extensions of a mint or a token account that are read. */
export const EXTENSION = {
  confidentialTransferAccount: 5,
  memoTransfer: 8,
  nonTransferable: 9,
  interestBearing: 10,
  cpiGuard: 11,
  transferHook: 14,
  metadataPointer: 18,
  tokenMetadata: 19,
  scaledAmount: 25,
  pausable: 26,
} as const;
const ALLOWS_PUBLIC_CREDITS_OFFSET = 262;
const HOOK_PROGRAM_OFFSET = 32;
const HOOK_SIZE = 64;
const PAUSED_OFFSET = 32;

/** The extensions of an account by type: each type as a number, and what it holds. */
export type Extensions = ReadonlyMap<number, ReadonlyUint8Array>;

export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly balance: bigint;
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  readonly guarded: boolean;
  readonly needsMemo: boolean;
  readonly confidentialOnly: boolean;
}

/**
 * Reads a token account (program#token-account-and-mint-layouts); null when it is missing, or the
 * Subscriptions program would refuse it for this mint and token program (errors 105, 107, 110 and 125).
 */
export function readTokenAccount(
  account: Account | null,
  mint: string,
  tokenProgram: string,
): TokenAccount | null {
  if (account === null || account.owner !== tokenProgram) return null;
  const { data } = account;
  const extensions = extensionsOf(account, TOKEN_ACCOUNT_SIZE, KIND.account);
  if (extensions === null) return null;
  const base = tokenAccountLayout.decode(data);
  if (base.mint !== mint || base.state === STATE.uninitialised) return null;
  const confidential = extensions.get(EXTENSION.confidentialTransferAccount);
  return {
    mint: base.mint,
    owner: base.owner,
    balance: base.amount,
    delegate: base.delegateTag === 0 ? null : base.delegate,
    delegatedAmount: u64.read(data, DELEGATED_AMOUNT_OFFSET)[0],
    frozen: base.state === STATE.frozen,
    guarded: extensions.get(EXTENSION.cpiGuard)?.[0] === 1,
    needsMemo: extensions.get(EXTENSION.memoTransfer)?.[0] === 1,
    confidentialOnly: confidential !== undefined && confidential[ALLOWS_PUBLIC_CREDITS_OFFSET] === 0,
  };
}

/**
 * Reads a mint (program#token-account-and-mint-layouts); null when it is missing or malformed (errors 106,
 * 109).
 */
export function readMint(account: Account | null): MintView | null {
  if (account === null) return null;
  const extensions = readMintExtensions(account);
  if (extensions === null || account.data[MINT_INITIALISED_OFFSET] !== 1) return null;
  const hook = extensions.get(EXTENSION.transferHook);
  const hookProgram = hook === undefined ? SYSTEM_PROGRAM : key.read(hook, HOOK_PROGRAM_OFFSET)[0];
  return {
    tokenProgram: account.owner,
    decimals: u8.read(account.data, MINT_DECIMALS_OFFSET)[0],
    paused: extensions.get(EXTENSION.pausable)?.[PAUSED_OFFSET] === 1,
    transferable: !extensions.has(EXTENSION.nonTransferable),
    // A hook of 32 zero bytes, which are the system program's address, was never set.
    hookProgram: hookProgram === SYSTEM_PROGRAM ? null : hookProgram,
  };
}

/** Reads the extensions of a mint, by type; null when the account is no mint. */
export function readMintExtensions(account: Account): Extensions | null {
  return extensionsOf(account, MINT_SIZE, KIND.mint);
}

/**
 * Reads the extensions of an account; null when it is of another kind or its list is malformed (error 106). A
 * type of zero, or a single remaining byte, ends the list.
 */
function extensionsOf({ owner, data }: Account, size: number, kind: number): Extensions | null {
  if (data.length === size && (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM_ADDRESS))
    return new Map();
  if (owner !== TOKEN_2022_PROGRAM_ADDRESS || data.length <= KIND_OFFSET || data[KIND_OFFSET] !== kind)
    return null;
  const found = new Map<number, ReadonlyUint8Array>();
  for (let offset = EXTENSIONS_OFFSET; offset + 2 <= data.length;) {
    const type = u16.read(data, offset)[0];
    if (type === 0) break;
    if (offset + 4 > data.length) return null;
    const length = u16.read(data, offset + 2)[0];
    const end = offset + 4 + length;
    if (end > data.length || (type === EXTENSION.transferHook && length !== HOOK_SIZE)) return null;
    found.set(type, bytes.decode(data.slice(offset + 4, end)));
    offset = end;
  }
  return found;
}
