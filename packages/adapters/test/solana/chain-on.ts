import { type KeyPairSigner, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import type { Chain, Clock } from '@subrail/core';
import { type SolanaChainOptions, createSolanaChain } from '../../src/solana/index.js';
import { FakeRpcError, fakeTransport } from './fake-rpc.js';

/** What each method of the fake node answers. One without an answer is not known to the node. */
export type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** The signer whose secret is one byte repeated 32 times. */
export const signerOf = (byte: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));

export const charger = await signerOf(3);

/** A clock on which nobody ever waits: a pause is over at once, and no deadline passes. */
const untimed: Clock = {
  now: () => new Date('2026-01-01T00:00:00.000Z'),
  sleep: (ms, signal) =>
    ms > LONGEST_PAUSE
      ? new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
      : Promise.resolve(),
};
const LONGEST_PAUSE = 1_000;

/** The Solana chain over one fake node. */
export function chainOn(
  methods: Methods,
  options: Partial<SolanaChainOptions> = {},
): { readonly chain: Chain; readonly asked: string[] } {
  const { transport, asked } = fakeTransport(({ method, params }) => {
    const answer = methods[method];
    if (answer === undefined) throw new FakeRpcError(-32601);
    return answer(params);
  });
  const chain = createSolanaChain({ rpc: transport, charger, network: 'devnet', clock: untimed, ...options });
  return { chain, asked };
}
