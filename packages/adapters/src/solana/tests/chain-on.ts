import { type KeyPairSigner, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import type { Chain, Clock } from '@subrail/core/ports';
import { createSolanaChain } from '../index.js';
import type { SolanaChainOptions } from '../chain.js';
import { FakeRpcError, fakeTransport } from './fake-rpc.js';

/** The results of a fake node by method. The node does not know any other method. */
export type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** The signer whose secret is one byte repeated 32 times. */
export const signerOf = (byte: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));

export const charger = await signerOf(3);

const START = new Date('2026-01-01T00:00:00.000Z');

/** The genesis hash of a fake node whose methods do not include `getGenesisHash`. */
const GENESIS = '11111111111111111111111111111111';

/**
 * The time of a chain without waiting: a pause ends at once, and no response reaches its deadline. Pauses
 * still count towards the time of a call.
 */
export function untimed(now: () => Date): { readonly clock: Clock; readonly elapsed: () => number } {
  let paused = 0;
  const clock: Clock = {
    now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal !== undefined) return signal.addEventListener('abort', () => resolve());
        paused += ms;
        resolve();
      }),
  };
  return { clock, elapsed: () => paused };
}

/** The time of a chain that passes only when the test moves the clock. */
export const timedBy = (clock: Clock) => ({ clock, elapsed: () => clock.now().getTime() });

/** A fake node with these methods. It adds what is called of them to `called`. */
export const nodeWith = (methods: Methods, called: string[] = []) =>
  fakeTransport(({ method, params }) => {
    if (method === 'getGenesisHash' && !(method in methods)) return GENESIS;
    called.push(method);
    const result = methods[method];
    if (result === undefined) throw new FakeRpcError(-32601);
    return result(params);
  });

/** The Solana chain over one fake node, and the methods that were called on it. */
export function chainOn(
  methods: Methods,
  options: Partial<SolanaChainOptions> = {},
): { readonly chain: Chain; readonly called: string[] } {
  // The adapter calls every node for its genesis hash, so this call is not recorded.
  const called: string[] = [];
  const { transport } = nodeWith(methods, called);
  const chain = createSolanaChain({
    rpc: transport,
    charger,
    network: 'devnet',
    ...untimed(() => START),
    ...options,
  });
  return { chain, called };
}
