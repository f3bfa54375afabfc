import type { KeyPairSigner } from '@solana/kit';
import { createClock } from '@subrail/adapters/node';
import { signerFromSecret, type RpcSource } from '@subrail/adapters/solana';
import type { Tokens } from '@subrail/core';
import type { Chain, Clock } from '@subrail/core/ports';
import { ConfigError } from '../config/config-error.js';
import type { Config } from '../config/read-config.js';
import { createFollowingClock } from './following-clock.js';

/** What the service stands on besides its store: which chain, whose signature, what time it is. */
export interface Environment {
  readonly rpc: RpcSource | readonly RpcSource[];
  readonly charger: KeyPairSigner;
  /** 32 bytes. */
  readonly sealingKey: Uint8Array;
  readonly clock: Clock;
  /** Null: no token is vouched for. */
  readonly tokens: Tokens | null;
  /** Brings the clock up to date before each look at what is due. */
  beforeCharges(chain: Chain): Promise<void>;
  /** Called last, when everything that uses them has stopped. */
  close(): Promise<void>;
}

/** RPC servers and keys somebody configured. @throws ConfigError when the charger's key is none */
export async function configuredEnvironment(config: Config): Promise<Environment> {
  const { chain, chargerKey, sealingKey } = config;
  if (chain.kind !== 'rpc' || chargerKey === null || sealingKey === null) {
    throw new Error('A configuration with RPC servers has a charger key and a sealing key.');
  }
  const charger = await signerFromSecret(chargerKey, 'charger_key').catch((error: unknown) => {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  });
  const common = { rpc: chain.urls, charger, sealingKey, tokens: null, close: () => Promise.resolve() };
  const clock = createClock();
  if (config.clock === 'system') return { ...common, clock, beforeCharges: () => Promise.resolve() };
  const following = createFollowingClock(clock);
  return { ...common, clock: following, beforeCharges: (asked) => following.follow(asked) };
}
