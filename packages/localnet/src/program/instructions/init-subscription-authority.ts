import { InstructionFailure, type InvokeContext } from '../../runtime/program.js';
import { AUTHORITY_DISCRIMINATOR, authorityLayout } from '../accounts/authority.js';
import { isFrozen, isGuardedAgainstCpi, tokenAccountLayout } from '../accounts/token.js';
import { findAuthority } from '../pdas.js';
import {
  atLeast,
  rentPayer,
  requireCanonicalTokenAccount,
  requireMint,
  requireSigner,
  requireSystemProgram,
  requireTokenAccount,
  requireTokenProgram,
  requireWritable,
} from '../checks.js';
import { createProgramAccount } from '../create-account.js';
import { refuse } from '../errors.js';
import { approve } from '../token-calls.js';

const UNLIMITED_ALLOWANCE = 2n ** 64n - 1n;

// Token-2022's own error for an approval that a CPI guard blocks (program#token-and-system-error-codes).
const CPI_GUARD_BLOCKS_APPROVAL = { Custom: 45 };

/**
 * Creates the wallet's authority for a mint unless it exists, and approves it on the wallet's token account
 * (program#init-subscription-authority). For an existing authority it only renews the approval: payer and generation
 * stay.
 */
export function initSubscriptionAuthority(context: InvokeContext): void {
  const [user, authority, mint, tokenAccount, system, tokenProgram] = atLeast(6, context.accounts);
  requireSigner(user);
  requireWritable(user);
  requireWritable(authority);
  requireWritable(tokenAccount);
  requireMint(context, mint, tokenProgram);
  const tokenAccountData = requireTokenAccount(context, tokenAccount, tokenProgram);
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
        discriminator: AUTHORITY_DISCRIMINATOR,
        user: user.address,
        mint: mint.address,
        payer: payer.address,
        bump: derived.bump,
        initId: context.clock.slot,
      }),
    );
  }

  const tokenFields = tokenAccountLayout.decode(tokenAccountData);
  if (tokenFields.owner !== user.address) refuse('Unauthorized');
  if (tokenFields.mint !== mint.address) refuse('MintMismatch');
  requireCanonicalTokenAccount(tokenAccount, user.address, mint.address, tokenProgram);
  requireNoCpiGuard(tokenAccountData);
  context.invoke(
    approve(tokenProgram.address, tokenAccount.address, authority.address, user.address, UNLIMITED_ALLOWANCE),
    [],
  );
}

/**
 * Refuses an approval that the CPI guard blocks. Token-2022 decides this by its call depth, but the ledger runs an
 * invoked native program at the top level. A frozen account is left to Token-2022, which checks that first.
 */
function requireNoCpiGuard(tokenAccount: Uint8Array): void {
  if (isGuardedAgainstCpi(tokenAccount) && !isFrozen(tokenAccount)) {
    throw new InstructionFailure(CPI_GUARD_BLOCKS_APPROVAL);
  }
}
