import type { KeyPairSigner } from '@solana/kit';
import type { Billing, PlanInput } from '@subrail/core';
import { sendTransaction, signTransaction, type DevelopmentRpc } from '@subrail/host-node/local';

/** Creates a plan and publishes it on chain, as its owner does: create, sign, send, confirm. */
export async function publishPlan(
  { billing, rpc }: { readonly billing: Billing; readonly rpc: DevelopmentRpc },
  projectId: string,
  owner: KeyPairSigner,
  input: PlanInput & { readonly slug: string },
): Promise<void> {
  await billing.project(projectId).plans.create(input);
  const { transaction } = await billing.project(projectId).plans.publish(input.slug);
  await sendTransaction(rpc, await signTransaction(owner, transaction));
  await billing.project(projectId).plans.confirmPublish(input.slug);
}
