import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import type { Registry } from 'prom-client';
import { createMetricsPage } from './metrics-page.js';

/** The address of the metrics, and their sources. */
export interface MetricsServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly metrics: () => Promise<Metrics>;
  /** The measurements. */
  readonly measured: Registry;
  readonly logger: Logger;
}

export interface MetricsServer {
  /** The port it listens on. */
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` in the text format of Prometheus, on an address of its own: the metrics need no key, and
 * show every project. Rejects with Node's error when it cannot listen.
 */
export async function serveMetrics({
  host,
  port,
  metrics,
  measured,
  logger,
}: MetricsServerOptions): Promise<MetricsServer> {
  const page = createMetricsPage(measured);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Only GET /metrics is served here.\n');
      return;
    }
    metrics()
      .then((read) => page.render(read))
      .then(
        (text) => response.writeHead(200, { 'Content-Type': page.contentType }).end(text),
        (err: unknown) => {
          logger.error({ err }, 'The metrics could not be written.');
          response
            .writeHead(500, { 'Content-Type': 'text/plain' })
            .end('The metrics could not be written.\n');
        },
      );
  });
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
