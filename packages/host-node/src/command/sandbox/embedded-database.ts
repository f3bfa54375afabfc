import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openBilling } from '@subrail/adapters/node';
import { EventType } from '@subrail/core/schemas';
import type { DatabaseConfig } from '../../config/read-config.js';
import { ensureDemoProject } from '../../local/demo-project.js';
import { loadLocalKeys } from '../../local/local-keys.js';
import { readRunningHost } from '../../state/running-host.js';
import { databaseOptionOf } from '../../service/billing-options.js';
import { CommandFailed, UsageError } from '../errors.js';
import { START } from './command-name.js';
import type { SandboxRpc } from './sandbox.js';

/** A database for an app that embeds the service, on the local chain of a host. */
export interface EmbeddedDatabase {
  /** The path or the address for the app to open. */
  readonly database: string;
  readonly rpc: string;
  /** The files with the keys of the chain, which the app uses too. */
  readonly charger_file: string;
  readonly sealing_key_file: string;
  readonly project: string;
  readonly plan: string;
  readonly api_key: string;
  /** Null without an endpoint. */
  readonly webhook_secret: string | null;
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Makes a database with a project, a published plan, an API key and, with an address, an endpoint of every
 * event.
 * @throws CommandFailed when there is a database already, and changes nothing
 */
export async function createEmbeddedDatabase(
  { database, webhook }: { readonly database: DatabaseConfig; readonly webhook: string | undefined },
  { dataDir, rpc }: { readonly dataDir: string; readonly rpc: SandboxRpc },
): Promise<EmbeddedDatabase> {
  if (webhook !== undefined && !(URL.canParse(webhook) && /^https?:$/.test(new URL(webhook).protocol)))
    throw new UsageError(
      `--webhook is "${webhook}": it must be an http or https address, such as http://localhost:3000/webhooks.`,
    );
  const file = database.kind === 'sqlite' ? database.path : null;
  if (file !== null && existsSync(file))
    throw new CommandFailed(`There is a file ${file} already. Give the path of a new one.`);
  if (file !== null && !existsSync(dirname(file)))
    throw new CommandFailed(`There is no folder ${dirname(file)}. Make it, and run this again.`);
  const url = readRunningHost(dataDir)?.rpc_url ?? null;
  if (url === null) throw new CommandFailed(`No host runs. Start one with "${START}", and run this again.`);
  const keys = await loadLocalKeys(dataDir);
  const billing = await openBilling({
    database: databaseOptionOf(database),
    rpc: url,
    clock: 'chain',
    logger: SILENT,
    charger: keys.charger,
    sealingKey: keys.sealingKey,
    settings: { privateTargets: true },
  });
  // The notes of a demo project are not kept: they are printed.
  const folder = mkdtempSync(join(tmpdir(), 'subrail-embed-'));
  let isDone = false;
  try {
    if ((await billing.projects.list()).length > 0)
      throw new CommandFailed('That database has projects already: nothing was changed. Give an empty one.');
    const demo = await ensureDemoProject({ billing, rpc, keys, folder });
    const { endpoints } = billing.project(demo.projectId);
    const types = [...EventType.options];
    const endpoint = webhook === undefined ? null : await endpoints.create({ url: webhook, types });
    isDone = true;
    return {
      database: database.kind === 'sqlite' ? database.path : database.url,
      rpc: url,
      charger_file: join(dataDir, 'charger.json'),
      sealing_key_file: join(dataDir, 'sealing-key'),
      project: demo.projectId,
      plan: demo.plan.slug,
      api_key: demo.apiKey,
      webhook_secret: endpoint?.secret ?? null,
    };
  } finally {
    rmSync(folder, { recursive: true });
    await billing.close();
    // The corrected command must not meet a file of this one.
    if (!isDone && file !== null) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
}
