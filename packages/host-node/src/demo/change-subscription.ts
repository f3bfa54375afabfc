import type { KeyPairSigner } from '@solana/kit';
import { sendSigned } from '@subrail/adapters/solana';
import type { Client } from '@subrail/core/client';
import type { DevelopmentRpc } from '../local/demo-project.js';

/** The function that confirms each action. */
const CONFIRM = { cancel: 'confirmCancel', resume: 'confirmResume', close: 'confirmClose' } as const;

/** Cancels, resumes or closes a subscription as its wallet: build, sign, send, confirm. */
export async function changeSubscription(
  { client, rpc }: { readonly client: Client; readonly rpc: DevelopmentRpc },
  wallet: KeyPairSigner,
  id: string,
  action: 'cancel' | 'resume' | 'close',
): Promise<void> {
  const { transaction } = await client.subscriptions[action](id);
  const signature = await sendSigned({ rpc, signer: wallet, transaction });
  const answer = await client.subscriptions[CONFIRM[action]](id, { signature });
  if ('reason' in answer) throw new Error(`The ${action} was not settled: ${answer.reason}`);
}
