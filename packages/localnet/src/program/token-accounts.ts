import { refuse } from './errors.js';
import { ZERO_KEY, key, struct, u32, u64, u8 } from './layout.js';

/** Size of a token account without extensions, and the offset of the kind byte of an extended Token-2022 account. */
export const TOKEN_ACCOUNT_SIZE = 165;
/** Size of a mint without extensions. */
export const MINT_SIZE = 82;
/** The values of the kind byte, which is byte 165 of an extended Token-2022 account. */
export const TOKEN_2022_KIND = { mint: 1, tokenAccount: 2 } as const;

const EXTENSIONS_OFFSET = 166;
const EXTENSION_HEADER_SIZE = 4;
const CPI_GUARD_EXTENSION = 11;
const TRANSFER_HOOK_EXTENSION = 14;
const TOKEN_ACCOUNT_STATE_OFFSET = 108;
const FROZEN = 2;

/** The first 46 bytes of a mint of either token program (program#token-account-and-mint-layouts). */
export const mintLayout = struct({
  authorityTag: u32,
  authority: key,
  supply: u64,
  decimals: u8,
  /** 1 when initialised. */
  initialized: u8,
});

/** The first 108 bytes of a token account of either token program (program#token-account-and-mint-layouts). */
export const tokenAccountLayout = struct({
  mint: key,
  owner: key,
  amount: u64,
  /** 0 when there is no delegate. */
  delegateTag: u32,
  delegate: key,
});

const transferHookLayout = struct({ authority: key, program: key });

/**
 * Whether transfers of this mint call a hook program. A malformed list of extensions is 106
 * (program#token-2022-extensions).
 */
export function hasActiveTransferHook(mint: Uint8Array): boolean {
  const extension = findExtension(mint, TRANSFER_HOOK_EXTENSION);
  if (extension === 'none') return false;
  if (extension === 'malformed' || extension.length !== transferHookLayout.size) {
    refuse('InvalidToken2022MintAccountData');
  }
  return transferHookLayout.decode(extension).program !== ZERO_KEY;
}

/** Whether the account's CPI guard is on: Token-2022 then refuses approvals that another program invokes. */
export function isGuardedAgainstCpi(tokenAccount: Uint8Array): boolean {
  const extension = findExtension(tokenAccount, CPI_GUARD_EXTENSION);
  return typeof extension !== 'string' && extension[0] === 1;
}

export function isFrozen(tokenAccount: Uint8Array): boolean {
  return tokenAccount[TOKEN_ACCOUNT_STATE_OFFSET] === FROZEN;
}

function findExtension(account: Uint8Array, wanted: number): Uint8Array | 'none' | 'malformed' {
  const entries = account.subarray(EXTENSIONS_OFFSET);
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  let at = 0;
  // A single stray byte ends the list, as a type of zero does.
  while (entries.length - at >= 2) {
    const type = view.getUint16(at, true);
    if (type === 0) return 'none';
    if (entries.length - at < EXTENSION_HEADER_SIZE) return 'malformed';
    const start = at + EXTENSION_HEADER_SIZE;
    const end = start + view.getUint16(at + 2, true);
    if (end > entries.length) return 'malformed';
    if (type === wanted) return entries.subarray(start, end);
    at = end;
  }
  return 'none';
}
