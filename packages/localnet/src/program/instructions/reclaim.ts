import type { Address } from '@solana/kit';
import type { InvokeContext } from '../../runtime/program.js';
import { minimumBalance } from '../../runtime/rent.js';
import { KIND, loadAuthority, loadPlan, loadPossiblyLongerSubscription } from '../accounts.js';
import { exactly, requireProgramOwned, requireWritable } from '../checks.js';
import { notImplemented, refuse } from '../errors.js';

/**
 * Pays lamports above today's rent to the receiver of an account's rent, sent by anyone
 * (program#reclaim-excess-rent).
 */
export function reclaimExcessRent(context: InvokeContext): void {
  const [account, receiver] = exactly(2, context.accounts);
  requireWritable(account, receiver);
  const state = requireProgramOwned(context, account);
  if (rentOwner(context, state.data) !== receiver.address) refuse('Unauthorized');
  const rent = minimumBalance(state.data.length, context.lamportsPerByte);
  if (state.lamports <= rent) refuse('NoExcessLamports');
  const receiving = context.read(receiver.address);
  context.write(account.address, { ...state, lamports: rent });
  context.write(receiver.address, { ...receiving, lamports: receiving.lamports + state.lamports - rent });
}

function rentOwner(context: InvokeContext, data: Uint8Array): Address {
  switch (data[0]) {
    case undefined:
      return refuse('InvalidAccountData');
    case KIND.authority:
      return loadAuthority(data).payer;
    case KIND.plan:
      return loadPlan(data).owner;
    case KIND.subscription:
      return loadPossiblyLongerSubscription(data).header.payer;
    case KIND.fixed:
    case KIND.recurring:
      return notImplemented(context, 'reclaim_excess_rent of a fixed or recurring delegation');
    default:
      return refuse('InvalidAccountDiscriminator');
  }
}
