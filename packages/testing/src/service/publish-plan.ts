import type { KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit';
import type { Billing } from '@subrail/core';
import type { PlanInput, PlanWire } from '@subrail/core/schemas';
import { sendTransaction, signTransaction } from '@subrail/localnet';

/** Creates a plan and publishes it on chain, as its owner does. Returns the active plan. */
export async function publishPlan(
  { billing, rpc }: { readonly billing: Billing; readonly rpc: Rpc<SolanaRpcApi> },
  projectId: string,
  owner: KeyPairSigner,
  input: PlanInput & { readonly slug: string },
): Promise<PlanWire> {
  const { plans } = billing.project(projectId);
  await plans.create(input);
  const { transaction } = await plans.publish(input.slug);
  await sendTransaction(rpc, await signTransaction(owner, transaction));
  return plans.confirmPublish(input.slug);
}
