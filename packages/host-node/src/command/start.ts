import { createNodeClock } from '@subrail/adapters/node';
import { join } from 'node:path';
import { configSecrets } from '../config/config-secrets.js';
import { readConfig, type Config } from '../config/read-config.js';
import { ensureDashboardKey } from '../local/dashboard-key.js';
import { ensureDemoProject } from '../local/demo-project.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { forgetRunningHost, noteRunningHost } from '../state/running-host.js';
import { welcome } from '../local/welcome.js';
import { createLogger } from '../log/logger.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { configuredEnvironment, type Environment } from '../service/environment.js';
import { openService, type OpenService } from '../service/open-service.js';
import { whileDatabaseIsAway, type Patience } from '../service/while-database-is-away.js';
import { nameOf } from './require-database.js';
import { subrailOn } from './sandbox/command-name.js';
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
  const service =
    config.chain.kind === 'localnet'
      ? await startOnLocalChain(config, patience)
      : await startOnRpc(config, patience);
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

async function startOnRpc(config: Config, patience: Patience): Promise<OpenService | null> {
  const { logger } = patience;
  const environment = await configuredEnvironment(config);
  const service = await openPatiently(config, environment, patience);
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

async function startOnLocalChain(config: Config, patience: Patience): Promise<OpenService | null> {
  const { logger } = patience;
  const local = await openLocalEnvironment(config, logger);
  const service = await openPatiently(config, local, patience);
  if (service === null) {
    await local.close();
    return null;
  }
  const project = await ensureDemoProject({
    billing: service.billing,
    rpc: local.developmentRpc,
    keys: local.keys,
    folder: config.dataDir,
  });
  noteRunningHost(config.dataDir, { url: service.url, rpc_url: local.chain.url });
  const dashboardUrl = config.dashboard
    ? service.dashboardFor(await ensureDashboardKey(service.billing, config.dataDir))
    : null;
  const { wallet } = local.keys;
  const { access: subscribed } = await service.billing
    .project(project.projectId)
    .access.check({ wallet: wallet.address, plan: project.plan.slug });
  process.stdout.write(
    welcome({
      url: service.url,
      rpcUrl: local.chain.url,
      webSocketUrl: local.chain.webSocketUrl,
      dataDir: config.dataDir,
      database: databaseElsewhere(config),
      wallet: wallet.address,
      project,
      dashboardUrl,
      subscribed,
      command: subrailOn(config.dataDir, process.cwd()),
      fromSource: import.meta.url.endsWith('.ts'),
    }),
  );
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

/** The name of the database; null for the one in the data folder. */
function databaseElsewhere({ database, dataDir }: Config): string | null {
  const name = nameOf(database);
  return name === join(dataDir, 'subrail.sqlite') ? null : name;
}
