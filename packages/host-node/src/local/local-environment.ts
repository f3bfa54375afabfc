import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { createClock } from '@subrail/adapters/node';
import type { Logger } from '@subrail/core';
import type { Config } from '../config/read-config.js';
import type { Environment } from '../service/environment.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { StateError } from '../state/state-error.js';
import { DEMO_TOKEN, type DevelopmentRpc } from './demo-project.js';
import { loadLocalKeys, type LocalKeys } from './local-keys.js';
import { openLocalChain, type LocalChain } from './local-chain.js';

/** A development host's own Solana, and everybody on it. */
export interface LocalEnvironment {
  readonly keys: LocalKeys;
  readonly local: LocalChain;
  readonly rpc: DevelopmentRpc;
  readonly environment: Environment;
}

/**
 * Opens the world kept in the configuration's data folder, or begins one there. The service's time is the chain's, so
 * moving the chain's clock moves everything.
 * @throws StateError when another process has it open, or half of it is gone
 */
export async function openLocalEnvironment(config: Config, logger: Logger): Promise<LocalEnvironment> {
  ensurePrivateFolder(config.dataDir);
  const file = join(config.dataDir, 'chain');
  if (!existsSync(file) && existsSync(config.database)) {
    throw new StateError(
      `${config.database} remembers a local chain, but ${file} is gone. Put it back, or remove both to begin anew.`,
    );
  }
  const keys = await loadLocalKeys(config.dataDir);
  const { localnetPort: port, localnetProgram: program } = config;
  const local = await openLocalChain({ file, port, program, logger });
  const system = createClock();
  const token = { symbol: DEMO_TOKEN.symbol, name: DEMO_TOKEN.name, logoUrl: null };
  return {
    keys,
    local,
    rpc: createSolanaRpcFromTransport(local.transport),
    environment: {
      rpc: local.transport,
      charger: keys.charger,
      sealingKey: config.sealingKey ?? keys.sealingKey,
      clock: { now: () => local.chain.now(), sleep: (ms, signal) => system.sleep(ms, signal) },
      tokens: { find: async (mint) => (mint === keys.mint.address ? token : null) },
      beforeCharges: () => Promise.resolve(),
      close: () => local.close(),
    },
  };
}
