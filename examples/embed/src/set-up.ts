import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type Address,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type { Billing } from '@subrail/core';
import { EventType } from '@subrail/core/schemas';

/** Creates a project with an API key, a published plan and a webhook endpoint. */
export async function setUp(
  billing: Billing,
  rpc: Rpc<SolanaRpcApi>,
  owner: KeyPairSigner,
  mint: Address,
  webhookUrl: string,
) {
  const project = await billing.projects.create({ name: 'My shop' });
  const { key } = await billing.keys.create(project.id);
  await billing.plans.create(project.id, {
    slug: 'pro',
    name: 'Pro',
    owner: owner.address,
    mint,
    amount: '5000000',
    period_hours: 720,
  });
  // The plan's owner signs and sends the transaction that publishes it; then the service confirms it on chain.
  const { transaction } = await billing.plans.publish(project.id, 'pro');
  const built = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signed = await partiallySignTransaction([owner.keyPair], built);
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
  await billing.plans.confirmPublish(project.id, 'pro');
  const { secret } = await billing.endpoints.create(project.id, {
    url: webhookUrl,
    types: EventType.options,
  });
  return { key, secret };
}
