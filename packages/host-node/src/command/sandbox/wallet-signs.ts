import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Blockhash,
  type KeyPairSigner,
} from '@solana/kit';
import type { ProjectBilling } from '@subrail/core';
import type { SubscriptionWire } from '@subrail/core/schemas';
import { sendTransaction, signMessage, signTransaction } from '@subrail/localnet';
import { CommandFailed } from '../errors.js';
import type { SandboxRpc } from './sandbox.js';

export interface Checkout {
  readonly plan: string;
  readonly external_id?: string;
}

/**
 * Subscribes a wallet, as its owner and a shop would: creates the checkout, signs the terms and a fresh
 * transaction, and submits both.
 */
export async function subscribeWallet(
  shop: ProjectBilling,
  rpc: SandboxRpc,
  wallet: KeyPairSigner,
  checkout: Checkout,
): Promise<SubscriptionWire> {
  const { subscriptions } = shop;
  const { subscription, terms } = await subscriptions.create({ ...checkout, wallet: wallet.address });
  const terms_signature = await signMessage(wallet, terms.message);
  // The transaction is valid for a short time, so it is built when the wallet is ready to sign.
  const { transaction } = await subscriptions.transaction(subscription.id);
  await requireLocal(rpc, transaction);
  const confirmed = await subscriptions.submit(subscription.id, {
    transaction: await signTransaction(wallet, transaction),
    terms_signature,
  });
  return settled(confirmed);
}

/** Cancels a subscription as its wallet, or resumes it. */
export async function cancelAsWallet(
  shop: ProjectBilling,
  rpc: SandboxRpc,
  wallet: KeyPairSigner,
  { id, undo }: { readonly id: string; readonly undo: boolean },
): Promise<SubscriptionWire> {
  const { subscriptions } = shop;
  const { transaction } = await (undo ? subscriptions.resume(id) : subscriptions.cancel(id));
  await requireLocal(rpc, transaction);
  const signature = await sendTransaction(rpc, await signTransaction(wallet, transaction));
  return settled(
    await (undo
      ? subscriptions.confirmResume(id, { signature })
      : subscriptions.confirmCancel(id, { signature })),
  );
}

/** Refuses a transaction for another chain: a host at an address may charge on any. */
async function requireLocal(rpc: SandboxRpc, transaction: string): Promise<void> {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { value } = await rpc
    .isBlockhashValid(lifetimeToken as Blockhash, { commitment: 'processed' })
    .send();
  if (value) return;
  throw new CommandFailed(
    'The transaction of the service is not for this local chain, so nothing was signed. This command plays with the local chain only.',
  );
}

function settled({
  subscription,
  reason,
}: {
  readonly subscription: SubscriptionWire;
  readonly reason?: string | undefined;
}): SubscriptionWire {
  if (reason === undefined) return subscription;
  throw new CommandFailed(`The transaction of ${subscription.id} was not settled: ${reason}.`);
}
