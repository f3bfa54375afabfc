import type { Address } from '@solana/kit';
import type { InvokeContext } from '../../runtime/program.js';
import { minimumBalance } from '../../runtime/rent.js';
import { AUTHORITY_DISCRIMINATOR, loadAuthority } from '../accounts/authority.js';
import { PLAN_DISCRIMINATOR, loadPlan } from '../accounts/plan.js';
import {
  FIXED_DELEGATION_DISCRIMINATOR,
  RECURRING_DELEGATION_DISCRIMINATOR,
  SUBSCRIPTION_DISCRIMINATOR,
  loadPossiblyLongerSubscription,
} from '../accounts/subscription.js';
import { exactly, requireProgramOwned, requireWritable } from '../checks.js';
import { refuse } from '../errors.js';
import { notImplemented } from '../not-implemented.js';

/**
 * Pays what an account holds above today's rent to whoever gets its rent when it is closed. Anyone may send it
 * (program#reclaim-excess-rent).
 */
export function reclaimExcessRent(context: InvokeContext): void {
  const [account, receiver] = exactly(2, context.accounts);
  requireWritable(account);
  requireWritable(receiver);
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
    case AUTHORITY_DISCRIMINATOR:
      return loadAuthority(data).payer;
    case PLAN_DISCRIMINATOR:
      return loadPlan(data).owner;
    case SUBSCRIPTION_DISCRIMINATOR:
      return loadPossiblyLongerSubscription(data).header.payer;
    case FIXED_DELEGATION_DISCRIMINATOR:
    case RECURRING_DELEGATION_DISCRIMINATOR:
      return notImplemented(context, 'reclaim_excess_rent of a fixed or recurring delegation');
    default:
      return refuse('InvalidAccountDiscriminator');
  }
}
