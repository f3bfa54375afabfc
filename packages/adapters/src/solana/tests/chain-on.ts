import { type KeyPairSigner, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import type { Chain, Clock } from '@subrail/core/ports';
import { type SolanaChainOptions, createSolanaChain } from '../index.js';
import { FakeRpcError, fakeTransport } from './fake-rpc.js';

/** What each method of the fake node answers. One without an answer is not known to the node. */
export type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** The signer whose secret is one byte repeated 32 times. */
export const signerOf = (byte: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));

export const charger = await signerOf(3);

/** The genesis hash of fake nodes that are given no other. */
export const GENESIS = '11111111111111111111111111111111';

const LONGEST_PAUSE_MS = 1_000;

/** A clock on which nobody ever waits: a pause is over at once, and a deadline never comes. */
export function untimed(now: () => Date): Clock {
  return {
    now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= LONGEST_PAUSE_MS) resolve();
        else signal?.addEventListener('abort', () => resolve());
      }),
  };
}

const clock = untimed(() => new Date('2026-01-01T00:00:00.000Z'));

/** The Solana chain over one fake node. */
export function chainOn(
  methods: Methods,
  options: Partial<SolanaChainOptions> = {},
): { readonly chain: Chain; readonly asked: string[] } {
  // What cluster it is of, every node is asked; what else it is asked is what tests are about.
  const asked: string[] = [];
  const { transport } = fakeTransport(({ method, params }) => {
    if (method === 'getGenesisHash' && !(method in methods)) return GENESIS;
    asked.push(method);
    const answer = methods[method];
    if (answer === undefined) throw new FakeRpcError(-32601);
    return answer(params);
  });
  const chain = createSolanaChain({ rpc: transport, charger, network: 'devnet', clock, ...options });
  return { chain, asked };
}
