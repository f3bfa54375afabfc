import { createHttpSender } from '@subrail/adapters/http';
import { createCrypto, createRandom } from '@subrail/adapters/node';
import { createSolanaChain } from '@subrail/adapters/solana';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import {
  createBilling,
  createRequestHandler,
  createRefuse,
  openApiDocument,
  type Billing,
  type Logger,
  type RequestHandler,
  type Refuse,
} from '@subrail/core';
import { dirname } from 'node:path';
import type { Config } from '../config/read-config.js';
import { createHostRouter } from '../http/host-router.js';
import { createHealth } from '../http/health.js';
import { serve, type Server } from '../http/serve.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { createScheduler, type Scheduler } from './scheduler.js';
import { VERSION } from '../version.js';
import { listenOnFreePort } from './free-port.js';
import type { Environment } from './environment.js';

/** Where the service listens when nobody chose a port. */
const USUAL_PORT = 4242;

/** How long requests in flight may take to finish when the service stops. */
const GRACE_MS = 20_000;

/** The whole service, answering requests. Its worker works once `ticks` are started. */
export interface OpenService {
  /** Its own address, with the base path. */
  readonly url: string;
  readonly billing: Billing;
  readonly ticks: Scheduler;
  /**
   * Stops in the order that loses nothing: no new requests, requests in flight finish, the running ticks finish, the store
   * closes, then what it stands on.
   */
  close(): Promise<void>;
}

/** Opens the store, listens, and answers. Rejects when the port is taken or the store cannot be opened. */
export async function openService(
  config: Config,
  environment: Environment,
  logger: Logger,
): Promise<OpenService> {
  ensurePrivateFolder(dirname(config.database));
  // It listens first, because terms name its address; who asks before all is open waits for it.
  const router = later<RequestHandler>();
  let stopping = false;
  const random = createRandom();
  const refuse = createRefuse(random, { basePath: config.basePath });
  const server = await listen(config, async (request) => (await router.value)(request), refuse, logger);
  const url = `http://${hostText(config.host)}:${server.port}${config.basePath}`;
  const { store, close: closeStore } = await openSqliteStore({ path: config.database }).catch(
    async (error: unknown) => {
      router.resolve((request) => Promise.resolve(refuse(request, 'unavailable')));
      await server.stop();
      throw error;
    },
  );
  const { clock, charger, rpc, tokens, sealingKey } = environment;
  const billing = createBilling({
    store,
    chain: createSolanaChain({ rpc, charger, network: config.network, clock }),
    clock,
    random,
    crypto: createCrypto(sealingKey),
    sender: createHttpSender({ allowPrivate: config.privateTargets }),
    logger,
    ...(tokens === null ? {} : { tokens }),
    settings: {
      serviceName: config.serviceName,
      publicUrl: config.publicUrl ?? url,
      privateTargets: config.privateTargets,
    },
  });
  const { chain } = billing.service;
  const ticks = createScheduler(
    [
      {
        name: 'charges',
        async run() {
          await environment.beforeCharges(chain);
          await billing.worker.charge();
        },
      },
      { name: 'deliveries', run: () => billing.worker.deliver() },
    ],
    logger,
  );
  router.resolve(
    createHostRouter({
      basePath: config.basePath,
      health: createHealth({
        store,
        chain,
        ticks,
        version: VERSION,
        stopping: () => stopping,
        now: () => new Date(),
      }),
      document: openApiDocument({ server: config.publicUrl ?? url }),
      handler: createRequestHandler(billing, { basePath: config.basePath }),
    }),
  );
  return {
    url,
    billing,
    ticks,
    async close() {
      stopping = true;
      await Promise.all([server.stop(), ticks.stop()]);
      await closeStore();
      await environment.close();
    },
  };
}

function listen(
  { host, port, trustedProxies }: Config,
  handle: RequestHandler,
  refuse: Refuse,
  logger: Logger,
): Promise<Server> {
  const on = (chosen: number) =>
    serve({ host, port: chosen, trustedProxies, handle, refuse, logger, shutdownTimeoutMs: GRACE_MS });
  return port === null ? listenOnFreePort(USUAL_PORT, on) : on(port);
}

/** A value that comes later. */
function later<T>(): { readonly value: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const value = new Promise<T>((given) => {
    resolve = given;
  });
  return { value, resolve };
}

/** Where to reach a host that listens on an address: on every address means on this machine too. */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
