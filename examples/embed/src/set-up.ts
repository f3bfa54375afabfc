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
  const shop = billing.project(project.id);
  const { key } = await shop.keys.create();
  await shop.plans.create({
    slug: 'pro',
    name: 'Pro',
    owner: owner.address,
    mint,
    amount: '5000000',
    period_hours: 720,
  });
  // The plan's owner signs and sends the transaction that publishes it; then the service looks it up.
  const { transaction } = await shop.plans.publish('pro');
  const built = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signed = await partiallySignTransaction([owner.keyPair], built);
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
  await shop.plans.confirmPublish('pro');
  const { secret } = await shop.endpoints.create({
    url: webhookUrl,
    types: EventType.options,
  });
  return { key, secret };
}
