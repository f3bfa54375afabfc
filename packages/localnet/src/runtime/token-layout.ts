import type { Address } from '@solana/kit';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js';
import { type Field, type Struct, type ValueOf, key, option, struct, u64, u8 } from './layout.js';
import type { AccountState } from './program.js';

// The layouts of both token programs (program#token-account-and-mint-layouts).

/** A mint without its extensions. */
export const mintLayout = struct({
  mintAuthority: option(key),
  supply: u64,
  decimals: u8,
  /** 1 when initialised. */
  initialized: u8,
  freezeAuthority: option(key),
});
export type Mint = ValueOf<typeof mintLayout>;

const STATES = ['uninitialized', 'initialized', 'frozen'] as const;
const state: Field<(typeof STATES)[number]> = {
  size: u8.size,
  read: (bytes, offset) => STATES[u8.read(bytes, offset)] ?? 'uninitialized',
  write: (bytes, offset, value) => u8.write(bytes, offset, STATES.indexOf(value)),
};

/** A token account without its extensions. */
export const tokenAccountLayout = struct({
  mint: key,
  owner: key,
  /** In the mint's smallest unit. */
  amount: u64,
  delegate: option(key),
  state,
  /** The rent reserve of a wrapped SOL account in lamports; null for any other mint. */
  nativeReserve: option(u64),
  delegatedAmount: u64,
  closeAuthority: option(key),
});
export type TokenAccount = ValueOf<typeof tokenAccountLayout>;

/** Fields of a token account to replace. Null removes a delegate or close authority; missing fields stay. */
export interface TokenAccountUpdate {
  readonly amount?: bigint;
  readonly delegate?: Address | null;
  readonly state?: 'initialized' | 'frozen';
  readonly delegatedAmount?: bigint;
  readonly closeAuthority?: Address | null;
}

/** The kind of an extended Token-2022 account is the byte after the layout of a token account. */
const KIND_OFFSET = tokenAccountLayout.size;
const EXTENSIONS_OFFSET = KIND_OFFSET + 1;
const EXTENSION_HEADER = 4;
export const TOKEN_2022_KIND = { mint: 1, tokenAccount: 2 } as const;
const MULTISIG_SIZE = 355;

/** Reads an account as a token account; null when it is not an initialised one. */
export function readTokenAccount(account: AccountState): TokenAccount | null {
  const token = readKind(account, tokenAccountLayout, TOKEN_2022_KIND.tokenAccount);
  return token?.state === 'uninitialized' ? null : token;
}

/** Reads an account as a mint; null when it is not an initialised one. */
export function readMint(account: AccountState): Mint | null {
  const mint = readKind(account, mintLayout, TOKEN_2022_KIND.mint);
  return mint?.initialized === 1 ? mint : null;
}

function readKind<T>({ owner, data }: AccountState, layout: Struct<T>, kind: number): T | null {
  const isOfKind =
    data.length === layout.size
      ? owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
      : owner === TOKEN_2022_PROGRAM && data.length !== MULTISIG_SIZE && data[KIND_OFFSET] === kind;
  return isOfKind ? layout.decode(data) : null;
}

/** The extensions of a Token-2022 account up to the first malformed one, each with its type. */
export interface Extensions {
  readonly entries: readonly (readonly [type: number, value: Uint8Array])[];
  readonly malformed: boolean;
}

/** Reads the extensions of a mint or token account (program#token-2022-extensions). */
export function readExtensions(data: Uint8Array): Extensions {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const entries: [number, Uint8Array][] = [];
  let at = EXTENSIONS_OFFSET;
  // A single stray byte ends the list, as a type of zero does.
  while (data.length - at >= 2) {
    const type = view.getUint16(at, true);
    if (type === 0) break;
    const start = at + EXTENSION_HEADER;
    if (start > data.length) return { entries, malformed: true };
    at = start + view.getUint16(at + 2, true);
    if (at > data.length) return { entries, malformed: true };
    entries.push([type, data.subarray(start, at)]);
  }
  return { entries, malformed: false };
}
