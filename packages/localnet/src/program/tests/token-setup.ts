import type { Address } from '@solana/kit';
import {
  AccountState as TokenState,
  type ExtensionArgs,
  getMintEncoder,
  getTokenEncoder,
} from '@solana-program/token-2022';
import { SPL_TOKEN, TOKEN_2022, key, u64 } from './instruction-builders.js';
import type { TestChain } from './test-chain.js';

/** A kind of mint: its token program, its extensions, and the extensions that its token accounts need. */
export interface MintKind {
  readonly tokenProgram: Address;
  readonly mint: readonly ExtensionArgs[];
  readonly account: readonly ExtensionArgs[];
}

export const SPL: MintKind = { tokenProgram: SPL_TOKEN, mint: [], account: [] };

/** A Token-2022 mint with these extensions. Its token accounts have ImmutableOwner, as ATAs do. */
export function token2022(
  mint: readonly ExtensionArgs[] = [],
  account: readonly ExtensionArgs[] = [],
): MintKind {
  return { tokenProgram: TOKEN_2022, mint, account: [{ __kind: 'ImmutableOwner' }, ...account] };
}

export interface MintFields {
  readonly address: Address;
  readonly authority: Address;
  readonly kind: MintKind;
  readonly isInitialized: boolean;
}

export function setMint(chain: TestChain, { address, authority, kind, isInitialized }: MintFields): void {
  const data = getMintEncoder().encode({
    mintAuthority: authority,
    supply: 1_000_000_000_000n,
    decimals: 6,
    isInitialized,
    freezeAuthority: authority,
    extensions: kind.mint.length === 0 ? null : [...kind.mint],
  });
  writeOwned(chain, address, new Uint8Array(data), kind.tokenProgram);
}

export interface TokenAccountFields {
  readonly address: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly kind: MintKind;
  readonly isFrozen: boolean;
}

export function setTokenAccount(chain: TestChain, fields: TokenAccountFields): void {
  const { address, mint, owner, amount, kind, isFrozen } = fields;
  const data = getTokenEncoder().encode({
    mint,
    owner,
    amount,
    delegate: null,
    state: isFrozen ? TokenState.Frozen : TokenState.Initialized,
    isNative: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: kind.account.length === 0 ? null : [...kind.account],
  });
  writeOwned(chain, address, new Uint8Array(data), kind.tokenProgram);
}

/** Approves a delegate on an existing token account, as its wallet could. */
export function approve(chain: TestChain, account: Address, delegate: Address, amount: bigint): void {
  const state = chain.read(account);
  const data = Uint8Array.from(state.data);
  data.set([1, 0, 0, 0, ...key(delegate)], 72);
  data.set(u64(amount), 121);
  chain.write(account, { ...state, data });
}

/** Removes the delegate of a token account, as its wallet could. */
export function disapprove(chain: TestChain, account: Address): void {
  const state = chain.read(account);
  const data = Uint8Array.from(state.data);
  data.fill(0, 72, 108);
  data.fill(0, 121, 129);
  chain.write(account, { ...state, data });
}

function writeOwned(chain: TestChain, address: Address, data: Uint8Array, owner: Address): void {
  chain.write(address, { lamports: chain.rent(data.length), data, owner, executable: false });
}
