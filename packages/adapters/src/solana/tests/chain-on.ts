import { type KeyPairSigner, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import type { Chain, Clock } from '@subrail/core/ports';
import { type SolanaChainOptions, createSolanaChain } from '../index.js';
import { FakeRpcError, fakeTransport } from './fake-rpc.js';

/** The results of a fake node by method. The node does not know any other method. */
export type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** The signer whose secret is one byte repeated 32 times. */
export const signerOf = (byte: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));

export const charger = await signerOf(3);

/** The genesis hash of a fake node whose methods do not include `getGenesisHash`. */
export const GENESIS = '11111111111111111111111111111111';

const LONGEST_PAUSE_MS = 1_000;

/** A clock without waiting: a pause ends at once, and a deadline is never reached. */
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

/** The Solana chain over one fake node, and the methods that were called on it. */
export function chainOn(
  methods: Methods,
  options: Partial<SolanaChainOptions> = {},
): { readonly chain: Chain; readonly called: string[] } {
  // The adapter calls every node for its genesis hash, so this call is not recorded.
  const called: string[] = [];
  const { transport } = fakeTransport(({ method, params }) => {
    if (method === 'getGenesisHash' && !(method in methods)) return GENESIS;
    called.push(method);
    const result = methods[method];
    if (result === undefined) throw new FakeRpcError(-32601);
    return result(params);
  });
  const chain = createSolanaChain({ rpc: transport, charger, network: 'devnet', clock, ...options });
  return { chain, called };
}
