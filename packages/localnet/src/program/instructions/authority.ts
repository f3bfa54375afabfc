import {
  type AccountMeta,
  type AccountState,
  InstructionFailure,
  type InvokeContext,
} from '../../runtime/program.js';
import { readExtensions } from '../../runtime/token-layout.js';
import { KIND, authorityLayout, loadAuthority } from '../accounts.js';
import {
  atLeast,
  programOwned,
  rentPayer,
  rentReceiver,
  requireAssociated,
  requireMint,
  requireProgramOwned,
  requireSigner,
  requireSystemProgram,
  requireTokenAccount,
  requireTokenProgram,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { findAuthority } from '../pdas.js';
import { closeProgramAccount, createProgramAccount } from '../program-accounts.js';
import { approve, revoke } from '../token-calls.js';

const CPI_GUARD_EXTENSION = 11;
const UNLIMITED_ALLOWANCE = 2n ** 64n - 1n;

// Token-2022's own error for an approval that a CPI guard blocks (program#token-and-system-error-codes).
const CPI_GUARD_BLOCKS_APPROVAL = { Custom: 45 };

/**
 * Creates the wallet's authority for a mint unless it exists, and approves it on the wallet's token account
 * (program#init-subscription-authority). An existing one keeps its payer and generation.
 */
export function initSubscriptionAuthority(context: InvokeContext): void {
  const [user, authority, mint, tokenAccount, system, tokenProgram] = atLeast(6, context.accounts);
  requireSigner(user);
  requireWritable(user, authority, tokenAccount);
  requireMint(context, mint, tokenProgram);
  const tokens = requireTokenAccount(context, tokenAccount, tokenProgram);
  requireTokenProgram(tokenProgram);
  requireSystemProgram(system);
  const payer = rentPayer(user, context.accounts[6]);

  const derived = findAuthority(user.address, mint.address);
  if (derived.address !== authority.address) refuse('InvalidSubscriptionAuthorityPda');
  if (context.read(authority.address).data.length === 0) {
    createProgramAccount(
      context,
      authority.address,
      payer.address,
      authorityLayout.encode({
        discriminator: KIND.authority,
        user: user.address,
        mint: mint.address,
        payer: payer.address,
        bump: derived.bump,
        initId: context.clock.slot,
      }),
    );
  }

  requireAssociated(tokens, user.address, mint.address, tokenProgram);
  // Token-2022 goes by its call depth, but the ledger runs native programs at the top level. Token-2022
  // itself refuses a frozen account, which it checks first.
  if (isGuardedAgainstCpi(tokens.data) && tokens.state !== 'frozen')
    throw new InstructionFailure(CPI_GUARD_BLOCKS_APPROVAL);
  context.invoke(
    approve(tokenProgram.address, tokenAccount.address, authority.address, user.address, UNLIMITED_ALLOWANCE),
    [],
  );
}

/** Whether the account's CPI guard is on: Token-2022 then refuses approvals that another program invokes. */
function isGuardedAgainstCpi(tokenAccount: Uint8Array): boolean {
  const guard = readExtensions(tokenAccount).entries.find(([type]) => type === CPI_GUARD_EXTENSION);
  return guard?.[1][0] === 1;
}

/** Closes the authority, which stays the token account's delegate (program#close-subscription-authority). */
export function closeSubscriptionAuthority(context: InvokeContext): void {
  const [user, authority] = atLeast(2, context.accounts);
  requireSigner(user);
  requireWritable(user, authority);
  const state = requireProgramOwned(context, authority);
  closeAuthority(context, user, authority, state, context.accounts[2]);
}

/**
 * Revokes the authority's approval, but no other delegate's, and closes an open authority
 * (program#revoke-subscription-authority).
 */
export function revokeSubscriptionAuthority(context: InvokeContext): void {
  const [user, tokenAccount, mint, tokenProgram, authority] = atLeast(5, context.accounts);
  requireSigner(user);
  requireWritable(user, tokenAccount);
  requireTokenProgram(tokenProgram);
  requireMint(context, mint, tokenProgram);
  const tokens = requireTokenAccount(context, tokenAccount, tokenProgram);
  requireWritable(authority);

  requireAssociated(tokens, user.address, mint.address, tokenProgram);
  const expected = findAuthority(user.address, mint.address).address;
  if (tokens.delegate === expected) {
    context.invoke(revoke(tokenProgram.address, tokenAccount.address, user.address), []);
  }
  if (authority.address !== expected) refuse('InvalidSubscriptionAuthorityPda');
  const state = programOwned(context, authority);
  if (state !== undefined && state.data.length > 0) {
    closeAuthority(context, user, authority, state, context.accounts[5]);
  }
}

/** Closes an authority that the program is known to own. */
function closeAuthority(
  context: InvokeContext,
  user: AccountMeta,
  account: AccountMeta,
  state: AccountState,
  receiver: AccountMeta | undefined,
): void {
  const authority = loadAuthority(state.data);
  if (authority.user !== user.address) refuse('Unauthorized');
  if (findAuthority(authority.user, authority.mint).address !== account.address) {
    refuse('InvalidSubscriptionAuthorityPda');
  }
  closeProgramAccount(context, account.address, rentReceiver(user, authority.payer, receiver).address);
}
