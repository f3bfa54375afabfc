import type { AccountMeta, AccountState, InvokeContext } from '../../runtime/program.js';
import { loadAuthority } from '../accounts/authority.js';
import { findAuthority } from '../pdas.js';
import { atLeast, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { closeProgramAccount } from '../close-account.js';
import { refuse } from '../errors.js';
import { rentReceiver } from '../rent-receiver.js';

/** Closes the wallet's authority. The token account keeps it as its delegate (program#close-subscription-authority). */
export function closeSubscriptionAuthority(context: InvokeContext): void {
  const [user, authority] = atLeast(2, context.accounts);
  requireSigner(user);
  requireWritable(user);
  requireWritable(authority);
  const state = requireProgramOwned(context, authority);
  closeAuthority(context, user, authority, state, context.accounts[2]);
}

/** Closes an authority that the program is known to own. */
export function closeAuthority(
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
