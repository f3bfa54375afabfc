import { address, type KeyPairSigner } from '@solana/kit';
import type { ProjectId } from '@subrail/core/ports';

import { interfere as interfereOn, type Interference } from '@subrail/test-world';
import type { World } from '@subrail/test-world';

export type { Interference } from '@subrail/test-world';

/** What the other parties of a wallet's subscription to a plan of the world can do on chain. */
export async function interfere(world: World, wallet: KeyPairSigner, slug = 'pro'): Promise<Interference> {
  const plan = await world.store.findPlanBySlug(world.projectId as ProjectId, slug);
  if (plan?.createdOnChainAt == null) throw new Error('the plan is published');
  const { rpc, token, owner, chain, charger, inANewSlot } = world;
  return interfereOn({
    ...{ rpc, token, owner, wallet, inANewSlot },
    plan: {
      address: address(plan.address),
      planId: plan.number,
      amount: plan.amount,
      periodHours: plan.periodHours,
      createdAt: BigInt(plan.createdOnChainAt.getTime()) / 1000n,
      charger: charger.address,
    },
    put: async (account, parts) => chain.setAccount(account, parts),
  });
}
