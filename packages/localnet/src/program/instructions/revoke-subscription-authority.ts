import type { InvokeContext } from '../../runtime/program.js';
import { tokenAccountLayout } from '../accounts/token.js';
import { findAuthority } from '../pdas.js';
import {
  atLeast,
  programOwned,
  requireCanonicalTokenAccount,
  requireMint,
  requireSigner,
  requireTokenAccount,
  requireTokenProgram,
  requireWritable,
} from '../checks.js';
import { refuse } from '../errors.js';
import { revoke } from '../token-calls.js';
import { closeAuthority } from './close-subscription-authority.js';

/**
 * Revokes the authority's approval, and closes the authority if it is open. The approval of another delegate stays
 * (program#revoke-subscription-authority).
 */
export function revokeSubscriptionAuthority(context: InvokeContext): void {
  const [user, tokenAccount, mint, tokenProgram, authority] = atLeast(5, context.accounts);
  requireSigner(user);
  requireWritable(user);
  requireWritable(tokenAccount);
  requireTokenProgram(tokenProgram);
  requireMint(context, mint, tokenProgram);
  const tokenFields = tokenAccountLayout.decode(requireTokenAccount(context, tokenAccount, tokenProgram));
  requireWritable(authority);

  if (tokenFields.owner !== user.address) refuse('Unauthorized');
  if (tokenFields.mint !== mint.address) refuse('MintMismatch');
  requireCanonicalTokenAccount(tokenAccount, user.address, mint.address, tokenProgram);
  const expected = findAuthority(user.address, mint.address).address;
  if (tokenFields.delegateTag !== 0 && tokenFields.delegate === expected) {
    context.invoke(revoke(tokenProgram.address, tokenAccount.address, user.address), []);
  }
  if (authority.address !== expected) refuse('InvalidSubscriptionAuthorityPda');
  const state = programOwned(context, authority);
  if (state !== undefined && state.data.length > 0) {
    closeAuthority(context, user, authority, state, context.accounts[5]);
  }
}
