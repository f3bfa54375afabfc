import { generateKeyPairSigner } from '@solana/kit';
import { createNodeClock } from '@subrail/adapters/node';
import { readConfig } from '../../src/config/read-config.js';
import { createLogger } from '../../src/log/logger.js';
import { openService, type OpenService } from '../../src/service/open-service.js';

/** Opens the whole service on a database, without its worker. `dataDir` is where it keeps its files. */
export async function openBenchService(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<OpenService> {
  const clock = createNodeClock();
  const config = readConfig({ SUBRAIL_DATA_DIR: dataDir, ...settings }, dataDir);
  return openService(
    config,
    {
      // An access check does not call the chain.
      rpc: 'http://127.0.0.1:1',
      charger: await generateKeyPairSigner(),
      sealingKey: new Uint8Array(32),
      olderSealingKeys: [],
      clock,
      wallClock: clock,
      demoToken: null,
      demoWallet: null,
      onChange: null,
      close: () => Promise.resolve(),
    },
    createLogger({ level: config.logLevel, secrets: [], stream: process.stdout }),
  );
}
