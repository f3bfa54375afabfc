import type { KeyPairSigner } from '@solana/kit';
import * as z from 'zod';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import type { DevelopmentRpc } from '../local/demo-project.js';
import type { Api } from './api.js';

const built = z.object({ transaction: z.string() });
const confirmed = z.object({ reason: z.string().optional() });

/** Cancels, resumes or closes a subscription: builds the transaction, signs and sends it as the wallet, and confirms it. */
export async function changeSubscription(
  { api, rpc }: { readonly api: Api; readonly rpc: DevelopmentRpc },
  wallet: KeyPairSigner,
  id: string,
  action: 'cancel' | 'resume' | 'close',
): Promise<void> {
  const { transaction } = built.parse(await api.post(`/subscriptions/${id}/${action}`));
  const signature = await sendTransaction(rpc, await signTransaction(wallet, transaction));
  const { reason } = confirmed.parse(await api.post(`/subscriptions/${id}/${action}/confirm`, { signature }));
  if (reason !== undefined) throw new Error(`The ${action} was not settled: ${reason}`);
}
