import { readConfig, type Config } from '../config/read-config.js';
import { createLogger } from '../log/logger.js';
import { openService, type OpenService } from '../service/open-service.js';
import { configuredEnvironment } from '../service/environment.js';
import { ensureDemoProject } from '../local/demo-project.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { welcome } from '../local/welcome.js';
import type { Logger } from '@subrail/core';
import { configSecrets } from '../config/config-secrets.js';
import { stopSignal } from './stop-signal.js';

/** `subrail start`: runs the service until it is told to stop. Logs go to stderr; stdout is for the person who started it. */
export async function start(configFile: string | undefined): Promise<void> {
  const stopped = stopSignal();
  const config = readConfig(process.env, process.cwd(), configFile);
  const logger = createLogger({
    level: config.logLevel,
    secrets: configSecrets(config),
    stream: process.stderr,
  });
  const service =
    config.chain.kind === 'localnet' ? await startLocally(config, logger) : await startOn(config, logger);
  service.ticks.start();
  const signal = await stopped;
  logger.info({ signal }, 'stopping: requests in flight finish first; a second signal ends at once');
  await service.close();
  logger.info({}, 'stopped');
}

async function startOn(config: Config, logger: Logger): Promise<OpenService> {
  const service = await openService(config, await configuredEnvironment(config), logger);
  logger.info({ url: service.url, network: config.network }, 'Subrail runs');
  return service;
}

async function startLocally(config: Config, logger: Logger): Promise<OpenService> {
  const { keys, local, rpc, environment } = await openLocalEnvironment(config, logger);
  const service = await openService(config, environment, logger);
  const world = await ensureDemoProject({ billing: service.billing, rpc, keys, folder: config.dataDir });
  process.stdout.write(
    welcome({
      url: service.url,
      rpcUrl: local.url,
      webSocketUrl: local.webSocketUrl,
      dataDir: config.dataDir,
      wallet: keys.wallet.address,
      world,
    }),
  );
  return service;
}
