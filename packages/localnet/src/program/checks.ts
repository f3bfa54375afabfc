import type { Address } from '@solana/kit';
import {
  type AccountMeta,
  type AccountState,
  InstructionFailure,
  type InvokeContext,
} from '../runtime/program.js';
import { type SubscriptionAuthority, loadAuthority } from './accounts/authority.js';
import { MINT_SIZE, TOKEN_2022_KIND, TOKEN_ACCOUNT_SIZE, mintLayout } from './accounts/token.js';
import {
  SUBSCRIPTIONS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../runtime/addresses.js';
import { findTokenAccount } from './pdas.js';
import { refuse } from './errors.js';

// The shared checks of program#shared-account-checks, each with the error it decides.

type Tuple<N extends number, T extends readonly AccountMeta[] = []> = T['length'] extends N
  ? T
  : Tuple<N, readonly [...T, AccountMeta]>;

/** Fewer or more accounts than `count`: 113. */
export function exactly<N extends number>(count: N, accounts: readonly AccountMeta[]): Tuple<N> {
  if (accounts.length !== count) refuse('NotEnoughAccountKeys');
  return accounts as Tuple<N>;
}

/** Fewer accounts than `count`: 113. Those beyond are left to the instruction. */
export function atLeast<N extends number>(count: N, accounts: readonly AccountMeta[]): Tuple<N> {
  if (accounts.length < count) refuse('NotEnoughAccountKeys');
  return accounts.slice(0, count) as unknown as Tuple<N>;
}

export function requireSigner(account: AccountMeta): void {
  if (!account.isSigner) refuse('NotSigner');
}

export function requireWritable(account: AccountMeta): void {
  if (!account.isWritable) refuse('AccountNotWritable');
}

/** The account when it belongs to the program; undefined when it was closed, never made, or is somebody else's. */
export function programOwned(context: InvokeContext, account: AccountMeta): AccountState | undefined {
  const state = context.read(account.address);
  return state.owner === SUBSCRIPTIONS_PROGRAM ? state : undefined;
}

/** Here the program answers with Solana's own error and not with one of its codes. */
export function requireProgramOwned(context: InvokeContext, account: AccountMeta): AccountState {
  const state = programOwned(context, account);
  if (state === undefined) throw new InstructionFailure('InvalidAccountOwner');
  return state;
}

export function requireSystemProgram(account: AccountMeta): void {
  if (account.address !== SYSTEM_PROGRAM) refuse('NotSystemProgram');
}

/** 103 for an authority that is closed or was never made; 111 and 117 for another account of the program. */
export function requireAuthority(context: InvokeContext, account: AccountMeta): SubscriptionAuthority {
  const state = programOwned(context, account);
  if (state === undefined) refuse('InvalidSubscriptionAuthorityPda');
  return loadAuthority(state.data);
}

export function requireTokenProgram(account: AccountMeta): void {
  if (account.address !== TOKEN_PROGRAM && account.address !== TOKEN_2022_PROGRAM) {
    refuse('InvalidTokenProgram');
  }
}

/** The data of an initialised mint of `tokenProgram`: 109 or 106 by its shape, 105 when it belongs to the other program. */
export function requireMint(
  context: InvokeContext,
  account: AccountMeta,
  tokenProgram: AccountMeta,
): Uint8Array {
  const { data, owner } = context.read(account.address);
  if (owner === TOKEN_2022_PROGRAM) {
    if (data.length < MINT_SIZE || !isInitialized(data)) refuse('InvalidToken2022MintAccountData');
    if (data.length !== MINT_SIZE && data[TOKEN_ACCOUNT_SIZE] !== TOKEN_2022_KIND.mint) {
      refuse('InvalidToken2022MintAccountData');
    }
  } else if (owner !== TOKEN_PROGRAM || data.length !== MINT_SIZE || !isInitialized(data)) {
    refuse('InvalidTokenSplMintAccountData');
  }
  if (owner !== tokenProgram.address) refuse('InvalidTokenProgram');
  return data;
}

function isInitialized(mint: Uint8Array): boolean {
  return mintLayout.decode(mint).initialized === 1;
}

/** The data of a token account of `tokenProgram`: 110 or 107 by its shape, 105 when it belongs to the other program. */
export function requireTokenAccount(
  context: InvokeContext,
  account: AccountMeta,
  tokenProgram: AccountMeta,
): Uint8Array {
  const { data, owner } = context.read(account.address);
  if (owner === TOKEN_2022_PROGRAM) {
    if (data.length !== TOKEN_ACCOUNT_SIZE && data[TOKEN_ACCOUNT_SIZE] !== TOKEN_2022_KIND.tokenAccount) {
      refuse('InvalidToken2022TokenAccountData');
    }
  } else if (owner !== TOKEN_PROGRAM || data.length !== TOKEN_ACCOUNT_SIZE) {
    refuse('InvalidTokenSplTokenAccountData');
  }
  if (owner !== tokenProgram.address) refuse('InvalidTokenProgram');
  return data;
}

/** The wallet's canonical token account for this mint, else 108. */
export function requireCanonicalTokenAccount(
  account: AccountMeta,
  wallet: Address,
  mint: Address,
  tokenProgram: AccountMeta,
): void {
  if (account.address !== findTokenAccount(wallet, tokenProgram.address, mint).address) {
    refuse('InvalidAssociatedTokenAccountDerivedAddress');
  }
}

/** Who pays rent: the account behind the named ones when there is one (100, 131), else the primary signer. */
export function payerOr(primary: AccountMeta, sponsor: AccountMeta | undefined): AccountMeta {
  if (sponsor === undefined) return primary;
  requireSigner(sponsor);
  requireWritable(sponsor);
  return sponsor;
}
