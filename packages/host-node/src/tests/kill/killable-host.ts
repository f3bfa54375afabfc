import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@subrail/core/client';
import { createLocalnet, localnetRpc, serveLocalnet, tokenBalanceOf, type Localnet } from '@subrail/localnet';
import { readConfig } from '../../config/read-config.js';
import { openService } from '../../service/open-service.js';
import { configuredEnvironment } from '../../service/environment.js';
import { ensureDemoProject, type DemoProject, type DevelopmentRpc } from '../../local/demo-project.js';
import { loadLocalKeys, type LocalKeys } from '../../local/local-keys.js';
import { loadOrCreateSecret } from '../../state/private-files.js';
import { loadOrCreateSigner } from '../../state/signer-file.js';
import { startHost, type HostProcess } from '../host-process.js';
import { createDatabase, type Engine } from './engines.js';
import { startRpcProxy, type RpcProxy } from './rpc-proxy.js';

/** A host that can be killed and started again, on a chain that keeps running. */
export interface KillableHost {
  readonly chain: Localnet;
  readonly rpc: DevelopmentRpc;
  readonly proxy: RpcProxy;
  readonly keys: LocalKeys;
  readonly project: DemoProject;
  /** Starts the host. `client` calls the one that was started last. */
  start(): Promise<void>;
  kill(): Promise<void>;
  readonly client: Client;
  /** The balance of the plan's owner on chain: all payments so far. */
  received(): Promise<bigint>;
  close(): Promise<void>;
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Prepares a host on an empty database of an engine. */
export async function createKillableHost(engine: Engine): Promise<KillableHost> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-kill-'));
  const { database, close: closeDatabase } = await createDatabase(engine, folder);
  const chain = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)) });
  chain.resumeClock();
  const served = await serveLocalnet(chain, { port: 0 });
  const proxy = await startRpcProxy(served.url);
  const rpc = localnetRpc(chain) as DevelopmentRpc;
  // A host with RPC servers takes no keys of a local chain.
  await loadOrCreateSigner(join(folder, 'charger.json'));
  loadOrCreateSecret(join(folder, 'sealing-key'), () => randomBytes(32).toString('hex'));
  const keys = await loadLocalKeys(folder);
  const environment = {
    SUBRAIL_CHAIN: proxy.url,
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_CLOCK: 'chain',
    SUBRAIL_CHARGER_KEY_FILE: join(folder, 'charger.json'),
    SUBRAIL_SEALING_KEY_FILE: join(folder, 'sealing-key'),
    SUBRAIL_DATA_DIR: folder,
    SUBRAIL_DATABASE: database,
    SUBRAIL_PORT: '0',
  };
  const config = readConfig(environment, folder);
  const service = await openService(config, await configuredEnvironment(config), SILENT);
  const project = await ensureDemoProject({ billing: service.billing, rpc, keys, folder });
  await service.close();

  let host: HostProcess | null = null;
  let client: Client | null = null;
  return {
    chain,
    rpc,
    proxy,
    keys,
    project,
    async start() {
      host = startHost(['start'], folder, environment);
      const [, url = ''] = await host.line(/"url":"([^"]+)".*"msg":"The service is running\."/);
      client = createClient({ url, key: project.apiKey, maxRetries: 0 });
    },
    async kill() {
      await host?.end('SIGKILL');
    },
    get client() {
      if (client === null) throw new Error('The host has not been started: call start() first.');
      return client;
    },
    received: async () => (await tokenBalanceOf(rpc, project.token, keys.owner.address)) ?? 0n,
    async close() {
      await host?.end('SIGKILL');
      await proxy.close();
      await served.close();
      await closeDatabase();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The events that the service lists, oldest first, each as its sequence and name. */
export async function listEvents({ events }: Client): Promise<readonly string[]> {
  const { data } = await events.list({ limit: 100 });
  return data.map(({ sequence, type }) => `${sequence} ${type.replace('subscription.', '')}`).reverse();
}
