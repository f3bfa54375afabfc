import { createSolanaRpc, type Address, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { openBilling } from '@subrail/adapters/node';
import type { Billing } from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { createManager, type Manager } from '@subrail/core/client';
import { readConfig, type Config } from '../config/read-config.js';
import { readRunningHost } from '../state/running-host.js';
import { billingOptions } from '../service/billing-options.js';
import { configuredEnvironment, type CommandEnvironment } from '../service/environment.js';
import type { Place } from './place.js';
import { requireDatabase } from './require-database.js';
import type { Terminal } from './terminal.js';

/** The functions of a service, wherever it runs. */
export interface OpenedManager {
  readonly manager: Manager;
  /** The configuration of the host. Null over HTTP, like the four fields after it but `url`. */
  readonly config: Config | null;
  readonly billing: Billing | null;
  readonly charger: Address | null;
  /** The address of the host of the database; null when none is known to run. */
  readonly url: string | null;
  readonly sealingKey: Uint8Array | null;
  /** The chain of the service, for transactions that the command sends; null when unknown. */
  readonly rpc: Rpc<SolanaRpcApi> | null;
  /** Whether the chain can be reached: a local chain is in its host, which may not run. */
  readonly hasChain: boolean;
  close(): Promise<void>;
}

/** Commands report failures in their own words. */
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Opens the functions of a service: of a host over HTTP, or of the configured database in this process. */
export async function openManager(place: Place, terminal: Terminal): Promise<OpenedManager> {
  if (place.kind === 'host') {
    const { url, key } = place;
    const fetch = terminal.fetch === undefined ? {} : { fetch: terminal.fetch };
    return {
      // A person waits, and can repeat the command.
      manager: createManager({ url, key, maxRetries: 1, ...fetch }),
      config: null,
      billing: null,
      charger: null,
      url,
      sealingKey: null,
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
  const options = billingOptions(config, environment, {
    publicUrl: config.publicUrl ?? url ?? DEFAULT_URL,
    logger: SILENT,
  });
  const billing = await openBilling({
    ...options,
    actor: `command (${user})`,
    // Without a host there is nothing to wait for.
    ...(rpcUrl === null ? { timeouts: { answerMs: 50, totalMs: 100 } } : {}),
  });
  return {
    manager: billing,
    config,
    billing,
    charger: environment.charger.address,
    url,
    sealingKey: environment.sealingKey,
    rpc: rpcUrl === null ? null : createSolanaRpc(rpcUrl),
    hasChain: rpcUrl !== null,
    async close() {
      await billing.close();
      options.mailer?.close();
    },
  };
}

const DEFAULT_URL = 'http://127.0.0.1:4242';

/** The host's address on this machine: as noted, else at the configured port; null when unknown. */
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
  // Only a local chain needs what a local chain has.
  const { localCommandEnvironment } = await import('../local/command-environment.js');
  return localCommandEnvironment(config);
}
