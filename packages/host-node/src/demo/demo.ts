import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@subrail/core/client';
import { EventType } from '@subrail/core/schemas';
import { readConfig } from '../config/read-config.js';
import { ensureDemoProject } from '../local/demo-project.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { createLogger } from '../log/logger.js';
import { openService } from '../service/open-service.js';
import { checkResults } from './check-results.js';
import { EXPECTED, type ExpectedResult } from './expected.js';
import { createPrinter } from './printer.js';
import { runScenario } from './scenario.js';
import { startWebhookReceiver } from './webhook-receiver.js';

/**
 * `subrail demo`: plays the lives of two subscriptions and prints them on `stream`. It creates a chain and a
 * host in a temporary folder, and deletes that folder afterwards.
 * @returns the exit code: 0 when the result was as expected, else 1
 */
export async function demo(
  stream: NodeJS.WritableStream,
  expected: ExpectedResult = EXPECTED,
): Promise<number> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'subrail-demo-'));
  // Any free ports, so that a host that is started meanwhile gets those that are its own by default.
  const anyPorts = { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0' };
  const config = readConfig({ ...anyPorts, SUBRAIL_DATA_DIR: folder }, folder);
  const logger = createLogger({ level: 'error', secrets: [], stream: process.stderr });
  const printer = createPrinter(stream);
  const local = await openLocalEnvironment(config, logger);
  const { chain, developmentRpc: rpc, keys } = local;
  const receiver = await startWebhookReceiver();
  const service = await openService(config, local, logger);
  try {
    const { billing, url } = service;
    const project = await ensureDemoProject({ billing, rpc, keys, folder });
    const endpoint = await billing.project(project.projectId).endpoints.create({
      url: receiver.url,
      types: EventType.options,
    });
    receiver.setSecret(endpoint.secret);
    printer.line(
      `A local Solana runs at ${chain.url}, the service at ${url}, and a webhook receiver at ${receiver.url}.`,
    );
    const { worker } = billing;
    const { wallet, owner } = keys;
    const client = createClient({ url, key: project.apiKey });
    const context = { printer, client, worker, receiver, chain, rpc, project, wallet, owner };
    const result = await runScenario(context);
    const passed = await checkResults(context, result, expected);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    printer.heading(
      passed
        ? `Five months of two subscriptions in ${seconds} seconds, and every token is accounted for.`
        : 'The result is not as expected: see the failed checks above.',
    );
    return passed ? 0 : 1;
  } finally {
    await receiver.stop();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
