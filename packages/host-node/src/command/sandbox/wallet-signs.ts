import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Blockhash,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type { Confirmation, SubscriptionWire } from '@subrail/core/schemas';
import type { Client } from '@subrail/core/client';
import { sendTransaction, signMessage, signTransaction } from '@subrail/localnet';
import { CommandFailed } from '../errors.js';

interface Checkout {
  readonly plan: string;
  readonly external_id?: string;
  readonly email?: string;
}

/** A client of a project, or the project in this process. */
type Shop = { readonly subscriptions: Omit<Client['subscriptions'], 'list' | 'attempts'> };

/**
 * Subscribes a wallet, as owner and shop would: creates the checkout, signs the terms and a fresh
 * transaction, and submits both.
 * @param check sees the terms and the transaction before they are signed
 */
export async function subscribeWallet(
  { subscriptions }: Shop,
  wallet: KeyPairSigner,
  checkout: Checkout,
  check: (terms: string, transaction: string) => unknown = () => undefined,
): Promise<SubscriptionWire> {
  const { subscription, terms } = await subscriptions.create({ ...checkout, wallet: wallet.address });
  // The transaction is valid for a short time, so it is built when the wallet is ready to sign.
  const { transaction } = await subscriptions.transaction(subscription.id);
  await check(terms.message, transaction);
  const confirmed = await subscriptions.submit(subscription.id, {
    transaction: await signTransaction(wallet, transaction),
    terms_signature: await signMessage(wallet, terms.message),
  });
  return settled(confirmed);
}

/** The function that confirms each action. */
const CONFIRM = { cancel: 'confirmCancel', resume: 'confirmResume', close: 'confirmClose' } as const;

/** Cancels, resumes or closes a subscription as its wallet: build, sign, send, confirm. */
export async function changeAsWallet(
  { subscriptions }: Shop,
  rpc: Rpc<SolanaRpcApi>,
  wallet: KeyPairSigner,
  { id, action }: { readonly id: string; readonly action: keyof typeof CONFIRM },
): Promise<SubscriptionWire> {
  const { wallet: payer } = await subscriptions.retrieve(id);
  if (payer !== wallet.address)
    throw new CommandFailed(
      `The wallet ${payer} pays for ${id}, and the key is that of ${wallet.address}. Name the key file of the wallet that pays with --wallet.`,
    );
  const { transaction } = await subscriptions[action](id);
  await requireLocal(rpc, transaction);
  const signature = await sendTransaction(rpc, await signTransaction(wallet, transaction));
  return settled(await subscriptions[CONFIRM[action]](id, { signature }));
}

/** Refuses a transaction for another chain: a host at an address may charge on any. */
export async function requireLocal(rpc: Rpc<SolanaRpcApi>, transaction: string): Promise<void> {
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

function settled(confirmation: Confirmation): SubscriptionWire {
  const { subscription } = confirmation;
  if (!('reason' in confirmation)) return subscription;
  throw new CommandFailed(`The transaction of ${subscription.id} was not settled: ${confirmation.reason}.`);
}
