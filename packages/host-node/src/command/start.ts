import { createNodeClock } from '@subrail/adapters/node';
import type { Logger } from '@subrail/core/ports';
import { configSecrets } from '../config/config-secrets.js';
import { readConfig, type Config } from '../config/read-config.js';
import { forgetRunningHost, noteRunningHost } from '../state/running-host.js';
import { createLogger } from '../log/logger.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { configuredEnvironment, type Environment } from '../service/environment.js';
import { openService, type OpenService } from '../service/open-service.js';
import { whileDatabaseIsAway, type Patience } from '../service/while-database-is-away.js';
import type { Open } from './start-on-local-chain.js';
import { stopSignal } from './stop-signal.js';

/**
 * `subrail start`: runs the service until the process is asked to stop. Logs go to stderr;
 * stdout has only the welcome message, which is printed on a local chain.
 */
export async function start(configFile: string | undefined): Promise<void> {
  const stopped = stopSignal();
  const config = readConfig(process.env, process.cwd(), configFile);
  const logger = createLogger({
    level: config.logLevel,
    secrets: configSecrets(config),
    stream: process.stderr,
  });
  for (const { level, sentence } of config.remarks) logger[level]({}, sentence);
  const stopping = new AbortController();
  void stopped.then(() => stopping.abort());
  const patience = { clock: createNodeClock(), logger, signal: stopping.signal };
  const open = (environment: Environment) => openPatiently(config, environment, patience);
  const service =
    config.chain.kind === 'localnet'
      ? await startLocally(config, logger, open)
      : await startOnRpc(config, logger, open);
  if (service === null) {
    logger.info({ signal: await stopped }, 'Stopped before the database could be used.');
    return;
  }
  service.startWorker();
  if (config.mail !== null) {
    const { from, smtp } = config.mail;
    logger.info({ from, server: new URL(smtp.url).host }, 'Mails to customers are sent.');
  }
  if (service.metricsUrl !== null) logger.info({ url: service.metricsUrl }, 'The metrics are served.');
  const signal = await stopped;
  logger.info({ signal }, 'Stopping. Requests in flight finish first. A second signal exits at once.');
  forgetRunningHost(config.dataDir, service.url);
  await service.close();
  logger.info({}, 'Stopped.');
}

/** Without a local chain, nothing that belongs to one is loaded. */
async function startLocally(...args: readonly [Config, Logger, Open]): Promise<OpenService | null> {
  const { startOnLocalChain } = await import('./start-on-local-chain.js');
  return startOnLocalChain(...args);
}

async function startOnRpc(config: Config, logger: Logger, open: Open): Promise<OpenService | null> {
  const service = await open(await configuredEnvironment(config));
  if (service === null) return null;
  logger.info({ url: service.url, network: config.network }, 'The service is running.');
  try {
    ensurePrivateFolder(config.dataDir, 'SUBRAIL_DATA_DIR');
    noteRunningHost(config.dataDir, { url: service.url, rpc_url: null });
  } catch (err) {
    // Its keys and its database may be elsewhere. Commands then use the configured port.
    logger.debug(
      { err },
      'The data folder cannot be written, so commands are not told where the host answers.',
    );
  }
  return service;
}

/** Waits for a database server that is away. Null: the process was asked to stop meanwhile. */
function openPatiently(
  config: Config,
  environment: Environment,
  patience: Patience,
): Promise<OpenService | null> {
  const open = () => openService(config, environment, patience.logger);
  return config.database.kind === 'postgres' ? whileDatabaseIsAway(open, patience) : open();
}
