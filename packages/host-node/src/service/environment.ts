import type { KeyPairSigner } from '@solana/kit';
import { createChainClock } from '@subrail/adapters/web';
import { createNodeClock } from '@subrail/adapters/node';
import { signerFromSecret, type RpcSource } from '@subrail/adapters/solana';
import type { VerifiedToken, Clock } from '@subrail/core/ports';
import type { DemoWallet } from '@subrail/pages';
import { ConfigError } from '../config/config-error.js';
import type { Config } from '../config/read-config.js';

/** The chain, the keys and the clock of a service. */
export interface Environment {
  /** The chain's RPC servers, in order of preference. */
  readonly rpc: RpcSource | readonly RpcSource[];
  /** Signs charges and pays their fees. */
  readonly charger: KeyPairSigner;
  /** The 32 bytes that encrypt secrets in the store. */
  readonly sealingKey: Uint8Array;
  /** Earlier sealing keys, which open what they encrypted. */
  readonly olderSealingKeys: readonly Uint8Array[];
  /** The service's time. */
  readonly clock: Clock;
  /** The time of this machine, which a moved chain does not move. */
  readonly wallClock: Clock;
  /** Calls the listener at each change of a local chain, until the result is called. Null: no local chain. */
  readonly onChange: ((listener: () => void) => () => void) | null;
  /** The token of the demo plan; null when there is none. */
  readonly demoToken: VerifiedToken | null;
  /** The wallet that the pages offer on a local chain; null elsewhere. */
  readonly demoWallet: DemoWallet | null;
  /** Releases everything. The service calls it last. */
  close(): Promise<void>;
}

/** The environment of a command on the database of a service. */
export interface CommandEnvironment {
  readonly environment: Environment;
  /** The chain, for transactions that the command sends. Null: the chain is in a host, and none runs. */
  readonly rpcUrl: string | null;
  /** The address of the host; null when none is known to run. */
  readonly url: string | null;
}

/**
 * Makes the environment of a configuration with RPC servers and keys.
 * @throws ConfigError when the charger's key is invalid
 */
export async function configuredEnvironment(config: Config): Promise<Environment> {
  const { chain, chargerKey, sealingKey, olderSealingKeys } = config;
  if (chain.kind !== 'rpc' || chargerKey === null || sealingKey === null) {
    throw new Error(
      'This environment needs an RPC server, a charger key and a sealing key, and the configuration lacks one of them.',
    );
  }
  const charger = await signerFromSecret(chargerKey, 'charger_key').catch((error: unknown) => {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  });
  const wallClock = createNodeClock();
  return {
    rpc: chain.urls,
    charger,
    sealingKey,
    olderSealingKeys,
    clock: config.clock === 'system' ? wallClock : createChainClock(wallClock),
    wallClock,
    demoToken: null,
    demoWallet: null,
    onChange: null,
    close: () => Promise.resolve(),
  };
}
