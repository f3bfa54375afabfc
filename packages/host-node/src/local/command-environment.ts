import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { createChainClock } from '@subrail/adapters/web';
import { createNodeClock } from '@subrail/adapters/node';
import type { Clock } from '@subrail/core/ports';
import { readChainTime } from '@subrail/localnet';
import { ConfigError } from '../config/config-error.js';
import type { Config } from '../config/read-config.js';
import type { CommandEnvironment } from '../service/environment.js';
import { readRunningHost } from '../state/running-host.js';
import { demoToken } from './demo-token.js';
import { readDemoMint, readLocalKey, readLocalSealingKey } from './local-keys.js';

/** The environment of a command on a local chain's database, whether or not the chain's host runs. */
export async function localCommandEnvironment(config: Config): Promise<CommandEnvironment> {
  const sealingKey = config.sealingKey ?? readLocalSealingKey(config.dataDir);
  if (sealingKey === null) {
    throw new ConfigError([
      `There is no sealing key in ${config.dataDir}: set SUBRAIL_SEALING_KEY, or SUBRAIL_DATA_DIR as your hosts have it.`,
    ]);
  }
  const host = await runningHost(config.dataDir);
  const wallClock = createNodeClock();
  const mint = await readDemoMint(config.dataDir);
  // Where the folder has no charger, a new key stands in: a command signs no charge.
  const charger = (await readLocalKey(config.dataDir, 'charger.json')) ?? (await generateKeyPairSigner());
  return {
    environment: {
      rpc: host?.rpc_url ?? (() => Promise.reject(new TypeError('No host runs.'))),
      charger,
      sealingKey,
      olderSealingKeys: config.olderSealingKeys,
      clock: host === null ? await clockOfSavedChain(config.dataDir, wallClock) : createChainClock(wallClock),
      wallClock,
      demoToken: mint === null ? null : demoToken(mint),
      demoWallet: null,
      onChange: null,
      close: () => Promise.resolve(),
    },
    rpcUrl: host?.rpc_url ?? null,
    url: host?.url ?? null,
  };
}

/** The time of a chain without a host: the saved time, running on since then. */
async function clockOfSavedChain(folder: string, machine: Clock): Promise<Clock> {
  const time = await readChainTime(join(folder, 'chain')).catch(() => null);
  if (time === null) return machine;
  const aheadMs = time.getTime() - machine.now().getTime();
  return {
    now: () => new Date(machine.now().getTime() + aheadMs),
    sleep: (ms, signal) => machine.sleep(ms, signal),
  };
}

/** The running host of a local chain's data folder; null without one. */
async function runningHost(folder: string) {
  const host = readRunningHost(folder);
  if (host === null || host.rpc_url === null) return null;
  const answers = await fetch(host.rpc_url, { method: 'POST', signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
  return answers ? host : null;
}
