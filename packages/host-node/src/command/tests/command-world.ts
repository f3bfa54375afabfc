import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signerFromKeyFile } from '@subrail/adapters/node';
import type { Billing, ProjectBilling } from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { signMessage, signTransaction } from '@subrail/localnet';
import { readConfig } from '../../config/read-config.js';
import { ensureDemoProject } from '../../local/demo-project.js';
import { openLocalEnvironment } from '../../local/local-environment.js';
import { noteRunningHost } from '../../state/running-host.js';
import { openService } from '../../service/open-service.js';
import { runHere, type Outcome } from './fake-terminal.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A host on a local chain in this process, with one project, and both ways in which a command reaches it. */
export interface CommandWorld {
  readonly folder: string;
  readonly billing: Billing;
  readonly projectId: string;
  readonly shop: ProjectBilling;
  readonly url: string;
  readonly rpcUrl: string;
  /** The file of a management key that may change. */
  readonly keyFile: string;
  /** The calls that commands made over HTTP, such as `GET /manage/v1/projects`. */
  readonly calls: string[];
  /** Has the host do what is due, as a host that was started does. */
  readonly startWorker: () => void;
  /** Moves the time of the chain, and with it that of the service. */
  advanceHours(hours: number): void;
  /** Ends the host. Its folder stays. */
  stop(): Promise<void>;
  /** Runs a command on the database, or over HTTP. */
  run(way: Way, args: readonly string[]): Promise<Outcome>;
  close(): Promise<void>;
}

/** The way of a command to the service. */
export type Way = 'database' | 'host';
export const WAYS: readonly Way[] = ['database', 'host'];

/** The settings of a mail server on which nothing listens. */
export const SILENT_MAIL_SERVER = {
  SUBRAIL_SMTP_URL: 'smtp://127.0.0.1:1',
  SUBRAIL_MAIL_FROM: 'billing@shop.example',
};

/**
 * @param environment what configures the host besides
 * @param logger takes the host's log; nothing does by default
 */
export async function openCommandWorld(
  environment: NodeJS.ProcessEnv = {},
  logger: Logger = SILENT,
): Promise<CommandWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-command-'));
  const config = readConfig({ SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0', ...environment }, folder);
  const local = await openLocalEnvironment(config, logger);
  const service = await openService(config, local, logger);
  const { billing, url } = service;
  const { projectId } = await ensureDemoProject({
    billing,
    rpc: local.developmentRpc,
    keys: local.keys,
    folder: config.dataDir,
  });
  const rpcUrl = local.chain.url;
  noteRunningHost(config.dataDir, { url, rpc_url: rpcUrl });
  const keyFile = join(folder, 'management-key');
  const { key } = await billing.management.createKey({ name: 'Tests', access: 'write' });
  writeFileSync(keyFile, key, { mode: 0o600 });
  const calls: string[] = [];
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= service.close());
  return {
    folder,
    billing,
    projectId,
    url,
    rpcUrl,
    keyFile,
    calls,
    shop: billing.project(projectId),
    startWorker: service.startWorker,
    advanceHours: (hours) => {
      local.chain.localnet.advance({ seconds: hours * 3_600 });
    },
    run: (way, args) =>
      runHere(args, {
        folder,
        environment: {
          ...environment,
          SUBRAIL_PROJECT: projectId,
          ...(way === 'host' ? { SUBRAIL_URL: url, SUBRAIL_KEY_FILE: keyFile } : {}),
        },
        fetch(request) {
          calls.push(`${request.method} ${new URL(request.url).pathname}`);
          return fetch(request);
        },
      }),
    stop,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Subscribes the demo wallet to `pro` as `customer-42`, as its owner would. */
export async function subscribeDemoWallet({ shop, folder }: CommandWorld): Promise<string> {
  const { subscriptions } = shop;
  const wallet = await signerFromKeyFile(join(folder, '.subrail', 'wallet.json'));
  const { subscription, terms, transaction } = await subscriptions.create({
    plan: 'pro',
    wallet: wallet.address,
    external_id: 'customer-42',
    email: 'ada@example.org',
  });
  await subscriptions.submit(subscription.id, {
    transaction: await signTransaction(wallet, transaction),
    terms_signature: await signMessage(wallet, terms.message),
  });
  return subscription.id;
}
