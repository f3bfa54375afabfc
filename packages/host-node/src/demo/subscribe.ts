import type { KeyPairSigner } from '@solana/kit';
import * as z from 'zod';
import { signTransaction, signMessage } from '@subrail/localnet';
import type { Api } from './api.js';

const created = z.object({
  subscription: z.object({ id: z.string() }),
  terms: z.object({ message: z.string() }),
});
const rebuilt = z.object({ transaction: z.string(), terms: z.object({ message: z.string() }) });
const submitted = z.object({
  subscription: z.object({ id: z.string(), status: z.string() }),
  reason: z.string().optional(),
});

/**
 * Subscribes a wallet to a plan: creates a checkout, signs the terms, gets a fresh transaction, signs and submits it.
 * @param showTerms is called with the terms before they are signed
 * @returns the subscription's id and status
 */
export async function subscribe(
  api: Api,
  plan: string,
  wallet: KeyPairSigner,
  showTerms: (terms: string) => void = () => undefined,
): Promise<{ readonly id: string; readonly status: string }> {
  const { subscription, terms } = created.parse(
    await api.post('/subscriptions', { plan, wallet: wallet.address, external_id: 'customer-1' }),
  );
  showTerms(terms.message);
  const terms_signature = await signMessage(wallet, terms.message);
  // The transaction is valid for half a minute, so it is requested when the wallet is ready to sign.
  const fresh = rebuilt.parse(await api.post(`/subscriptions/${subscription.id}/transaction`));
  if (fresh.terms.message !== terms.message)
    throw new Error('The terms changed between create and transaction.');
  const transaction = await signTransaction(wallet, fresh.transaction);
  const answer = submitted.parse(
    await api.post(`/subscriptions/${subscription.id}/submit`, { transaction, terms_signature }),
  );
  if (answer.reason !== undefined) throw new Error(`The first payment was not settled: ${answer.reason}`);
  return answer.subscription;
}
