import { randomBytes } from 'node:crypto';
import { createHttpSender, createRandom, openBilling } from '@subrail/adapters/node';
import {
  createRequestHandler,
  createRefuse,
  type Billing,
  type RequestHandler,
  type Refuse,
} from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { withDashboard, withPages, type PagesOptions } from '@subrail/pages';
import { dirname } from 'node:path';
import type { Config } from '../config/read-config.js';
import { serve, type Server } from '../http/serve.js';
import { joinTelemetry } from '../metrics/join-telemetry.js';
import { createMeasurements, type Measurements } from '../metrics/measurements.js';
import { serveMetrics, type MetricsServer } from '../metrics/serve-metrics.js';
import { createAlertWebhook } from '../alerts/alert-webhook.js';
import { openTracing } from '../tracing/tracing.js';
import { withMcp } from '../mcp/with-mcp.js';
import { ensurePrivateFolder } from '../state/private-files.js';
import { billingOptions, type ServiceOptions } from './billing-options.js';
import { refuseChargerOfPlans } from './refuse-charger-of-plans.js';
import { VERSION } from '../version.js';
import { listenOnFreePort } from './free-port.js';
import { explainListenError } from './listen-error.js';
import type { Environment } from './environment.js';
import { whileOpening } from './while-opening.js';
import { workAtOnce } from './work-at-once.js';

/** The port that is tried first when none is configured. */
const DEFAULT_PORT = 4242;

/** The time requests in flight have to finish when the service stops. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

/** The running service: it answers requests, and its worker runs once you start it. */
export interface OpenService {
  /** The address it listens on, with the base path. */
  readonly url: string;
  /** The service as functions. */
  readonly billing: Billing;
  /** The address of the metrics; null when they are not served. */
  readonly metricsUrl: string | null;
  /** An address at which the dashboard opens once with a management key. */
  readonly dashboardFor: (key: string) => string;
  /** Runs the passes of the worker until the service closes. */
  readonly startWorker: () => void;
  /**
   * Stops without losing anything, in this order: it accepts no new requests, lets requests in flight and
   * running passes finish, then closes the store and last the environment.
   */
  close(): Promise<void>;
}

/**
 * Opens the store and serves requests. Rejects when the port is in use, the store cannot be opened, or the
 * charger is a wallet of plans and may not be.
 */
export async function openService(
  config: Config,
  environment: Environment,
  logger: Logger,
): Promise<OpenService> {
  if (config.database.kind === 'sqlite')
    ensurePrivateFolder(dirname(config.database.path), 'SUBRAIL_DATABASE');
  const tracing = await openTracing(config, logger);
  // The server listens first, because the terms contain its address.
  const router = deferred<RequestHandler>();
  let stopping = false;
  const refuse = createRefuse(createRandom(), { basePath: config.basePath });
  const server = await listen(config, whileOpening(router.value, refuse, config.basePath), refuse, logger);
  const url = `http://${urlHost(config.host)}:${server.port}${config.basePath}`;
  const { basePath, serviceName } = config;
  const publicUrl = config.publicUrl ?? url;
  const measurements = config.metrics === null ? null : createMeasurements();
  const telemetry = joinTelemetry([measurements?.telemetry, tracing?.telemetry]);
  // The operator's own address may be private.
  const alertSender = createHttpSender({ allowPrivate: true });
  let mailer: ServiceOptions['mailer'];
  const giveUp = async (opened: { close(): Promise<void> } | null, error: unknown): Promise<never> => {
    router.resolve((request) => Promise.resolve(refuse(request, 'unavailable')));
    await server.stop();
    await opened?.close();
    await tracing?.stop();
    mailer?.close();
    alertSender.close();
    throw error;
  };
  const open = async () => {
    const options = billingOptions(config, environment, { publicUrl, logger });
    mailer = options.mailer;
    return openBilling({
      ...options,
      ...(config.alertsUrl === null
        ? {}
        : { alertNotifier: createAlertWebhook(config.alertsUrl, alertSender) }),
      ...(telemetry === null ? {} : { telemetry }),
    });
  };
  const billing = await open().catch((error: unknown) => giveUp(null, error));
  const checkAndListen = async () => {
    if (!config.chargerMayOwnPlans) await refuseChargerOfPlans(billing);
    return listenForMetrics(config, billing, measurements, logger);
  };
  const metrics = await checkAndListen().catch((error: unknown) => giveUp(billing, error));
  const stopWorker = new AbortController();
  let isWorking = false;
  const routes = createRequestHandler(billing, {
    basePath,
    walletRoutes: true,
    customerRoutes: true,
    health: { version: VERSION, stopping: () => stopping },
  });
  const handle = withMcp(routes, { basePath, publicUrl, service: billing.service, refuse });
  const { demoWallet } = environment;
  const facts = { basePath, publicUrl, serviceName, chain: chainName(config) };
  const page: PagesOptions = demoWallet === null ? facts : { ...facts, demoWallet };
  const paged = withPages(handle, page);
  const tickets = new Map<string, string>();
  const redeem = async (ticket: string) => {
    const key = tickets.get(ticket) ?? null;
    tickets.delete(ticket);
    return key;
  };
  router.resolve(
    config.dashboard ? withDashboard(paged, { ...page, service: billing.service, redeem }) : paged,
  );
  return {
    url,
    metricsUrl:
      config.metrics === null || metrics === null
        ? null
        : `http://${urlHost(config.metrics.host)}:${metrics.port}/metrics`,
    billing,
    dashboardFor(key) {
      const ticket = randomBytes(32).toString('base64url');
      tickets.set(ticket, key);
      return `${url}/dashboard#ticket=${ticket}`;
    },
    startWorker() {
      if (isWorking) return;
      isWorking = true;
      void billing.worker.run({ signal: stopWorker.signal });
      const stopListening = environment.onChange?.(workAtOnce(billing));
      stopWorker.signal.addEventListener('abort', () => stopListening?.());
    },
    async close() {
      stopping = true;
      stopWorker.abort();
      await Promise.all([server.stop(), metrics?.stop()]);
      await billing.close();
      await tracing?.stop();
      mailer?.close();
      alertSender.close();
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
  const listenOn = (chosen: number) =>
    serve({
      host,
      port: chosen,
      trustedProxies,
      handle,
      refuse,
      logger,
      shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS,
    });
  return explainListenError({ host: 'SUBRAIL_HOST', port: 'SUBRAIL_PORT' }, () =>
    port === null ? listenOnFreePort(DEFAULT_PORT, listenOn) : listenOn(port),
  );
}

function listenForMetrics(
  { metrics }: Config,
  billing: Billing,
  measurements: Measurements | null,
  logger: Logger,
): Promise<MetricsServer | null> {
  if (metrics === null || measurements === null) return Promise.resolve(null);
  return explainListenError({ host: 'SUBRAIL_METRICS_HOST', port: 'SUBRAIL_METRICS_PORT' }, () =>
    serveMetrics({ ...metrics, metrics: () => billing.metrics(), measured: measurements.registry, logger }),
  );
}

/** The Wallet Standard's name of the chain. */
function chainName({ chain, network }: Config): PagesOptions['chain'] {
  if (chain.kind === 'localnet') return 'solana:localnet';
  return network === 'mainnet-beta' ? 'solana:mainnet' : 'solana:devnet';
}

/** A promise with its resolve function. */
function deferred<T>(): { readonly value: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const value = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { value, resolve };
}

/** The host of a URL for a listening address. A server on every address is on localhost. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
