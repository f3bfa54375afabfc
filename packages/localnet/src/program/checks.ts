import type { Address } from '@solana/kit';
import {
  type AccountMeta,
  type AccountState,
  InstructionFailure,
  type InvokeContext,
} from '../runtime/program.js';
import { type SubscriptionAuthority, loadAuthority } from './accounts.js';
import { TOKEN_2022_KIND, mintLayout, tokenAccountLayout } from '../runtime/token-layout.js';
import {
  SUBSCRIPTIONS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../runtime/addresses.js';
import { findTokenAccount } from './pdas.js';
import { refuse } from './errors.js';
import type { ValueOf } from '../runtime/layout.js';

// The checks of program#shared-account-checks, each with its error.

type Tuple<N extends number, T extends readonly AccountMeta[] = []> = T['length'] extends N
  ? T
  : Tuple<N, readonly [...T, AccountMeta]>;

/** Exactly `count` accounts; another number is 113. */
export function exactly<N extends number>(count: N, accounts: readonly AccountMeta[]): Tuple<N> {
  if (accounts.length !== count) refuse('NotEnoughAccountKeys');
  return accounts as Tuple<N>;
}

/** The first `count` accounts; fewer are 113. Further accounts are up to the instruction. */
export function atLeast<N extends number>(count: N, accounts: readonly AccountMeta[]): Tuple<N> {
  if (accounts.length < count) refuse('NotEnoughAccountKeys');
  return accounts.slice(0, count) as unknown as Tuple<N>;
}

/** The accounts must have signed, else 100. */
export function requireSigner(...accounts: readonly AccountMeta[]): void {
  if (accounts.some(({ isSigner }) => !isSigner)) refuse('NotSigner');
}

/** The accounts must be writable, else 131. */
export function requireWritable(...accounts: readonly AccountMeta[]): void {
  if (accounts.some(({ isWritable }) => !isWritable)) refuse('AccountNotWritable');
}

/** The account if the program owns it; undefined when it is closed, missing or another's. */
export function programOwned(context: InvokeContext, account: AccountMeta): AccountState | undefined {
  const state = context.read(account.address);
  return state.owner === SUBSCRIPTIONS_PROGRAM ? state : undefined;
}

/** The account must be the program's, else the built-in `InvalidAccountOwner`. */
export function requireProgramOwned(context: InvokeContext, account: AccountMeta): AccountState {
  const state = programOwned(context, account);
  if (state === undefined) throw new InstructionFailure('InvalidAccountOwner');
  return state;
}

/** The account must be the system program, else 104. */
export function requireSystemProgram(account: AccountMeta): void {
  if (account.address !== SYSTEM_PROGRAM) refuse('NotSystemProgram');
}

/** Loads an authority: 103 when another program owns it, 111 and 117 for another account of the program. */
export function requireAuthority(context: InvokeContext, account: AccountMeta): SubscriptionAuthority {
  const state = programOwned(context, account);
  if (state === undefined) refuse('InvalidSubscriptionAuthorityPda');
  return loadAuthority(state.data);
}

/** The account must be one of the token programs, else 105. */
export function requireTokenProgram(account: AccountMeta): void {
  if (account.address !== TOKEN_PROGRAM && account.address !== TOKEN_2022_PROGRAM) {
    refuse('InvalidTokenProgram');
  }
}

/** The data of an initialised mint of `tokenProgram`: 109 or 106 for its shape, 105 for the other program. */
export function requireMint(
  context: InvokeContext,
  account: AccountMeta,
  tokenProgram: AccountMeta,
): Uint8Array {
  const { data, owner } = context.read(account.address);
  if (owner === TOKEN_2022_PROGRAM) {
    const isMint = data.length === mintLayout.size || data[tokenAccountLayout.size] === TOKEN_2022_KIND.mint;
    if (!isMint || !isInitialized(data)) refuse('InvalidToken2022MintAccountData');
  } else if (owner !== TOKEN_PROGRAM || data.length !== mintLayout.size || !isInitialized(data)) {
    refuse('InvalidTokenSplMintAccountData');
  }
  if (owner !== tokenProgram.address) refuse('InvalidTokenProgram');
  return data;
}

function isInitialized(mint: Uint8Array): boolean {
  return mintLayout.decode(mint).initialized === 1;
}

/** A token account as the program reads it: its address, its fields and its data. */
export interface LoadedTokenAccount extends ValueOf<typeof tokenAccountLayout> {
  readonly address: Address;
  readonly data: Uint8Array;
}

/** A token account of `tokenProgram`: 110 or 107 for its shape, 105 when the other token program owns it. */
export function requireTokenAccount(
  context: InvokeContext,
  { address }: AccountMeta,
  tokenProgram: AccountMeta,
): LoadedTokenAccount {
  const { data, owner } = context.read(address);
  if (owner === TOKEN_2022_PROGRAM) {
    if (
      data.length !== tokenAccountLayout.size &&
      data[tokenAccountLayout.size] !== TOKEN_2022_KIND.tokenAccount
    ) {
      refuse('InvalidToken2022TokenAccountData');
    }
  } else if (owner !== TOKEN_PROGRAM || data.length !== tokenAccountLayout.size) {
    refuse('InvalidTokenSplTokenAccountData');
  }
  if (owner !== tokenProgram.address) refuse('InvalidTokenProgram');
  return { ...tokenAccountLayout.decode(data), address, data };
}

/** The token account must be the wallet's (130), of the mint (125), and associated with both (108). */
export function requireAssociated(
  account: LoadedTokenAccount,
  wallet: Address,
  mint: Address,
  tokenProgram: AccountMeta,
): void {
  if (account.owner !== wallet) refuse('Unauthorized');
  if (account.mint !== mint) refuse('MintMismatch');
  if (account.address !== findTokenAccount(wallet, tokenProgram.address, mint).address) {
    refuse('InvalidAssociatedTokenAccountDerivedAddress');
  }
}

/** The payer of the rent: the optional account after the named ones (100, 131), else the primary signer. */
export function rentPayer(primary: AccountMeta, sponsor: AccountMeta | undefined): AccountMeta {
  if (sponsor === undefined) return primary;
  requireSigner(sponsor);
  requireWritable(sponsor);
  return sponsor;
}

/**
 * The receiver of an account's rent: its payer. When another key closes the account, the payer is passed as
 * `receiver`: 113 when missing, 131 when read-only, 130 when another (program#revoke-delegation).
 */
export function rentReceiver(
  closing: AccountMeta,
  payer: Address,
  receiver: AccountMeta | undefined,
): AccountMeta {
  if (closing.address === payer) return closing;
  if (receiver === undefined) refuse('NotEnoughAccountKeys');
  requireWritable(receiver);
  if (receiver.address !== payer) refuse('Unauthorized');
  return receiver;
}
