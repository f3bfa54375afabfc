// A host with RPC servers whose clock is ahead of this machine's from its start.
import { createClock } from '@subrail/adapters/web';
import { readConfig } from '../../config/read-config.js';
import { createLogger } from '../../log/logger.js';
import { configuredEnvironment } from '../../service/environment.js';
import { openService } from '../../service/open-service.js';

const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const clock = createClock({ wall: () => Date.now() + aheadMs });
const config = readConfig(process.env, process.cwd());
const environment = { ...(await configuredEnvironment(config)), clock, wallClock: clock };
const logger = createLogger({ level: config.logLevel, secrets: [], stream: process.stderr });
const service = await openService(config, environment, logger);
service.startWorker();
process.once('SIGTERM', () => void service.close());
