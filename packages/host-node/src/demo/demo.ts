import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventType } from '@subrail/core/schemas';
import { readConfig } from '../config/read-config.js';
import { createLogger } from '../log/logger.js';
import { openService } from '../service/open-service.js';
import { ensureDemoWorld } from '../local/demo-project.js';
import { openLocalWorld } from '../local/local-environment.js';
import { createApi } from './api.js';
import { EXPECTED, type Expected } from './expected.js';
import { checkLedger } from './ledger.js';
import { createNarrator } from './narrator.js';
import { startReceiver } from './receiver.js';
import { tell } from './story.js';

/**
 * `subrail demo`: tells a subscription's life on `stream`, on a chain and a host of its own that are gone afterwards.
 * @param expected what the story has to come to
 * @returns the exit code: 0 when all of it came so
 */
export async function demo(stream: NodeJS.WritableStream, expected: Expected = EXPECTED): Promise<number> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'subrail-demo-'));
  const config = readConfig({ SUBRAIL_PORT: '0', SUBRAIL_DATA_DIR: folder }, folder);
  const logger = createLogger({ level: 'error', secrets: [], stream: process.stderr });
  const narrator = createNarrator(stream);
  const { keys, local, rpc, environment } = await openLocalWorld(config, logger);
  const receiver = await startReceiver(() => local.chain.now());
  const service = await openService(config, environment, logger);
  try {
    const { billing, url } = service;
    const world = await ensureDemoWorld({ billing, rpc, keys, folder });
    const endpoint = await billing.endpoints.create(world.projectId, {
      url: receiver.url,
      types: EventType.options,
    });
    receiver.trust(endpoint.secret);
    narrator.line(
      `A local Solana runs at ${local.url}, the service at ${url}, a receiver of webhooks at ${receiver.url}.`,
    );
    const stage = {
      narrator,
      api: createApi(url, world.apiKey),
      worker: billing.worker,
      receiver,
      local,
      rpc,
      world,
      wallet: keys.wallet,
      owner: keys.owner,
    };
    const told = await tell(stage);
    const right = await checkLedger(stage, told, expected);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    narrator.chapter(
      right
        ? `Three months of a subscription in ${seconds} seconds, and every token is accounted for.`
        : 'The story did not come out as it should: see above.',
    );
    return right ? 0 : 1;
  } finally {
    await receiver.stop();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
