import { join } from 'node:path';
import {
  createSolanaRpc,
  generateKeyPairSigner,
  type Address,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { createChainClock } from '@subrail/adapters/clock';
import { createNodeClock, openBilling } from '@subrail/adapters/node';
import type { Billing, Logger } from '@subrail/core';
import type { Clock } from '@subrail/core/ports';
import { createManager, type Manager } from '@subrail/core/manager';
import { ConfigError } from '../config/config-error.js';
import { readConfig, type Config } from '../config/read-config.js';
import { demoToken } from '../local/demo-project.js';
import { readDemoMint, readLocalKey, readLocalSealingKey } from '../local/local-keys.js';
import { readRunningHost } from '../local/running-host.js';
import { billingOptions } from '../service/billing-options.js';
import { configuredEnvironment, type Environment } from '../service/environment.js';
import type { Place } from './place.js';
import { requireDatabase } from './require-database.js';
import type { Terminal } from './terminal.js';

/** The functions of a service, wherever it runs. */
export interface OpenedManager {
  readonly manager: Manager;
  /** The configuration of the host; null when the service is reached over HTTP. */
  readonly config: Config | null;
  /** The service itself; null when it is reached over HTTP. */
  readonly billing: Billing | null;
  /** The wallet that charges; null when the service is reached over HTTP. */
  readonly charger: Address | null;
  /** Where the host of the database answers, as far as the command knows; null when none is known to run. */
  readonly url: string | null;
  /** The key that encrypts secrets in the store; null when the service is reached over HTTP. */
  readonly sealingKey: Uint8Array | null;
  /** The chain of the service, for what the command itself sends. Null: the command does not know it. */
  readonly rpc: Rpc<SolanaRpcApi> | null;
  /** Whether the service has a chain at all: the local one is in its host, and no host may run. */
  readonly hasChain: boolean;
  close(): Promise<void>;
}

/** The command says in its own words what went wrong. */
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Opens the functions of the service at a place: of a host over HTTP, or of the configured database in this process. */
export async function openManager(place: Place, terminal: Terminal): Promise<OpenedManager> {
  if (place.kind === 'host') {
    const { url, key } = place;
    const fetch = terminal.fetch === undefined ? {} : { fetch: terminal.fetch };
    return {
      // Somebody waits, and can repeat the command.
      manager: createManager({ url, key, maxRetries: 1, ...fetch }),
      config: null,
      ...{ billing: null, charger: null, url, sealingKey: null },
      rpc: null,
      hasChain: true,
      close: () => Promise.resolve(),
    };
  }
  return openDatabase(readConfig(terminal.environment, terminal.folder, place.config), terminal);
}

async function openDatabase(config: Config, { user }: Terminal): Promise<OpenedManager> {
  await requireDatabase(config.database);
  const { environment, rpcUrl, url } = await environmentOf(config);
  const billing = await openBilling({
    ...billingOptions(config, environment, {
      publicUrl: config.publicUrl ?? url ?? DEFAULT_URL,
      logger: SILENT,
    }),
    actor: `command (${user})`,
    // Without a host there is nothing to wait for.
    ...(rpcUrl === null ? { timeouts: { answerMs: 50, totalMs: 100 } } : {}),
  });
  return {
    manager: billing,
    config,
    ...{ billing, charger: environment.charger.address, url, sealingKey: environment.sealingKey },
    rpc: rpcUrl === null ? null : createSolanaRpc(rpcUrl),
    hasChain: rpcUrl !== null,
    close: () => billing.close(),
  };
}

/** What a command opens the database with. */
interface CommandEnvironment {
  readonly environment: Environment;
  /** Null: the chain is in a host, and none runs. */
  readonly rpcUrl: string | null;
  /** Where the host answers; null when none is known to run. */
  readonly url: string | null;
}

const DEFAULT_URL = 'http://127.0.0.1:4242';

/** Where a host of the configuration answers on this machine, as far as is known: as it noted, or at the configured port. */
function urlOf({ host, port, basePath, dataDir }: Config): string | null {
  const noted = readRunningHost(dataDir);
  if (noted !== null || port === null) return noted?.url ?? null;
  const local = ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? '127.0.0.1' : host;
  return `http://${local}:${port}${basePath}`;
}

async function environmentOf(config: Config): Promise<CommandEnvironment> {
  if (config.chain.kind === 'rpc') {
    const environment = await configuredEnvironment(config);
    return { environment, rpcUrl: config.chain.urls[0] ?? null, url: urlOf(config) };
  }
  const sealingKey = config.sealingKey ?? readLocalSealingKey(config.dataDir);
  if (sealingKey === null) {
    throw new ConfigError([
      `There is no sealing key in ${config.dataDir}: set SUBRAIL_SEALING_KEY, or SUBRAIL_DATA_DIR as your hosts have it.`,
    ]);
  }
  const host = await runningHost(config.dataDir);
  const wallClock = createNodeClock();
  const mint = await readDemoMint(config.dataDir);
  return {
    environment: {
      rpc: host?.rpc_url ?? (() => Promise.reject(new TypeError('No host runs.'))),
      charger: (await readLocalKey(config.dataDir, 'charger.json')) ?? (await generateKeyPairSigner()),
      sealingKey,
      olderSealingKeys: config.olderSealingKeys,
      clock: host === null ? await clockOfSavedChain(config.dataDir, wallClock) : createChainClock(wallClock),
      wallClock,
      demoToken: mint === null ? null : demoToken(mint),
      onChange: null,
      close: () => Promise.resolve(),
    },
    rpcUrl: host?.rpc_url ?? null,
    url: host?.url ?? null,
  };
}

/** Without a host there is no chain to follow, and its time is that at which the host saved it, and as long as that is ago. */
async function clockOfSavedChain(folder: string, machine: Clock): Promise<Clock> {
  const { readChainTime } = await import('@subrail/localnet');
  const time = await readChainTime(join(folder, 'chain')).catch(() => null);
  if (time === null) return machine;
  const aheadMs = time.getTime() - machine.now().getTime();
  return {
    now: () => new Date(machine.now().getTime() + aheadMs),
    sleep: (ms, signal) => machine.sleep(ms, signal),
  };
}

/** The host that runs on the data folder of a local chain; null when none does. */
async function runningHost(folder: string) {
  const noted = readRunningHost(folder);
  if (noted === null || noted.rpc_url === null) return null;
  const answers = await fetch(noted.rpc_url, { method: 'POST', signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
  return answers ? noted : null;
}
