import type { KeyPairSigner } from '@solana/kit';
import type { Client } from '@subrail/core/client';
import { signTransaction, signMessage } from '@subrail/localnet';

/**
 * Subscribes a wallet to a plan: creates a checkout, signs the terms, gets a fresh transaction, signs and
 * submits it.
 * @param showTerms is called with the terms before they are signed
 * @returns the subscription's id and status
 */
export async function subscribe(
  { subscriptions }: Client,
  plan: string,
  wallet: KeyPairSigner,
  showTerms: (terms: string) => void = () => undefined,
): Promise<{ readonly id: string; readonly status: string }> {
  const { subscription, terms } = await subscriptions.create({
    plan,
    wallet: wallet.address,
    external_id: 'customer-1',
  });
  showTerms(terms.message);
  const terms_signature = await signMessage(wallet, terms.message);
  // The transaction is valid for half a minute, so it is requested when the wallet is ready to sign.
  const fresh = await subscriptions.transaction(subscription.id);
  if (fresh.terms.message !== terms.message)
    throw new Error('The terms changed between create and transaction.');
  const transaction = await signTransaction(wallet, fresh.transaction);
  const answer = await subscriptions.submit(subscription.id, { transaction, terms_signature });
  if ('reason' in answer) throw new Error(`The first payment was not settled: ${answer.reason}`);
  return answer.subscription;
}
