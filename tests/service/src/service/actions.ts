import type { KeyPairSigner } from '@solana/kit';

import { sendTransaction, signTransaction } from '@subrail/host-node/local';
import { signatureOf } from './at-once.js';
import type { World } from '@subrail/test-world';

export type Action = 'cancel' | 'resume' | 'close';

type Answer = Awaited<ReturnType<World['call']>>;

/** The actions of a wallet on a subscription of its own, as its page takes them. */
export function actionsOf(world: World, wallet: KeyPairSigner, id: string) {
  const build = (action: Action): Promise<Answer> => world.call('POST', `/subscriptions/${id}/${action}`);
  const confirm = (action: Action, signature: string): Promise<Answer> =>
    world.call('POST', `/subscriptions/${id}/${action}/confirm`, { signature });

  /** Builds an action and signs it as the wallet; answers the transaction and its signature. */
  async function signed(action: Action) {
    world.advance(1000);
    const { status, body } = await build(action);
    if (status !== 201) throw new Error(`${action}: ${JSON.stringify(body)}`);
    const wire = await signTransaction(wallet, String(body['transaction']));
    return { wire, signature: signatureOf(wire) };
  }

  /** Builds an action, signs and sends it; answers the signature to confirm it with. */
  async function sent(action: Action): Promise<string> {
    const { wire, signature } = await signed(action);
    await sendTransaction(world.rpc, wire);
    return signature;
  }

  /** The whole of an action: build, sign, send, confirm. */
  const act = async (action: Action): Promise<Answer> => confirm(action, await sent(action));

  return { build, confirm, signed, sent, act };
}
