import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { createNodeClock } from '@subrail/adapters/node';
import type { Logger } from '@subrail/core/ports';
import type { Config } from '../config/read-config.js';
import type { Environment } from '../service/environment.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { StateError } from '../state/state-error.js';
import type { DevelopmentRpc } from './demo-project.js';
import { DEMO_TOKEN, demoToken } from './demo-token.js';
import { createDemoWallet } from './demo-wallet.js';
import { hasOtherCharger, loadLocalKeys, type LocalKeys } from './local-keys.js';
import { openLocalChain, type LocalChain } from './local-chain.js';
import { nameToken } from './name-token.js';

/** An environment on a local chain in this process, with the keys that are used on that chain. */
export interface LocalEnvironment extends Environment {
  readonly keys: LocalKeys;
  readonly chain: LocalChain;
  readonly developmentRpc: DevelopmentRpc;
}

const SETTINGS = {
  anotherFile: 'another folder with SUBRAIL_DATA_DIR',
  port: 'SUBRAIL_LOCALNET_PORT',
  program: 'SUBRAIL_LOCALNET_PROGRAM',
};

/**
 * Opens the environment stored in the configuration's data folder, or creates one there. The service's time
 * is the chain's, so moving the chain's clock moves the whole service.
 * @throws StateError when another process uses the chain's file, or when that file is missing where there is
 *   a database, or a charger that was not made for a local chain
 */
export async function openLocalEnvironment(config: Config, logger: Logger): Promise<LocalEnvironment> {
  ensurePrivateFolder(config.dataDir, 'SUBRAIL_DATA_DIR');
  const file = join(config.dataDir, 'chain');
  if (!existsSync(file)) refuseStateOfAnotherNetwork(config, file);
  const keys = await loadLocalKeys(config.dataDir);
  const { localnetPort: port, localnetProgram: program } = config;
  const chain = await openLocalChain({ file, port, program, logger, settings: SETTINGS });
  await nameToken(chain.localnet, keys.mint.address, DEMO_TOKEN);
  const wallClock = createNodeClock();
  const developmentRpc: DevelopmentRpc = createSolanaRpcFromTransport(chain.transport);
  return {
    keys,
    chain,
    developmentRpc,
    rpc: chain.transport,
    charger: keys.charger,
    sealingKey: config.sealingKey ?? keys.sealingKey,
    olderSealingKeys: config.olderSealingKeys,
    clock: { now: () => chain.localnet.now(), sleep: (ms, signal) => wallClock.sleep(ms, signal) },
    wallClock,
    demoToken: demoToken(keys.mint.address),
    demoWallet: createDemoWallet(developmentRpc, keys),
    onChange: (listener) => chain.localnet.onChange(listener),
    close: () => chain.close(),
  };
}

/** Refuses a folder with the database or the keys of a service on devnet or mainnet-beta. */
function refuseStateOfAnotherNetwork({ database, dataDir }: Config, file: string): void {
  const set = 'set SUBRAIL_CHAIN to its RPC servers';
  // A Postgres database notes its chain itself.
  if (database.kind === 'sqlite' && existsSync(database.path)) {
    throw new StateError(
      `There is a database ${database.path}, but no local chain that it could belong to: the file ${file} is missing. If the database is of devnet or mainnet-beta, ${set}. If it is of a local chain, restore that file, or choose another folder with SUBRAIL_DATA_DIR.`,
    );
  }
  if (hasOtherCharger(dataDir)) {
    throw new StateError(
      `The folder ${dataDir} has the charger of a service on devnet or mainnet-beta. For that service, ${set}. For a local chain, choose another folder with SUBRAIL_DATA_DIR.`,
    );
  }
}
