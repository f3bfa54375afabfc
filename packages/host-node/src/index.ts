export { ConfigError } from './config/config-error.js';
export { readConfig, type ChainPlace, type Config } from './config/read-config.js';
export { clientAddress } from './http/client-address.js';
export { serve, type ServeOptions, type Server } from './http/serve.js';
export { createLogger, type LogOptions } from './log/logger.js';
export { openService, type OpenService } from './service/open-service.js';
export { configuredEnvironment, type Environment } from './service/environment';
export { createTicks, type Job, type JobState, type Ticks } from './ticks.js';
export { VERSION } from './version.js';
