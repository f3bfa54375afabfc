import type { KeyPairSigner } from '@solana/kit';
import { sendTransaction, signTransaction } from '@subrail/localnet';

import { signatureOf } from './checkouts.js';
import type { ApiAnswer } from './http-calls.js';
import type { TestWorld } from './test-world.js';

export type Action = 'cancel' | 'resume' | 'close';

/** What a wallet does with its own subscription through the service, step by step. */
export function actionsOf(world: TestWorld, wallet: KeyPairSigner, id: string) {
  const build = (action: Action): Promise<ApiAnswer> => world.call('POST', `/subscriptions/${id}/${action}`);
  const confirm = (action: Action, signature: string): Promise<ApiAnswer> =>
    world.call('POST', `/subscriptions/${id}/${action}/confirm`, { signature });

  /** Builds an action and signs it as the wallet; returns the transaction and its signature. */
  async function signed(action: Action) {
    world.advance(1000);
    const { status, body } = await build(action);
    if (status !== 201) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
    const wire = await signTransaction(wallet, String(body['transaction']));
    return { wire, signature: signatureOf(wire) };
  }

  /** Builds an action, signs and sends it; returns the signature to confirm it with. */
  async function sent(action: Action): Promise<string> {
    const { wire, signature } = await signed(action);
    await sendTransaction(world.rpc, wire);
    return signature;
  }

  /** The whole of an action: build, sign, send, confirm. */
  const act = async (action: Action): Promise<ApiAnswer> => confirm(action, await sent(action));

  return { build, confirm, signed, sent, act };
}
