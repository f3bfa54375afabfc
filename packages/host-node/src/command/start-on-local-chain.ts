import { join } from 'node:path';
import type { Logger } from '@subrail/core/ports';
import type { Config } from '../config/read-config.js';
import { ensureDashboardKey } from '../local/dashboard-key.js';
import { ensureDemoProject } from '../local/demo-project.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { welcome } from '../local/welcome.js';
import type { Environment } from '../service/environment.js';
import type { OpenService } from '../service/open-service.js';
import { noteRunningHost } from '../state/running-host.js';
import { nameOf } from './require-database.js';
import { subrailOn } from './sandbox/command-name.js';

/** Opens the service on an environment. Null: the process was asked to stop meanwhile. */
export type Open = (environment: Environment) => Promise<OpenService | null>;

/** Starts the service on the chain of the data folder, with a project to try it with, and says how. */
export async function startOnLocalChain(
  config: Config,
  logger: Logger,
  open: Open,
): Promise<OpenService | null> {
  const local = await openLocalEnvironment(config, logger);
  const service = await open(local);
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

/** The name of the database; null for the one in the data folder. */
function databaseElsewhere({ database, dataDir }: Config): string | null {
  const name = nameOf(database);
  return name === join(dataDir, 'subrail.sqlite') ? null : name;
}
